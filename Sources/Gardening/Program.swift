import Glibc

/// What the window and the command line say about themselves.
public enum Program {
  public static let version = "0.1.0"

  /// A crash leaves no file with what is in memory: neither journal nor tokens. Call it first.
  public static func leaveNoCoreDumps() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    // Where it is forbidden, nothing else can be done either.
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}
