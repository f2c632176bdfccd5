import EventStore
import Foundation
import SyncEngine
import Synchronization
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import TrunkAccount
@testable import TrunkKit

/// A service with scripted responses that records its requests.
private final class ScriptedAuth: AuthService {
  let rejections: Mutex<[SignInFailure]>
  let recorded = Mutex<[String]>([])

  init(_ rejections: SignInFailure...) { self.rejections = Mutex(rejections) }

  private func record(_ request: String) throws(SignInFailure) {
    recorded.withLock { $0.append(request) }
    if let rejection = rejections.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw rejection }
  }

  func requestCode(email: String) async throws(SignInFailure) { try record("send \(email)") }

  func verify(email: String, code: String) async throws(SignInFailure) -> Grant {
    try record("verify \(email) \(code)")
    return Grant(accessToken: "a", refreshToken: "r", userID: "u", email: email, expiresIn: 3600)
  }

  func refresh(_ refreshToken: String) async throws(ServiceFailure) -> Grant { throw .cancelled }
  func signOut(token: AccessToken) async throws(ServiceFailure) {}

  var requests: [String] { recorded.withLock { $0 } }
}

@MainActor
struct SignInFlowTests {
  private let temporary = TemporaryFolder("sign-in")
  private var folder: String { temporary.path }
  private let time: FixedClock

  init() throws { time = try FixedClock("2026-11-18T08:00:00Z", .utc) }

  private func signIn(_ service: ScriptedAuth) -> SignInFlow {
    let signIn = SignIn(server: "https://example.org", service: service, vault: MemoryVault(), clock: SystemSyncClock())
    return SignInFlow(signIn, clock: time.clock, stateFolder: folder)
  }

  @Test func anAddressAndThenACodeSignIn() async throws {
    let service = ScriptedAuth()
    let signIn = signIn(service)
    await signIn.requestCode(email: "  ada@example.org\n")
    #expect(signIn.step == .code(email: "ada@example.org"))
    let outcome = await signIn.verify(" 123-456\u{A0}")
    #expect(outcome?.session.email == "ada@example.org")
    #expect(service.requests == ["send ada@example.org", "verify ada@example.org 123456"])
  }

  @Test func theStepSurvivesTheProgramUntilTheCodeExpires() async throws {
    await signIn(ScriptedAuth()).requestCode(email: "ada@example.org")
    time.advance(seconds: 30)
    let again = signIn(ScriptedAuth())
    #expect(again.step == .code(email: "ada@example.org"))
    #expect(again.secondsUntilResend() == 30)
    let mode = try FileManager.default.attributesOfItem(atPath: folder + "/sign-in.conf")[.posixPermissions] as? Int
    #expect(mode == 0o600)
    time.advance(seconds: 3600)
    #expect(signIn(ScriptedAuth()).step == .address)
  }

  @Test func aCodeIsNotSentToAnotherServer() async throws {
    await signIn(ScriptedAuth()).requestCode(email: "ada@example.org")
    let other = SignIn(
      server: "https://other.example.org", service: ScriptedAuth(), vault: MemoryVault(), clock: SystemSyncClock())
    #expect(SignInFlow(other, clock: time.clock, stateFolder: folder).step == .address)
  }

  @Test func aUsedCodeIsForgotten() async throws {
    let first = signIn(ScriptedAuth())
    await first.requestCode(email: "ada@example.org")
    _ = await first.verify("123456")
    #expect(signIn(ScriptedAuth()).step == .address)
  }

  @Test func anotherAddressStartsOver() async throws {
    let signIn = signIn(ScriptedAuth(.wrongCode))
    await signIn.requestCode(email: "ada@example.org")
    signIn.changeAddress()
    #expect(signIn.step == .address && signIn.problem == nil && signIn.secondsUntilResend() == 0)
    #expect(self.signIn(ScriptedAuth()).step == .address)
  }

  @Test func eachFailureHasItsOwnMessage() async throws {
    let failures: [SignInFailure] = [
      .wrongCode, .tooMany(seconds: 42), .tooMany(seconds: nil), .locked(seconds: 42), .locked(seconds: nil),
      .invalidAddress, .signUpsDisabled, .answerLost,
      .service(.unreachable(detail: "")), .service(.unavailable(status: 503, code: "", retryAfter: nil)),
      .service(.unintelligible(detail: "")),
      .service(.misconfigured(status: 401, code: "", message: "Invalid API key")),
    ]
    var messages: Set<String> = []
    for failure in failures {
      let signIn = signIn(ScriptedAuth(failure))
      await signIn.requestCode(email: "ada@example.org")
      #expect(signIn.step == .address)
      messages.insert(try #require(signIn.problem))
    }
    #expect(messages.count == failures.count)
    #expect(messages.contains("Too many attempts. Try again in 42 seconds."))
  }

  @Test func aWrongCodeAllowsAnotherAttempt() async throws {
    let service = ScriptedAuth()
    let signIn = signIn(service)
    await signIn.requestCode(email: "ada@example.org")
    service.rejections.withLock { $0 = [.wrongCode] }
    #expect(await signIn.verify("111111") == nil)
    #expect(signIn.step == .code(email: "ada@example.org") && signIn.problem != nil)
    #expect(await signIn.verify("222222") != nil)
    #expect(signIn.problem == nil)
  }

  @Test func theServersRetryTimeAppliesToTheNextCode() async throws {
    let service = ScriptedAuth()
    let signIn = signIn(service)
    await signIn.requestCode(email: "ada@example.org")
    time.advance(seconds: 60)
    #expect(signIn.secondsUntilResend() == 0)
    service.rejections.withLock { $0 = [.tooMany(seconds: 17)] }
    await signIn.requestCode(email: "ada@example.org")
    #expect(signIn.secondsUntilResend() == 17)
    time.advance(seconds: -86_400)
    #expect(signIn.secondsUntilResend() <= 60)
  }

  @Test(arguments: ["not an address", "ada", "@example.org", "ada@", "ada@b@example.org", " "])
  func anInvalidAddressIsNotSent(_ text: String) async {
    let service = ScriptedAuth()
    let signIn = signIn(service)
    await signIn.requestCode(email: text)
    #expect(signIn.step == .address && signIn.failure == .invalidAddress && service.requests == [])
    signIn.forgetFailure()
    #expect(signIn.problem == nil)
  }

  /// The remaining time is shown, and no code is tried before it is over.
  @Test func aLockedAddressWaits() async throws {
    let service = ScriptedAuth()
    let signIn = signIn(service)
    await signIn.requestCode(email: "ada@example.org")
    service.rejections.withLock { $0 = [.locked(seconds: 900)] }
    #expect(await signIn.verify("111111") == nil)
    #expect(signIn.isLocked && signIn.secondsUntilResend() == 900)
    #expect(signIn.problem == "Too many wrong codes. You can request a new one in 15 minutes.")
    time.advance(seconds: 840)
    #expect(signIn.problem == "Too many wrong codes. You can request a new one in 60 seconds.")
    time.advance(seconds: 60)
    #expect(signIn.isLocked && signIn.problem == nil && signIn.secondsUntilResend() == 0)
    await signIn.requestCode(email: "ada@example.org")
    #expect(!signIn.isLocked)
    // A request that comes too soon doesn't unlock or invalidate anything.
    service.rejections.withLock { $0 = [.tooMany(seconds: 30)] }
    await signIn.requestCode(email: "ada@example.org")
    #expect(!signIn.isLocked && signIn.secondsUntilResend() == 30)
    #expect(await signIn.verify("222222") != nil)
  }

  @Test func withoutARetryTimeTheDefaultApplies() async {
    let service = ScriptedAuth()
    let signIn = signIn(service)
    await signIn.requestCode(email: "ada@example.org")
    time.advance(seconds: 60)
    service.rejections.withLock { $0 = [.tooMany(seconds: nil)] }
    await signIn.requestCode(email: "ada@example.org")
    #expect(signIn.secondsUntilResend() == 60)
    time.advance(seconds: 60)
    #expect(signIn.problem == "Too many attempts. Wait a while, then try again.")
  }

  /// Other users behind the same network address may have made too many requests.
  @Test(
    arguments: [
      (nil, "Too many attempts. Wait a while, then try again."), (17, "Too many attempts. Try again in 17 seconds."),
    ] as [(Int64?, String)])
  func aLimitOnRequestsKeepsTheCodeValid(seconds: Int64?, message: String) async {
    let service = ScriptedAuth()
    let signIn = signIn(service)
    await signIn.requestCode(email: "ada@example.org")
    time.advance(seconds: 30)
    service.rejections.withLock { $0 = [.tooMany(seconds: seconds)] }
    #expect(await signIn.verify("123456") == nil)
    #expect(!signIn.isLocked && signIn.step == .code(email: "ada@example.org") && signIn.problem == message)
    #expect(signIn.secondsUntilResend() == 30, "the attempt requested no mail")
    #expect(await signIn.verify("123456") != nil)
    #expect(signIn.problem == nil)
  }

  @Test func aLockedAddressCanBeChanged() async {
    let signIn = signIn(ScriptedAuth(.locked(seconds: 900)))
    await signIn.requestCode(email: "ada@example.org")
    #expect(signIn.step == .address && !signIn.isLocked)
    #expect(signIn.problem == "Too many wrong codes. You can request a new one in 15 minutes.")
    await signIn.requestCode(email: "ben@example.org")
    #expect(signIn.step == .code(email: "ben@example.org") && signIn.problem == nil)
  }

  @Test func aDoubleClickSendsOneCode() async throws {
    let service = ScriptedAuth()
    let signIn = signIn(service)
    async let first: Void = signIn.requestCode(email: "ada@example.org")
    async let second: Void = signIn.requestCode(email: "ada@example.org")
    _ = await (first, second)
    #expect(service.requests.count == 1)
  }
}

@MainActor
struct ServerSettingsTests {
  private func make(_ url: String, key: String = "k", _ backend: ServerSettings.Backend = .supabase) throws
    -> String
  {
    try ServerSettings(backend: backend, url: url, key: key).url
  }

  @Test func theAddressIsKeptWithoutASlashAtItsEnd() throws {
    #expect(try make(" https://garden.example.org/ ") == "https://garden.example.org")
    #expect(try make("https://example.org/trunk//") == "https://example.org/trunk")
  }

  @Test func aCopiedAddressMayFollowTheSchemeInTheField() throws {
    #expect(try make("https://https://garden.example.org") == "https://garden.example.org")
    #expect(try make("https://http://127.0.0.1:8787") == "http://127.0.0.1:8787")
    #expect(throws: ServerSettings.Invalid.notEncrypted) { try make("https://http://garden.example.org") }
  }

  @Test(arguments: [
    "http://localhost:54321", "http://127.0.0.1:8787", "http://127.3.2.1", "http://127.1", "http://[::1]:8787",
  ])
  func thisComputerNeedsNoEncryption(_ url: String) throws {
    #expect(try make(url) == url)
  }

  @Test(arguments: [
    "http://example.org", "http://127.0.0.1.example.org", "http://localhost.example.org", "http://0.0.0.0",
  ])
  func otherHostsNeedEncryption(_ url: String) {
    #expect(throws: ServerSettings.Invalid.notEncrypted) { try make(url) }
  }

  @Test(arguments: [
    "", "example.org", "ftp://example.org", "https://", "https://ada:secret@example.org", "https://a b",
    "https://gärten.example.org",
  ])
  func textsThatAreNotAddressesAreRejected(_ url: String) {
    #expect(throws: ServerSettings.Invalid.notAnAddress) { try make(url) }
  }

  @Test func onlySupabaseNeedsAKey() throws {
    #expect(throws: ServerSettings.Invalid.keyMissing) { try make("https://example.org", key: " ") }
    #expect(try make("https://example.org", key: "", .trunk) == "https://example.org")
  }

  @Test func theEnvironmentOverridesThePreferences() throws {
    let folder = TemporaryFolder("settings")
    defer { withExtendedLifetime(folder) {} }
    let settings = Settings(folder: folder.path)
    #expect(try ServerSettings.current(settings) { _ in nil } == nil)
    try settings.set(server: ServerSettings(backend: .trunk, url: "https://own.example.org", key: ""))
    let own = try ServerSettings.current(settings) { _ in nil }
    #expect(own?.backend == .trunk && own?.url == "https://own.example.org")
    let environment = ["SUPABASE_URL": "http://127.0.0.1:1", "SUPABASE_ANON_KEY": "k", "TRUNK_BACKEND": "supabase"]
    let other = try ServerSettings.current(settings) { environment[$0] }
    #expect(other == (try ServerSettings(backend: .supabase, url: "http://127.0.0.1:1", key: "k")))
    #expect(throws: ServerSettings.Invalid.unknownBackend("ftp")) {
      try ServerSettings.current(settings) { $0 == "TRUNK_BACKEND" ? "ftp" : environment[$0] }
    }
    try settings.set(server: nil)
    #expect(try ServerSettings.current(settings) { _ in nil } == nil)
  }
}

struct CurrentAccountTests {
  private let temporary = TemporaryFolder("accounts")
  private var folder: String { temporary.path }

  private func account(_ id: String) throws -> SignedInAccount {
    let serverSettings = try ServerSettings(backend: .trunk, url: "https://example.org", key: "")
    return SignedInAccount(account: Account(server: serverSettings.url, userID: id), serverSettings: serverSettings)
  }

  @Test func theAccountIsSavedAndRemoved() throws {
    let current = AccountFile(folder: folder)
    #expect(try current.load() == nil)
    try current.save(account("5f0c-A"))
    #expect(try AccountFile(folder: folder).load() == account("5f0c-A"))
    try current.save(nil)
    #expect(try current.load() == nil)
    #expect(try current.signOutNote() == nil)
    let deletable = DeletableCopies(copies: ["/home/a b;c"], backups: [], drafts: 1, superseded: 2)
    for note in [
      SignOutNote(account: "5f0c-A", copy: "/home/a b/garden.db", deletable: deletable),
      SignOutNote(account: "5f0c-A", copy: "/home/a b/garden.db"),
    ] {
      try current.save(nil, note: note)
      #expect(try current.load() == nil)
      #expect(try current.signOutNote() == note)
    }
  }

  /// The message about a sign-out may stay open for any time.
  @Test func forgettingASignOutKeepsALaterSignIn() throws {
    let current = AccountFile(folder: folder)
    let (note, later) = (SignOutNote(account: "a", copy: "/1"), SignOutNote(account: "a", copy: "/2"))
    try current.save(account("b"))
    try current.replace(note, with: nil)
    #expect(try current.load() == account("b"))
    try current.save(nil, note: later)
    try current.replace(note, with: nil)
    #expect(try current.signOutNote() == later)
    try current.replace(later, with: nil)
    #expect(try current.signOutNote() == nil)
  }

  /// A truncated file must not open another account's garden.
  @Test func aTruncatedFileDoesNotMeanSignedOut() throws {
    let current = AccountFile(folder: folder)
    try current.save(account("5f0c-A"))
    let text = try String(contentsOfFile: folder + "/account.conf", encoding: .utf8)
    for length in [0, 1, 9, 10, text.utf8.count / 2] {
      try String(text.prefix(length)).write(toFile: folder + "/account.conf", atomically: true, encoding: .utf8)
      #expect(throws: Settings.Unreadable.self, "\(length)") { try current.load() }
    }
    try current.save(nil)
    #expect(try current.load() == nil)
  }

  @Test(arguments: ["../../etc", "a/b", "", "local", "signed-out", ".", String(repeating: "a", count: 65), "ä"])
  func aServerCanNotChooseAnotherFolder(_ id: String) throws {
    let current = AccountFile(folder: folder)
    try current.save(account(id))
    #expect(throws: Settings.Unreadable.self) { try current.load() }
  }

  @Test func aDanglingLinkDoesNotMeanSignedOut() throws {
    let current = AccountFile(folder: folder)
    #expect(try current.load() == nil)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/account.conf", withDestinationPath: folder + "/not-mounted/account.conf")
    #expect(throws: Settings.Unreadable.self) { try current.load() }
  }

  /// Opening a pipe waits for a writer.
  @Test func aPipeDoesNotStopTheProgram() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(mkfifo(folder + "/account.conf", 0o600) == 0)
    #expect(throws: Settings.Unreadable.self) { try AccountFile(folder: folder).load() }
  }

  @Test func aFolderInItsPlaceIsNamed() throws {
    try FileManager.default.createDirectory(atPath: folder + "/account.conf", withIntermediateDirectories: true)
    do {
      _ = try AccountFile(folder: folder).load()
      Issue.record("it was read")
    } catch let error as Settings.Unreadable {
      #expect(error.detail == String(cString: strerror(EISDIR)))
    }
  }

  @Test func aLinkToTheFileIsFollowed() throws {
    try AccountFile(folder: folder + "/elsewhere").save(account("5f0c-A"))
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/account.conf", withDestinationPath: "elsewhere/account.conf")
    #expect(try AccountFile(folder: folder).load() == account("5f0c-A"))
  }

  @Test func anIncompleteFileDoesNotMeanSignedOut() throws {
    let current = AccountFile(folder: folder)
    try current.save(account("5f0c-A"))
    for text in ["[account]\nuser=5f0c\n", "no key file", "[account]\nuser=x\nserver=https://e.org\nbackend=ftp\n"] {
      try text.write(toFile: folder + "/account.conf", atomically: true, encoding: .utf8)
      #expect(throws: Settings.Unreadable.self) { try current.load() }
    }
  }
}
