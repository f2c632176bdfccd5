import Foundation
import SQLiteKit
import Synchronization
import TemporaryFolders
import Testing
import TrunkModel

@testable import TrunkServer

/// Records the codes that the server sends.
private final class SentCodes: CodeDelivery {
  private let codes = Mutex<[(address: String, code: String)]>([])

  func deliver(code: String, to address: String) { codes.withLock { $0.append((address, code)) } }

  func last(_ address: String) -> String? { codes.withLock { $0.last { $0.address == address }?.code } }

  var count: Int { codes.withLock { $0.count } }
}

/// Tests the rules of codes and sessions with a clock that is set by hand.
@Suite final class AccountTests {
  private let temporary = TemporaryFolder("accounts")
  private var folder: String { temporary.path }
  private let sentCodes = SentCodes()
  private let clock = ServerClock()
  private let secret = Secrets.bytes(32)
  private let store: ServerStore
  private var configuration: ServerConfiguration

  init() throws {
    store = try ServerStore(folder: temporary.path)
    configuration = ServerConfiguration(folder: temporary.path, delivery: sentCodes)
    configuration.now = { [clock] in clock.now }
  }

  private var accounts: Accounts {
    let budget = Budget(limitsRates: configuration.limitsRates, now: configuration.now)
    return Accounts(store: store, budget: budget, secret: secret, configuration: configuration)
  }

  private func signIn(_ accounts: Accounts, _ email: String = "a@example.org") async throws -> Accounts.Grant {
    try await accounts.requestCode(email: email, client: "c")
    return try await accounts.verify(email: email, code: #require(sentCodes.last(email)), kind: .supabase, client: "c")
  }

  private func outcome(_ body: () async throws -> some Any) async throws -> Accounts.Rejection? {
    do {
      _ = try await body()
      return nil
    } catch let rejection as Accounts.Rejection {
      return rejection
    }
  }

  private func wrong(_ code: String) -> String { code == "111111" ? "222222" : "111111" }

  @Test func aCodeIsValidForTenMinutes() async throws {
    let accounts = accounts
    try await accounts.requestCode(email: "a@example.org", client: "c")
    let code = try #require(sentCodes.last("a@example.org"))
    clock.advance(599)
    let grant = try await accounts.verify(email: "a@example.org", code: code, kind: .trunk, client: "c")
    #expect(grant.user.email == "a@example.org")
    #expect(
      try await outcome { try await accounts.verify(email: "a@example.org", code: code, kind: .trunk, client: "c") }
        == .wrongCode)
    clock.advance(61)
    try await accounts.requestCode(email: "a@example.org", client: "c")
    let late = try #require(sentCodes.last("a@example.org"))
    clock.advance(600)
    #expect(
      try await outcome { try await accounts.verify(email: "a@example.org", code: late, kind: .trunk, client: "c") }
        == .wrongCode)
  }

  @Test func aCodeIsSentAgainWhileItIsNewAndStaysValid() async throws {
    let accounts = accounts
    func ask(_ client: String) async throws -> Accounts.Rejection? {
      try await outcome { try await accounts.requestCode(email: "a@example.org", client: client) }
    }
    #expect(try await ask("c") == nil)
    let old = try #require(sentCodes.last("a@example.org"))
    #expect(try await ask("c") == .tooSoon(seconds: 60))
    #expect(try await ask("stranger") == nil, "the pause is the client's own")
    #expect(sentCodes.last("a@example.org") == old)
    clock.advance(300)
    #expect(try await ask("stranger") == nil)
    let new = try #require(sentCodes.last("a@example.org"))
    clock.advance(299)
    #expect(try await ask("c") == nil)
    #expect(sentCodes.last("a@example.org") == new && sentCodes.count == 4)
    _ = try await accounts.verify(email: "a@example.org", code: old, kind: .trunk, client: "c")
    #expect(
      try await outcome { try await accounts.verify(email: "a@example.org", code: new, kind: .trunk, client: "c") }
        == .wrongCode, "all codes are used")
  }

  @Test func manyRequestsSendFewMailsAndLeaveAValidCode() async throws {
    let accounts = accounts
    for second in 0..<1000 {
      try await accounts.requestCode(email: "a@example.org", client: "\(second)")
      try await accounts.requestCode(email: "unknown@example.org", client: "\(second)", creates: false)
      clock.advance(3)
      if second % 100 == 50 {
        let count = sentCodes.count
        try await accounts.requestCode(email: "a@example.org", client: "c")
        let code = try #require(sentCodes.last("a@example.org"))
        _ = try await accounts.verify(email: "a@example.org", code: code, kind: .trunk, client: "c")
        #expect(sentCodes.count <= count + 1)
      }
    }
    // 50 minutes, and ten sign-ins.
    #expect(sentCodes.count <= 6 * 6 + 10, "\(sentCodes.count)")
    try await accounts.requestCode(email: "unknown@example.org", client: "c")
    #expect(sentCodes.last("unknown@example.org") != nil, "requests that sent nothing don't count")
  }

  @Test(arguments: [true, false])
  func fiveWrongCodesLockKnownAndUnknownAddressesForTheClient(isKnown: Bool) async throws {
    let accounts = accounts
    if isKnown {
      _ = try await signIn(accounts)
      clock.advance(60)
    }
    func attempt(_ code: String, _ client: String = "stranger") async throws -> Accounts.Rejection? {
      try await outcome {
        try await accounts.verify(email: "a@example.org", code: code, kind: .trunk, client: client)
      }
    }
    func ask(_ client: String = "stranger") async throws -> Accounts.Rejection? {
      try await outcome { try await accounts.requestCode(email: "a@example.org", client: client) }
    }
    #expect(try await ask() == nil)
    var code = try #require(sentCodes.last("a@example.org"))
    for _ in 0..<4 { #expect(try await attempt(wrong(code)) == .wrongCode) }
    #expect(try await attempt(wrong(code)) == .locked(seconds: 900))
    #expect(try await attempt(code) == .locked(seconds: 900))
    #expect(try await attempt(code, "c") == nil, "the owner isn't locked out")
    for _ in 0..<5 { _ = try await attempt("x") }
    clock.advance(899)
    #expect(try await ask() == .locked(seconds: 1))
    clock.advance(1)
    #expect(try await ask() == nil)
    code = try #require(sentCodes.last("a@example.org"))
    #expect(try await attempt(code) == nil)
  }

  @Test func fiftyWrongCodesInAnHourLockTheAddress() async throws {
    let accounts = accounts
    func attempt(_ code: String, _ client: String) async throws -> Accounts.Rejection? {
      try await outcome {
        try await accounts.verify(email: "a@example.org", code: code, kind: .trunk, client: client)
      }
    }
    for number in 0..<49 {
      #expect(try await attempt("x", "\(number)") == .wrongCode)
      clock.advance(60)
    }
    try await accounts.requestCode(email: "a@example.org", client: "c")
    let code = try #require(sentCodes.last("a@example.org"))
    try await accounts.removeExpired()
    #expect(try await attempt("x", "more") == .locked(seconds: 3600))
    #expect(try await attempt(code, "c") == .locked(seconds: 3600))
    clock.advance(3600)
    try await accounts.requestCode(email: "a@example.org", client: "c")
    #expect(try await attempt(#require(sentCodes.last("a@example.org")), "c") == nil)
  }

  @Test func wrongCodesExpireAndARightOneResetsThem() async throws {
    let accounts = accounts
    for round in 0..<3 {
      try await accounts.requestCode(email: "a@example.org", client: "c")
      let code = try #require(sentCodes.last("a@example.org"))
      for _ in 0..<4 {
        #expect(
          try await outcome {
            try await accounts.verify(email: "a@example.org", code: wrong(code), kind: .trunk, client: "c")
          }
            == .wrongCode)
      }
      if round == 0 {
        clock.advance(900)
      } else {
        _ = try await accounts.verify(email: "a@example.org", code: code, kind: .trunk, client: "c")
        clock.advance(60)
      }
    }
  }

  /// A computer may start with a wrong clock, which is corrected once it has a network.
  @Test(arguments: [false, true]) func aClockThatWasAheadLocksNoUserOut(isCleanedUp: Bool) async throws {
    let (accounts, year) = (accounts, Int64(365 * 86_400))
    func attempt(_ code: String) async throws -> Accounts.Rejection? {
      try await outcome { try await accounts.verify(email: "a@example.org", code: code, kind: .trunk, client: "c") }
    }
    clock.advance(year)
    try await accounts.requestCode(email: "a@example.org", client: "c")
    let old = try #require(sentCodes.last("a@example.org"))
    for _ in 0..<5 { _ = try await attempt(wrong(old)) }
    #expect(try await attempt(old) == .locked(seconds: 900))
    clock.advance(-year)
    if isCleanedUp { try await accounts.removeExpired() }
    #expect(try await attempt(old) == .wrongCode, "it would be valid for a year")
    try await accounts.requestCode(email: "a@example.org", client: "c")
    let new = try #require(sentCodes.last("a@example.org"))
    #expect(sentCodes.count == 2)
    #expect(try await attempt(new) == nil)
  }

  @Test func aClockThatIsSetBackALittleChangesNothing() async throws {
    let accounts = accounts
    try await accounts.requestCode(email: "a@example.org", client: "c")
    let code = try #require(sentCodes.last("a@example.org"))
    for _ in 0..<5 {
      _ = try await outcome {
        try await accounts.verify(email: "a@example.org", code: wrong(code), kind: .trunk, client: "stranger")
      }
    }
    clock.advance(-5)
    try await accounts.removeExpired()
    #expect(
      try await outcome { try await accounts.requestCode(email: "a@example.org", client: "c") }
        == .tooSoon(seconds: 65))
    #expect(
      try await outcome { try await accounts.requestCode(email: "a@example.org", client: "stranger") }
        == .locked(seconds: 905))
    _ = try await accounts.verify(email: "a@example.org", code: code, kind: .trunk, client: "c")
  }

  /// Otherwise it could be used for a year, also after its session has ended.
  @Test func aTokenFromAClockThatWasAheadMustBeRenewed() async throws {
    let (accounts, year) = (accounts, Int64(365 * 86_400))
    let authority = Authority(keys: ["trunk"], secret: secret) { [clock] in clock.now }
    func token(_ grant: Accounts.Grant) -> String {
      VerifiedToken.sign(
        user: grant.user, sessionID: grant.sessionID, issuedAt: clock.now, life: 3600, secret: secret)
    }
    clock.advance(year)
    let grant = try await signIn(accounts)
    let early = token(grant)
    _ = try authority.token(early)
    clock.advance(-300)
    _ = try authority.token(early)
    clock.advance(300 - year)
    let fresh = Authority(keys: ["trunk"], secret: secret) { [clock] in clock.now }
    for authority in [authority, fresh] {
      #expect(throws: VerifiedToken.Problem.expired(seconds: 0)) { try authority.token(early) }
    }
    let renewed = try await accounts.refresh(grant.refreshToken, kind: .supabase)
    _ = try authority.token(token(renewed))
  }

  @Test func aUsedTokenFromAClockThatWasAheadEndsTheSession() async throws {
    let (accounts, year) = (accounts, Int64(365 * 86_400))
    clock.advance(year)
    let first = try await signIn(accounts)
    let second = try await accounts.refresh(first.refreshToken, kind: .supabase)
    _ = try await accounts.refresh(second.refreshToken, kind: .supabase)
    clock.advance(-year)
    #expect(
      try await outcome { try await accounts.refresh(first.refreshToken, kind: .supabase) } == .tokenAlreadyUsed)
  }

  @Test func onlyAllowedAddressesGetCodes() async throws {
    configuration.allowed = ["b@example.org", "@example.com"]
    let accounts = accounts
    for (email, enters) in [
      ("a@example.org", false), ("b@example.org", true), ("x@example.com", true), ("x@notexample.com", false),
    ] {
      try await accounts.requestCode(email: email, client: "c")
      #expect((sentCodes.last(email) != nil) == enters, "\(email)")
    }
    try await accounts.requestCode(email: "new@example.com", client: "c", creates: false)
    #expect(sentCodes.last("new@example.com") == nil)
  }

  @Test func anAccountThatIsNoLongerAllowedCanStillSignIn() async throws {
    let first = try await signIn(accounts)
    configuration.allowed = ["@example.com"]
    clock.advance(60)
    #expect(try await signIn(accounts).user.id == first.user.id)
  }

  @Test func aLostRefreshCanBeRepeatedAtAnyTime() async throws {
    let accounts = accounts
    let first = try await signIn(accounts)
    let second = try await accounts.refresh(first.refreshToken, kind: .supabase)
    for wait: Int64 in [9, 2, 59 * 86_400] {
      clock.advance(wait)
      // This also works on a restarted server.
      let again = try await self.accounts.refresh(first.refreshToken, kind: .supabase)
      #expect(again.refreshToken == second.refreshToken)
    }
    // All clients of the session got the same token, and it is valid.
    let third = try await accounts.refresh(second.refreshToken, kind: .supabase)
    #expect(third.refreshToken != second.refreshToken)
    #expect(try await accounts.refresh(second.refreshToken, kind: .supabase).refreshToken == third.refreshToken)
  }

  @Test func anOlderTokenWorksForTenSecondsThenEndsTheSession() async throws {
    let accounts = accounts
    let first = try await signIn(accounts)
    let second = try await accounts.refresh(first.refreshToken, kind: .supabase)
    let third = try await accounts.refresh(second.refreshToken, kind: .supabase)
    let fourth = try await accounts.refresh(third.refreshToken, kind: .supabase)
    clock.advance(9)
    #expect(try await accounts.refresh(first.refreshToken, kind: .supabase).refreshToken == fourth.refreshToken)
    clock.advance(1)
    #expect(try await outcome { try await accounts.refresh(second.refreshToken, kind: .trunk) } == .tokenNotFound)
    #expect(
      try await outcome { try await accounts.refresh(second.refreshToken, kind: .supabase) } == .tokenAlreadyUsed)
    for token in [first, second, third, fourth].map(\.refreshToken) {
      #expect(try await outcome { try await accounts.refresh(token, kind: .supabase) } == .tokenNotFound)
    }
  }

  @Test func tokensCannotBeDerivedWithoutTheServersKey() throws {
    let token = RefreshToken(sessionID: "s")
    #expect(token.next(secret) == token.next(secret))
    #expect(token.next(secret) != token.next(Secrets.bytes(32)))
    #expect(token.next(secret).secret != RefreshToken(sessionID: "s").next(secret).secret)
    #expect(RefreshToken(token.next(secret).text) == token.next(secret))
  }

  /// Lets the server run for some days.
  private func pass(days: Int, isCleanedUp: Bool = true) async throws {
    for _ in 0..<days {
      clock.advance(86_400)
      if isCleanedUp {
        try await accounts.removeExpired()
      } else {
        try await store.commits.commit { [clock] in try Accounts.followClock(clock.now, $0) }
      }
    }
  }

  /// A computer may start with a wrong clock, ahead or behind, or after it was off for months. All users would have to
  /// sign in again.
  @Test(arguments: [-20 * 365, -90, 90, 20 * 365], [false, true])
  func aStepOfTheClockEndsNoSession(days: Int64, isUsedMeanwhile: Bool) async throws {
    let accounts = accounts
    var grant = try await signIn(accounts)
    var idle = try await signIn(accounts, "b@example.org")
    try await pass(days: 50)
    for step in [days * 86_400, -days * 86_400] {
      clock.advance(step)
      if isUsedMeanwhile { grant = try await accounts.refresh(grant.refreshToken, kind: .supabase) }
      try await accounts.removeExpired()
    }
    grant = try await accounts.refresh(grant.refreshToken, kind: .supabase)
    idle = try await accounts.refresh(idle.refreshToken, kind: .supabase)
    // The time without use is not counted from the wrong time on either.
    try await pass(days: 61)
    for ended in [grant, idle] {
      #expect(
        try await outcome { try await accounts.refresh(ended.refreshToken, kind: .supabase) } == .tokenNotFound)
    }
  }

  @Test func aSessionEndsAfterSixtyDaysWithoutUse() async throws {
    let accounts = accounts
    var grant = try await signIn(accounts)
    for _ in 0..<3 {
      try await pass(days: 59)
      grant = try await accounts.refresh(grant.refreshToken, kind: .supabase)
    }
    try await pass(days: 60, isCleanedUp: false)
    clock.advance(1)
    let token = grant.refreshToken
    #expect(try await outcome { try await accounts.refresh(token, kind: .supabase) } == .sessionExpired)
    #expect(try await outcome { try await accounts.refresh(token, kind: .supabase) } == .tokenNotFound)
  }

  @Test func aSessionRemembersALimitedNumberOfTokens() async throws {
    let accounts = accounts
    let first = try await signIn(accounts)
    try await store.commits.commit { [clock] database in
      try database.execute(
        """
        WITH RECURSIVE numbers (n) AS (SELECT -3000 UNION ALL SELECT n + 1 FROM numbers WHERE n < 0)
        INSERT INTO refresh_tokens SELECT ?, n, 'x', ? FROM numbers
        """, .text(first.sessionID), .integer(clock.now.value))
    }
    _ = try await accounts.refresh(first.refreshToken, kind: .supabase)
    let counters = try await store.reader.read { database in
      try database.first("SELECT min(counter), max(counter) FROM refresh_tokens") { [$0.integer(0), $0.integer(1)] }
    }
    #expect(counters == [3 - ServerConfiguration.tokensPerSession, 2])
  }

  @Test func concurrentRefreshesReturnTheSameToken() async throws {
    let accounts = accounts
    let first = try await signIn(accounts)
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<16 {
        group.addTask { try await accounts.refresh(first.refreshToken, kind: .supabase).refreshToken }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(tokens.count == 1)
    _ = try await accounts.refresh(#require(tokens.first), kind: .supabase)
  }

  @Test func noSecretIsStoredInPlainText() async throws {
    let accounts = accounts
    var grant = try await signIn(accounts)
    grant = try await accounts.refresh(grant.refreshToken, kind: .supabase)
    try await accounts.requestCode(email: "b@example.org", client: "c")
    let secrets = [
      try #require(RefreshToken(grant.refreshToken)).secret,
      "\"" + (try #require(sentCodes.last("b@example.org"))) + "\"",
    ]
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(files.contains("trunk-server.db-wal"))
    for file in files {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
      for secret in secrets { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file)") }
      let mode = try FileManager.default.attributesOfItem(atPath: folder + "/" + file)[.posixPermissions] as? Int
      #expect((mode ?? 0o777) & 0o077 == 0, "\(file)")
    }
    let hash = try await store.reader.read { try $0.first("SELECT hash FROM refresh_tokens", map: { $0.text(0) }) }
    #expect(hash?.hasPrefix("$2b$") == true)
  }

  @Test func expiredDataIsDeleted() async throws {
    let accounts = accounts
    _ = try await signIn(accounts)
    _ = try await outcome {
      try await accounts.verify(email: "x@example.org", code: "000000", kind: .trunk, client: "c")
    }
    try await pass(days: 62)
    for table in ["codes", "code_requests", "failures", "sessions", "refresh_tokens"] {
      #expect(try await store.reader.read { try $0.integer("SELECT count(*) FROM \(table)") } == 0, "\(table)")
    }
    #expect(try await store.reader.read { try $0.integer("SELECT count(*) FROM users") } == 1)
  }

  @Test func requestsAreCountedPerClient() throws {
    let budget = Budget { [clock] in clock.now }
    func request(_ peer: String) -> Request {
      Request(method: "POST", path: "/", query: "", headers: [:], body: [], peer: peer)
    }
    for _ in 0..<30 { try budget.count(.codes, request("1.2.3.4")) }
    #expect(throws: AuthError.tooManyRequests) { try budget.count(.codes, request("1.2.3.4")) }
    try budget.count(.codes, request("1.2.3.5"))
    try budget.count(.attempts, request("1.2.3.4"))
    clock.advance(10)
    try budget.count(.codes, request("1.2.3.4"))
    #expect(throws: AuthError.tooManyRequests) { try budget.count(.codes, request("1.2.3.4")) }
  }

  @Test func backupsAreCompleteAndOldOnesAreRemoved() async throws {
    let accounts = accounts
    _ = try await signIn(accounts)
    let path = try ServerBackup.write(folder: folder)
    let copy = try Database(path: path, mode: .readOnly, busyTimeout: 0)
    #expect(try copy.integer("SELECT count(*) FROM users WHERE email = 'a@example.org'") == 1)
    for day in 10..<30 {
      try Data().write(to: URL(fileURLWithPath: folder + "/backups/trunk-server-2020-01-\(day)T000000000Z.db"))
    }
    try ServerBackup.writeIfDue(folder: folder, hours: 24)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/backups").count == 21, "the newest is new")
    try ServerBackup.write(folder: folder)
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder + "/backups")
    #expect(kept.count == 14)
    #expect(kept.contains(URL(fileURLWithPath: path).lastPathComponent))
    #expect(throws: ServerProblem.self) { try ServerBackup.write(folder: self.folder, to: path) }
  }
}

@Suite struct MicrosecondsTests {
  @Test(arguments: [
    ("2026-02-09T14:32:07.123456+00:00", "2026-02-09T14:32:07.123456+00:00"),
    ("2026-02-09T14:32:07.120Z", "2026-02-09T14:32:07.12+00:00"), ("2026-02-09 14:32:07", "2026-02-09T14:32:07+00:00"),
    ("2026-02-09T14:32:07.1234567-05:30", "2026-02-09T20:02:07.123457+00:00"),
    ("2024-02-29", "2024-02-29T00:00:00+00:00"), ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5+00:00"),
    ("2000-03-01T00:00:00+01", "2000-02-29T23:00:00+00:00"),
  ])
  func readsAndWritesLikePostgreSQL(text: String, expected: String) {
    #expect(Microseconds(text)?.postgres == expected)
  }

  @Test(arguments: [
    "", "now", "2026-02-30T00:00:00Z", "2026-02-09T14:32:07.123456 00:00", "2026-02-09T25:00:00Z", "2026-2-9",
    "2026-02-09T14:32:07.Z", "2026-02-09T14:32:07+5",
  ])
  func rejectsInvalidInstants(text: String) {
    #expect(Microseconds(text) == nil)
  }
}
