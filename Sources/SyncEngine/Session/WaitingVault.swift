/// Keeps a session in memory until another vault can store it.
public actor WaitingVault: SessionVault {
  private let vault: any SessionVault
  /// `nil` once the other vault has it, or once it was removed.
  private var waiting: StoredSession?
  private var isRemoved = false
  private var moving: Task<Result<Void, VaultFailure>, Never>?

  public init(_ session: StoredSession, for vault: any SessionVault) {
    self.vault = vault
    waiting = session
  }

  /// Stores the session in the other vault, which keeps it from then on.
  public func moveIn() async throws(VaultFailure) {
    // A second call at the same time could store a session that was renewed since.
    let task = moving ?? Task { await move() }
    moving = task
    defer { moving = nil }
    try await task.value.get()
  }

  private func move() async -> Result<Void, VaultFailure> {
    do throws(VaultFailure) {
      // It may be renewed or removed during a call, which then isn't the last one.
      while let session = waiting {
        try await vault.store(session)
        if waiting == session { waiting = nil }
        if isRemoved { try await vault.remove(session.account) }
      }
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  public func session(of account: Account) async throws(VaultFailure) -> StoredSession? {
    if isRemoved { return nil }
    guard let waiting else { return try await vault.session(of: account) }
    return waiting.account == account ? waiting : nil
  }

  public func store(_ session: StoredSession) async throws(VaultFailure) {
    if waiting == nil { try await vault.store(session) } else { waiting = session }
  }

  public func remove(_ account: Account) async throws(VaultFailure) {
    if waiting == nil { return try await vault.remove(account) }
    (waiting, isRemoved) = (nil, true)
  }

  public func unlock() async throws(VaultFailure) { try await vault.unlock() }
}
