/// Why the keyring can't be used. Each case has a different remedy.
public enum VaultFailure: Error, Sendable, Equatable {
  case locked
  /// No program offers a keyring on this desktop.
  case noService
  /// There is a keyring service, but no keyring in it.
  case noCollection
  case noAnswer
  case denied
  case other(detail: String)
}
