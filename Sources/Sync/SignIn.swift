import Garden

/// Signing in: an address, a code that is sent to it, a session.
public struct SignIn: Sendable {
  /// What a right code gives.
  public struct Outcome: Sendable {
    public let session: StoredSession
    /// Why the session could not be put into the vault; `nil` if it is there.
    public let vaultProblem: VaultFailure?
    /// What the account says of its user; `nil` if the service did not tell.
    public let profile: Profile.Values?
  }

  /// The base address of the service.
  public let server: String
  private let service: any AuthService
  private let vault: any SessionVault
  private let clock: any SyncClock

  /// - Parameter server: the base address of the service, without a slash at its end.
  public init(server: String, service: any AuthService, vault: any SessionVault, clock: any SyncClock) {
    self.server = server
    self.service = service
    self.vault = vault
    self.clock = clock
  }

  /// Has a code sent.
  /// - Parameter email: as it was typed or pasted.
  /// - Returns: the address to which it goes.
  @discardableResult
  public func requestCode(email: String) async throws(SignInFailure) -> String {
    let email = String(email.trimmed)
    guard SignIn.mayBeAddress(email) else { throw .invalidAddress }
    try await service.requestCode(email: email)
    return email
  }

  /// - Parameter code: as it was typed or pasted; everything but its digits is left out.
  public func verify(email: String, code: String) async throws(SignInFailure) -> Outcome {
    let grant = try await service.verify(email: String(email.trimmed), code: SignIn.digits(code))
    return await keep(StoredSession(grant, server: server, now: clock.now), profile: grant.profile)
  }

  /// Puts a session into the vault; also once more, when the vault can be used now.
  public func keep(_ session: StoredSession, profile: Profile.Values? = nil) async -> Outcome {
    do throws(VaultFailure) {
      try await vault.store(session)
      return Outcome(session: session, vaultProblem: nil, profile: profile)
    } catch {
      return Outcome(session: session, vaultProblem: error, profile: profile)
    }
  }

  /// Whether a text may be an e-mail address. The service knows better, and is not asked about what is none for certain.
  private static func mayBeAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts.contains("") && !text.contains(where: \.isWhitespace)
  }

  /// The digits of a code, as the service wants them.
  public static func digits(_ code: String) -> String {
    String(
      code.unicodeScalars.compactMap { $0.properties.numericType == .decimal ? $0.properties.numericValue : nil }
        .map { Character("\(Int($0))") })
  }
}
