import Glibc

/// The version and the process limits that all programs share.
public enum Program {
  public static let version = "0.1.0"

  /// Prevents core dumps, which would contain journal texts and tokens. Call it first.
  public static func leaveNoCoreDumps() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    // If this fails, there is no other way.
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}
