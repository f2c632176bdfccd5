import SyncEngine
import Testing

@Suite struct WaitingVaultTests {
  private let account = Account(server: "https://example.org", userID: "ada")

  private func session(_ token: String) -> StoredSession {
    StoredSession(account: account, email: "", accessToken: token, refreshToken: "", expiresAt: 0)
  }

  @Test func keepsTheSessionUntilTheOtherVaultStoresIt() async throws {
    let keyring = MemoryVault()
    let vault = WaitingVault(session("1"), for: keyring)
    try await vault.store(session("2"))
    #expect(try await vault.session(of: account) == session("2"))
    #expect(await keyring.session(of: account) == nil)
    try await vault.moveIn()
    #expect(await keyring.session(of: account) == session("2"))
    try await vault.store(session("3"))
    #expect(await keyring.session(of: account) == session("3"))
    try await vault.remove(account)
    #expect(await keyring.session(of: account) == nil)
  }

  @Test func aRemovedSessionIsNotStoredLater() async throws {
    let keyring = MemoryVault()
    let vault = WaitingVault(session("1"), for: keyring)
    try await vault.remove(account)
    try await vault.moveIn()
    #expect(await keyring.session(of: account) == nil)
  }
}
