/// Keeps sessions for this run only, if no keyring can be used and the user continues without one.
public actor MemoryVault: SessionVault {
  private var sessions: [Account: StoredSession] = [:]

  public init(_ sessions: StoredSession...) {
    for session in sessions { self.sessions[session.account] = session }
  }

  public func session(of account: Account) -> StoredSession? { sessions[account] }

  public func store(_ session: StoredSession) { sessions[session.account] = session }

  public func remove(_ account: Account) { sessions[account] = nil }

  public func unlock() {}
}
