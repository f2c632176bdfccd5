import Dispatch
import SyncEngine

/// Stores sessions in the desktop's keyring through libsecret: one item per account in the default collection of the
/// Secret Service.
///
/// The attributes `server` and `user` of an item identify its account; its secret is one line of JSON. libsecret blocks
/// its thread without a time limit, so each call runs on its own thread and is abandoned after the limit.
public final class Keyring: SessionVault {
  private let limit: Duration
  private let promptLimit: Duration
  private let queue = DispatchQueue(label: "keyring", attributes: .concurrent)

  /// - Parameter limit: the time after which a call throws `noAnswer`.
  /// - Parameter promptLimit: how long `unlock` waits for the user.
  public init(limit: Duration = .seconds(10), promptLimit: Duration = .seconds(300)) {
    self.limit = limit
    self.promptLimit = promptLimit
  }

  public func session(of account: Account) async throws(VaultFailure) -> StoredSession? {
    try await bounded(by: limit, on: queue) { cancellable throws(VaultFailure) in
      let collection = try Collection(cancellable)
      try collection.requireUnlocked()
      // Without a session in any of them, foreign items count as missing: the next sign-in replaces them.
      return try collection.secrets(of: account).lazy.compactMap { StoredSession(account: account, line: $0) }.first
    }
  }

  public func store(_ session: StoredSession) async throws(VaultFailure) {
    try await bounded(by: limit, on: queue) { cancellable throws(VaultFailure) in
      let collection = try Collection(cancellable)
      // Storing in a locked collection would show a password prompt.
      try collection.requireUnlocked()
      try collection.store(session.line, of: session.account)
    }
  }

  public func remove(_ account: Account) async throws(VaultFailure) {
    try await bounded(by: limit, on: queue) { cancellable throws(VaultFailure) in
      let collection = try Collection(cancellable)
      try collection.requireUnlocked()
      try collection.remove(account)
    }
  }

  /// - Throws: `denied` if the user closed the prompt.
  public func unlock() async throws(VaultFailure) {
    // Distinguishes a service that doesn't respond from a user who takes time.
    let isLocked = try await bounded(by: limit, on: queue) { cancellable throws(VaultFailure) in
      try Collection(cancellable).isLocked
    }
    guard isLocked else { return }
    try await bounded(by: promptLimit, on: queue) { cancellable throws(VaultFailure) in
      try Collection(cancellable).unlock()
    }
  }

  /// - Throws: `denied` if the user closed the prompt.
  public func create() async throws(VaultFailure) {
    try await bounded(by: promptLimit, on: queue) { cancellable throws(VaultFailure) in
      try Collection.create(cancellable)
    }
  }
}
