import Glibc

/// The limits that each program sets for itself.
public enum Program {
  /// Prevents core dumps, which would contain journal texts and tokens. Call it first.
  public static func preventCoreDumps() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    // If this fails, nothing else can prevent them.
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}
