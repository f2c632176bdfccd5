import EventStore
import FaultServer
import Foundation
import ServerProcess
import SyncBackends
import SyncEngine
import Synchronization
import Testing
import TrunkModel

@testable import SyncBackends

/// Tests both clients against the built server.
@Suite struct LiveServerTests {
  enum Backend: String, CaseIterable {
    case supabase, trunk

    func services(_ address: String) -> (events: any EventService, auth: any AccountService) {
      let client = HTTPClient(userAgent: "Trunk/test")
      switch self {
      case .supabase:
        let project = SupabaseProject(server: address, key: ServerProcess.key)
        return (project.events(client), project.auth(client))
      case .trunk: return (TrunkAPI(server: address).events(client), TrunkAPI(server: address).auth(client))
      }
    }
  }

  /// A signed-in user.
  private struct SignedInUser {
    let events: any EventService
    let auth: any AccountService
    let grant: Grant
    var token: AccessToken { AccessToken(grant.accessToken, userID: grant.userID) }

    init(_ backend: Backend, _ process: ServerProcess, at address: String? = nil, _ email: String) async throws {
      (events, auth) = backend.services(address ?? process.url)
      try await auth.requestCode(email: email)
      grant = try await auth.verify(email: email, code: process.code(for: email))
    }

    /// Reads all rows page by page, until a page is empty.
    func all(limit: Int) async throws -> [ServerRow] {
      var rows: [ServerRow] = []
      while true {
        let page = try await events.rows(after: rows.last?.position, limit: limit, token: token)
        if page.isEmpty { return rows }
        rows += page
      }
    }
  }

  private func events(_ range: Range<Int>) -> [OutgoingRow] {
    range.map { number in
      let instant = Instant(milliseconds: 1_770_647_527_000 + Int64(number))
      return OutgoingRow(
        Event(
          .sunShone(.init(twigID: "t", twigLabel: "T", content: "Grün, \"\(number)\"", prompt: nil)), at: instant,
          clientID: Event.clientID(at: instant, random: UInt32(number))))
    }
  }

  @Test(arguments: Backend.allCases) func signsInRefreshesAndSignsOut(backend: Backend) async throws {
    let process = try await ServerProcess()
    let signedIn = try await SignedInUser(backend, process, "ada@example.org")
    #expect(signedIn.grant.email == "ada@example.org" && !signedIn.grant.userID.isEmpty)
    #expect((60...3600).contains(signedIn.grant.expiresIn))
    #expect(try await signedIn.events.head(token: signedIn.token).count == 0)

    let next = try await signedIn.auth.refresh(signedIn.grant.refreshToken)
    #expect(next.refreshToken != signedIn.grant.refreshToken && next.userID == signedIn.grant.userID)
    #expect(next.email == "ada@example.org")
    let token = AccessToken(next.accessToken, userID: next.userID)
    try await signedIn.auth.signOut(token: token)
    try await signedIn.auth.signOut(token: token)  // a session that has already ended is not an error
    let result = await failure { () throws(ServiceFailure) in try await signedIn.auth.refresh(next.refreshToken) }
    guard case .sessionEnded = result else {
      Issue.record("\(String(describing: result))")
      return
    }
  }

  @Test(arguments: Backend.allCases) func theProfileIsChangedKeyByKey(backend: Backend) async throws {
    let process = try await ServerProcess()
    let signedIn = try await SignedInUser(backend, process, "ada@example.org")
    #expect(signedIn.grant.profile == [:])
    #expect(try await signedIn.auth.profile(token: signedIn.token) == [:])
    // Another client's data in the profile.
    let other = try await SignedInUser(.supabase, process, "ada@example.org")
    func members() async throws -> JSON? {
      try await process.request("GET", "/auth/v1/user", token: other.grant.accessToken).json()["user_metadata"]
    }
    let theirs = #"{"phone":"123","notifications":{"channel":"email","hours":[8,20]},"timezone":"Mars/Olympus"}"#
    _ = try await process.request(
      "PUT", "/auth/v1/user", json: #"{"data":\#(theirs)}"#, token: other.grant.accessToken)
    let notifications = try JSON(#"{"channel":"email","hours":[8,20]}"#)
    #expect(
      try await signedIn.auth.profile(token: signedIn.token)
        == [.timeZone: .string("Mars/Olympus"), .notifications: notifications])
    let changed = try await signedIn.auth.change(profile: [.name: .string("Ada \"Λ\"")], token: signedIn.token)
    let withoutZone: Profile.Values = [.name: .string("Ada \"Λ\""), .notifications: notifications]
    #expect(changed == withoutZone.merging([.timeZone: .string("Mars/Olympus")]) { $1 })
    #expect(try await signedIn.auth.change(profile: [.timeZone: .null], token: signedIn.token) == withoutZone)
    #expect(
      try await members()?.canonicalText
        == #"{"full_name":"Ada \"Λ\"","notifications":{"channel":"email","hours":[8,20]},"phone":"123"}"#)
    // The profile is also in refreshed tokens and in the next sign-in.
    #expect(try await signedIn.auth.refresh(signedIn.grant.refreshToken).profile == withoutZone)
    #expect(try await SignedInUser(backend, process, "ada@example.org").grant.profile?[.name] == .string("Ada \"Λ\""))
    #expect(try await SignedInUser(backend, process, "bob@example.org").grant.profile == [:])

    try await signedIn.auth.signOut(token: signedIn.token)
    let ended = await failure { () throws(ServiceFailure) in try await signedIn.auth.profile(token: signedIn.token) }
    #expect(ended == .sessionEnded(code: "session_not_found"))
    let forged = AccessToken(token(subject: signedIn.grant.userID), userID: signedIn.grant.userID)
    let rejected = await failure { () throws(ServiceFailure) in
      try await signedIn.auth.change(profile: [.name: .string("Eve")], token: forged)
    }
    guard case .unauthorized = rejected else {
      Issue.record("\(String(describing: rejected))")
      return
    }
  }

  @Test(arguments: Backend.allCases) func aWrongCodeOpensNoSession(backend: Backend) async throws {
    let process = try await ServerProcess()
    let (_, auth) = backend.services(process.url)
    try await auth.requestCode(email: "ada@example.org")
    let code = try await process.code(for: "ada@example.org")
    let wrong = code == "000000" ? "000001" : "000000"
    #expect(
      await failure { () throws(SignInFailure) in try await auth.verify(email: "ada@example.org", code: wrong) }
        == .wrongCode)
    _ = try await auth.verify(email: "ada@example.org", code: code)
    #expect(
      await failure { () throws(SignInFailure) in try await auth.verify(email: "ada@example.org", code: code) }
        == .wrongCode)
    #expect(
      await failure { () throws(SignInFailure) in try await auth.requestCode(email: "no address") } == .invalidAddress)
  }

  @Test(arguments: Backend.allCases) func rowsAreInsertedAndReadBack(backend: Backend) async throws {
    let process = try await ServerProcess()
    let signedIn = try await SignedInUser(backend, process, "ada@example.org")
    // Batches with one time each, larger than a page.
    for start in stride(from: 0, to: 2500, by: 500) {
      let receipts = try await signedIn.events.insert(events(start..<(start + 500)), token: signedIn.token)
      #expect(receipts.count == 500)
    }
    let last = events(2500..<2501)
    #expect(try await signedIn.events.insert(last, token: signedIn.token).count == 1)
    #expect(try await signedIn.events.insert(last + last, token: signedIn.token).isEmpty)
    #expect(try await signedIn.events.head(token: signedIn.token).count == 2501)
    for limit in [1000, 300] {
      let rows = try await signedIn.all(limit: limit)
      #expect(rows.count == 2501 && Set(rows.map(\.id)).count == 2501)
      #expect(
        Set(rows.map(\.event.canonicalText)) == Set(events(0..<2501).map(\.event.canonicalText)))
    }
    let found = try await signedIn.events.find(clientIDs: events(2450..<2550).map(\.clientID), token: signedIn.token)
    #expect(Set(found.map(\.clientID)) == Set(events(2450..<2501).map(\.clientID)))
    // All rows of one time, including its first.
    let rows = try await signedIn.all(limit: 1000)
    let position = Cursor(createdAt: rows[2000].createdAt, id: "")
    #expect(
      try await signedIn.events.rows(after: position, limit: 1000, token: signedIn.token).first?.id == rows[2000].id)

    try await signedIn.events.removeAll(token: signedIn.token)
    #expect(try await signedIn.events.head(token: signedIn.token).count == 0)
    #expect(try await signedIn.all(limit: 1000).isEmpty)
  }

  @Test(arguments: Backend.allCases) func oddEventsAreReadBackUnchanged(backend: Backend) async throws {
    let process = try await ServerProcess()
    let signedIn = try await SignedInUser(backend, process, "ada@example.org")
    let odd = try [
      #"{"type":"sprout_grafted","timestamp":"2026-02-09T14:32:07.000Z","n":1.50,"client_id":"a\"b\\c"}"#,
      #"{"type":"sun_shone","timestamp":"2026-02-09T14:32:07.000Z","content":"no name"}"#, #"{"type":"x"}"#,
    ].map { OutgoingRow(try Event(json: $0)) }
    #expect(try await signedIn.events.insert(odd, token: signedIn.token).count == 3)
    let rows = try await signedIn.all(limit: 10)
    #expect(Set(rows.map(\.event.canonicalText)) == Set(odd.map(\.event.canonicalText)))
    #expect(Set(rows.map(\.event.identity)) == Set(odd.map(\.clientID)))
    #expect(try await signedIn.events.find(clientIDs: odd.map(\.clientID), token: signedIn.token).count == 3)
  }

  /// An event is found only by its exact id, which other programs may have chosen.
  @Test(arguments: Backend.allCases) func oddNamesAreFound(backend: Backend) async throws {
    let process = try await ServerProcess()
    let signedIn = try await SignedInUser(backend, process, "ada@example.org")
    let names = [
      "a,b", "a", ",", "a)", "(", "\"", "\\", "a\\", "\"quoted\"", "a&client_id=c", "a b", "a+b", "%2C", "100%",
      "a\r\nb", "\t",
      "\u{E9}", "e\u{301}", "\u{301}", "\"\u{301}a", "\\\u{301}", ",\u{301}a", "\u{1F331}\u{FE0F}", "\u{202E}", "null",
      "*", ".", "%00",
      // The longest that trunk-server accepts: PostgreSQL can't index more.
      String(repeating: "long, ", count: 450),
    ]
    let rows = names.map { OutgoingRow(Event(.seedlingDeleted(.init(seedlingID: "s")), at: instant, clientID: $0)) }
    // One of them doesn't exist.
    #expect(try await signedIn.events.insert(Array(rows.dropFirst()), token: signedIn.token).count == names.count - 1)
    let found = try await signedIn.events.find(clientIDs: names, token: signedIn.token)
    #expect(Set(found.map { Array($0.clientID.utf8) }) == Set(names.dropFirst().map { Array($0.utf8) }))
    for name in names.dropFirst() {
      let found = try await signedIn.events.find(clientIDs: [name], token: signedIn.token)
      #expect(found.map { Array($0.clientID.utf8) } == [Array(name.utf8)], "\(name)")
    }
  }

  private let instant = Instant(milliseconds: 1_770_647_527_000)

  @Test(arguments: Backend.allCases) func usersAreIsolated(backend: Backend) async throws {
    let process = try await ServerProcess()
    let ada = try await SignedInUser(backend, process, "ada@example.org")
    let bob = try await SignedInUser(backend, process, "bob@example.org")
    _ = try await ada.events.insert(events(0..<3), token: ada.token)
    #expect(try await bob.events.head(token: bob.token).count == 0)
    #expect(try await bob.all(limit: 10).isEmpty)
    #expect(try await bob.events.find(clientIDs: events(0..<3).map(\.clientID), token: bob.token).isEmpty)
    let row = try #require(events(0..<1).first)
    #expect(try await ada.events.insertNew(row, token: ada.token) == nil)
    #expect(try await bob.events.insertNew(row, token: bob.token)?.clientID == row.clientID)
    try await bob.events.removeAll(token: bob.token)
    #expect(try await bob.events.head(token: bob.token).count == 0)
    #expect(try await ada.events.head(token: ada.token).count == 3)

    let forged = AccessToken(token(subject: ada.grant.userID), userID: ada.grant.userID)
    let result = await failure { () throws(ServiceFailure) in try await ada.events.head(token: forged).count }
    guard case .unauthorized = result else {
      Issue.record("\(String(describing: result))")
      return
    }
  }

  @Test(arguments: Backend.allCases) func lostAnswersStoreNothingTwice(backend: Backend) async throws {
    let process = try await ServerProcess()
    let port = try #require(process.url.split(separator: ":").last.flatMap { UInt16($0) })
    let fault = Mutex(Fault.none)
    let proxy = FaultProxy(to: port) { _ in fault.withLock { $0 } }
    let signedIn = try await SignedInUser(backend, process, at: proxy.address, "ada@example.org")
    fault.withLock { $0 = .lostAnswer }
    let rows = events(0..<10)
    #expect(
      await failure { () throws(ServiceFailure) in try await signedIn.events.insert(rows, token: signedIn.token) }
        == .unreachable(detail: "connection_lost"))
    fault.withLock { $0 = .none }
    #expect(try await signedIn.events.insert(rows, token: signedIn.token).isEmpty)
    #expect(try await signedIn.events.find(clientIDs: rows.map(\.clientID), token: signedIn.token).count == 10)

    // A truncated page is an error, wherever it is cut.
    for count in [0, 1, 20, 150, 400, 1000, 2000] {
      fault.withLock { $0 = .truncated(after: count) }
      let result = await failure { () throws(ServiceFailure) in
        try await signedIn.events.rows(after: nil, limit: 1000, token: signedIn.token)
      }
      #expect(result == .unreachable(detail: "connection_lost"), "after \(count) bytes")
    }
    for other in [
      Fault.answer(status: 200, body: "<html></html>"), .answer(status: 502), .answer(status: 302),
      .answer(status: 429, headers: ["Retry-After": "3"]),
    ] {
      fault.withLock { $0 = other }
      #expect(
        await failure { () throws(ServiceFailure) in
          try await signedIn.events.rows(after: nil, limit: 1000, token: signedIn.token)
        }?.isTransient == true)
    }
    fault.withLock { $0 = .none }
    #expect(try await signedIn.all(limit: 4).count == 10)
  }
}
