import Glibc

/// The copies of a program's memory that the system writes when it crashes.
package enum CoreDumps {
  /// Prevents them for the rest of the program, because they would contain journal texts, keys and tokens.
  package static func prevent() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    // If this fails, nothing else can prevent them.
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}
