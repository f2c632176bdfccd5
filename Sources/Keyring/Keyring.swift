import Dispatch
import Sync

/// The desktop's keyring: one item for each account in the default collection of the Secret Service, by libsecret.
///
/// The attributes `server` and `user` of an item name its account; its secret is one line of JSON. libsecret has no
/// time limit and blocks its thread, so that each call has a thread of its own and is not waited for longer than the limit.
public final class Keyring: SessionVault {
  private let limit: Duration
  private let promptLimit: Duration
  private let queue = DispatchQueue(label: "keyring", attributes: .concurrent)

  /// - Parameter limit: after which a call throws `noAnswer`.
  /// - Parameter promptLimit: how long `unlock` waits for the user.
  public init(limit: Duration = .seconds(10), promptLimit: Duration = .seconds(300)) {
    self.limit = limit
    self.promptLimit = promptLimit
  }

  public func session(of account: Account) async throws(VaultFailure) -> StoredSession? {
    try await bounded(by: limit, on: queue) { cancellable throws(VaultFailure) in
      let collection = try Collection(cancellable)
      try collection.requireUnlocked()
      // An entry that is not one of ours is as good as none: signing in replaces it.
      return try collection.secret(of: account).flatMap { StoredSession(account: account, line: $0) }
    }
  }

  public func store(_ session: StoredSession) async throws(VaultFailure) {
    try await bounded(by: limit, on: queue) { cancellable throws(VaultFailure) in
      let collection = try Collection(cancellable)
      // Storing would ask for the password by itself.
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
    // Tells a service that does not answer from a user who takes time.
    let isLocked = try await bounded(by: limit, on: queue) { cancellable throws(VaultFailure) in
      try Collection(cancellable).isLocked
    }
    guard isLocked else { return }
    try await bounded(by: promptLimit, on: queue) { cancellable throws(VaultFailure) in
      try Collection(cancellable).unlock()
    }
  }
}
