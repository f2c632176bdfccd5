import MailKit
import TrunkModel

/// The requests of a sign-in: an address, the code sent to it, a session.
public struct SignIn: Sendable {
  /// The result of a correct code.
  public struct Outcome: Sendable {
    public let session: StoredSession
    /// Why the session could not be stored in the vault; `nil` if it was.
    public let vaultProblem: VaultFailure?
    /// The account's profile; `nil` if the service did not send it.
    public let profile: Profile.Values?
  }

  /// The base address of the service.
  public let server: String
  private let service: any AuthService
  private let vault: any SessionVault
  private let clock: any SyncClock

  /// - Parameter server: the base address of the service, without a trailing slash.
  public init(server: String, service: any AuthService, vault: any SessionVault, clock: any SyncClock) {
    self.server = server
    self.service = service
    self.vault = vault
    self.clock = clock
  }

  /// Requests a code by email.
  /// - Parameter email: as typed or pasted.
  /// - Returns: the address to which the code is sent.
  @discardableResult
  public func requestCode(email: String) async throws(SignInFailure) -> String {
    let email = EmailAddress.cleaned(email)
    guard SignIn.mayBeAddress(email) else { throw .invalidAddress }
    try await service.requestCode(email: email)
    return email
  }

  /// Exchanges a code for a session and stores it in the vault.
  /// - Parameter code: as typed or pasted; everything but digits is ignored.
  public func verify(email: String, code: String) async throws(SignInFailure) -> Outcome {
    let grant = try await service.verify(email: EmailAddress.cleaned(email), code: SignIn.digits(code))
    return await store(StoredSession(grant, server: server, now: clock.now), profile: grant.profile)
  }

  /// Stores a session in the vault. Call it again after the vault was unlocked.
  public func store(_ session: StoredSession, profile: Profile.Values? = nil) async -> Outcome {
    do throws(VaultFailure) {
      try await vault.store(session)
      return Outcome(session: session, vaultProblem: nil, profile: profile)
    } catch {
      return Outcome(session: session, vaultProblem: error, profile: profile)
    }
  }

  /// Whether a text may be an email address. This only avoids requests that are certain to fail; the service decides.
  private static func mayBeAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts.contains("") && !text.contains(where: \.isWhitespace)
  }

  /// Returns the digits of a code as ASCII.
  public static func digits(_ code: String) -> String {
    String(
      code.unicodeScalars.compactMap { $0.properties.numericType == .decimal ? $0.properties.numericValue : nil }
        .map { Character("\(Int($0))") })
  }
}
