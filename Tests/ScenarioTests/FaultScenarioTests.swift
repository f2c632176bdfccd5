import EventStore
import FaultServer
import Foundation
import SyncEngine
import Synchronization
import TestSupport
import Testing
import TrunkModel

/// Unexpected responses of a server or a proxy never remove local entries.
@Suite struct FaultScenarioTests {
  /// A fault that replaces a page.
  enum Trouble: String, CaseIterable {
    case serverError, page, portal, tooMany, cut, cutInJSON, nothing, lost, noRows, otherJSON

    func fault(_ backend: Backend) -> Fault {
      switch self {
      case .serverError: .answer(status: 500, body: #"{"code":"XX000","message":"oops"}"#)
      case .page: .answer(status: 200, headers: ["Content-Type": "text/html"], body: "<html>Welcome</html>")
      case .portal: .answer(status: 302, headers: ["Location": "http://127.0.0.1:9/login"])
      case .tooMany: .answer(status: 429, headers: ["Retry-After": "3"])
      case .cut: .truncated(after: 2000)
      // Complete as HTTP, truncated as JSON.
      case .cutInJSON: .answer(status: 200, body: String(backend.emptyPage.dropLast()))
      case .nothing: .truncated(after: 0)
      case .lost: .lostRequest
      case .noRows: .answer(status: 200, body: backend.emptyPage)
      case .otherJSON: .answer(status: 200, body: "{}")
      }
    }
  }

  /// Every page except the first is empty, but the count is right. Few rows are missing.
  @Test(arguments: Backend.allCases) func aListThatEndsEarlyIsAnError(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    try server.file.insert(Event.waters(0..<1050), userID: computer.account.userID) {
      1_770_000_000_000_000 + Int64($0)
    }
    let problem = SyncProblem.service(.unintelligible(detail: "a list and a count that differ"))
    let cut = Fault.answer(status: 200, body: backend.emptyPage)
    let isLater = { @Sendable (target: String) in target.contains("or=") || target.contains("since=") }
    server.setFault { $0.kind == .page && isLater($0.target) ? cut : .none }
    #expect(await computer.engine.sync().problem == problem)
    #expect(await computer.engine.sync().problem == problem)
    #expect(try await computer.store.value(.initialSync) != nil)
    server.clearFault()
    #expect(await computer.engine.sync().problem == nil)
    #expect(try await computer.store.count() == 1050)
    server.setFault { $0.kind == .page && isLater($0.target) ? cut : .none }
    #expect(await computer.engine.sync(.allRows).problem == problem)
    #expect(try await computer.store.count() == 1050)
    server.clearFault()
    #expect(await computer.engine.sync().problem == nil)
  }

  @Test(arguments: Backend.allCases) func aFailedFullDownloadChangesNothing(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    try server.file.insert(Event.waters(0..<1201), userID: computer.account.userID) {
      1_770_000_000_000_000 + Int64($0)
    }
    #expect(await computer.engine.sync().fetched == 1201)
    // This event stays unsent, because the server accepts no inserts below.
    try await computer.write()
    let before = try await computer.texts()
    let insert = Fault.answer(status: 503)
    for trouble in Trouble.allCases {
      // A full download has two pages and an empty last one, for which "noRows" is the right answer.
      for number in trouble == .noRows ? [1, 2] : [1, 2, 3] {
        let count = Mutex(0)
        let fault = trouble.fault(backend)
        server.setFault { request in
          if request.kind == .insert { return insert }
          guard request.kind == .page else { return .none }
          let page = count.withLock { count in
            count += 1
            return count
          }
          return page == number ? fault : .none
        }
        // After a failed upload, the next attempt begins with fetching.
        repeat {
          #expect(await computer.engine.sync(.allRows).problem != nil, "\(trouble) \(number)")
        } while count.withLock { $0 < number }
        #expect(try await computer.texts() == before, "\(trouble) \(number)")
        #expect(try await computer.store.confirmedCount() == 1201)
        // The count of rows shows that something else answered, so this is not a remote loss.
        #expect(await computer.engine.status.remoteLoss == nil)
      }
    }
    #expect(computer.backups.all.isEmpty)
    server.clearFault()
    #expect(await computer.engine.sync(.allRows).problem == nil)
    #expect(try await computer.texts() == before)
    #expect(try await computer.pending() == 0)
  }

  @Test(arguments: Backend.allCases) func storedEventsWithUnusualIDsAreFound(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    let names = ["a,b", "a", "\"\u{301}", "\u{301})", "c\\", "&client_id=d"]
    _ = try await computer.store.append(names.map { .named($0) })
    server.setFault { $0.kind == .insert ? .lostAnswer : .none }
    #expect(await computer.engine.sync().problem?.code == "unreachable")
    #expect(try await computer.pending() == names.count)
    server.clearFault()
    #expect(await computer.engine.sync().pushed == names.count)
    let status = await computer.engine.status
    #expect(status.phase == .synced && status.rejected == 0)
  }

  /// A proxy answers every request with an empty list or object: nothing is rejected, renamed or removed, and nothing
  /// is shown as synced.
  @Test(arguments: Backend.allCases, ["[]", "{}", ""]) func aProxyWithEmptyResponsesChangesNothing(
    _ backend: Backend, body: String
  ) async throws {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    try await computer.write(5)
    await computer.engine.sync()
    try await computer.write(5)
    let before = try await computer.texts()
    server.setFault { _ in .answer(status: 200, headers: ["Content-Type": "application/json"], body: body) }
    for _ in 0..<3 {
      #expect(await computer.engine.sync().problem?.code == "unintelligible")
      #expect(await computer.engine.sync(.allRows).problem?.code == "unintelligible")
      #expect(await computer.engine.status.phase == .offline)
      try await computer.restart()
    }
    #expect(try await computer.texts() == before)
    #expect(try await computer.store.outboxItems().map(\.state) == Array(repeating: .pending, count: 5))
    #expect(try await computer.store.remoteLoss() == nil)
    server.clearFault()
    #expect(await computer.engine.sync().pushed == 5)
  }

  /// Two spellings of a letter are two IDs: if one was stored, the other was not.
  @Test(arguments: Backend.allCases) func idsAreComparedByTheirBytes(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let (ada, bob) = (try await server.computer(), try await server.computer("bob@example.org"))
    _ = try await bob.store.append([.named("e\u{301}")])
    await bob.engine.sync()
    _ = try await ada.store.append([.named("\u{E9}"), .named("e\u{301}")])
    await ada.engine.sync()
    let names = try server.file.clientIDs(userID: ada.account.userID).map { Array($0.utf8) }
    #expect(names.count == 2 && names.contains(Array("\u{E9}".utf8)))
    #expect(await ada.engine.status.phase == .synced)
  }

  /// A proxy with a size limit, such as nginx's 1 MB: small events pass, and large ones wait until the limit is raised.
  @Test(arguments: Backend.allCases, [413, 414]) func eventsTooLargeForAProxyWait(
    _ backend: Backend, code: Int
  ) async throws {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    let fault = Fault.answer(status: code, body: "<html>Request Entity Too Large</html>")
    server.setFault { $0.body.count > 100_000 ? fault : .none }
    try await computer.write(3)
    let large = Event.water(computer.clock.now, String(repeating: "x", count: 150_000), random: 1)
    _ = try await computer.store.append([large])
    try await computer.write(3)
    let report = await computer.engine.sync()
    #expect(report.problem == nil && report.pushed == 6)
    var status = await computer.engine.status
    #expect(status.pending == 1 && status.sendable == 0 && status.rejected == 0 && status.phase == .pendingUpload)
    #expect(try await computer.store.outboxItems().map(\.lastCode) == ["\(code)"])
    // Other events are still sent, and this one is retried only after an hour.
    try await computer.write()
    let before = server.requests(.insert)
    #expect(await computer.engine.sync().pushed == 1)
    #expect(server.requests(.insert) == before + 1)
    computer.clock.advance(seconds: 3601)
    #expect(await computer.engine.sync().pushed == 0)
    #expect(server.requests(.insert) == before + 2)
    server.clearFault()
    try await computer.restart()
    #expect(await computer.engine.sync().pushed == 1)
    status = await computer.engine.status
    #expect(status.phase == .synced && status.rejected == 0)
    #expect(try server.file.clientIDs(userID: computer.account.userID).count == 8)
  }

  /// Stored events are looked up by their ID, which may be too long for a URL. Then only that event waits.
  @Test(arguments: Backend.allCases) func eventsWithIDsTooLongForAProxyWaitAlone(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    let long = String(repeating: "n", count: 2600)
    _ = try await computer.store.append(["a", long, "b", long + "2", "c"].map { .named($0) })
    server.setFault { $0.kind == .insert ? .lostAnswer : .none }
    #expect(await computer.engine.sync().problem?.code == "unreachable")
    server.setFault { $0.target.utf8.count > 2000 ? .answer(status: 414, body: "<html></html>") : .none }
    try await computer.write(3)
    let report = await computer.engine.sync()
    #expect(report.problem == nil && report.pushed == 6 && report.fetched == 8)
    let status = await computer.engine.status
    #expect(status.rejected == 0)
    // The pull has fetched the events that couldn't be looked up.
    #expect(status.phase == .synced && status.pending == 0)
  }

  /// A proxy that rejects every upload gets few requests, and no event is treated as too large.
  @Test(arguments: Backend.allCases) func aProxyThatRejectsEveryUploadGetsFewRequests(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    await computer.engine.sync()
    try await computer.write(700)
    server.setFault { $0.kind == .insert ? .answer(status: 413) : .none }
    #expect(await computer.engine.sync().problem == .service(.tooLarge(status: 413)))
    #expect(server.requests(.insert) <= 6)
    let status = await computer.engine.status
    #expect(status.pending == 700 && status.sendable == 700 && status.rejected == 0)
    server.clearFault()
    #expect(await computer.engine.sync().pushed == 700)
  }

  /// An event that the server itself finds too large is rejected.
  @Test(arguments: Backend.allCases) func eventsTooLargeForTheServerAreRejected(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    try await computer.write(3)
    let large = Event.water(computer.clock.now, String(repeating: "x", count: 9 << 20), random: 1)
    _ = try await computer.store.append([large])
    #expect(await computer.engine.sync().pushed == 3)
    #expect(
      try await computer.store.outboxItems().map(\.lastAnswer) == [
        "413 request_entity_too_large: Request body is too large"
      ])
    #expect(await computer.engine.status.rejected == 1)
  }

  /// A server stops in the middle of a response.
  @Test(arguments: Backend.allCases) func aServerThatStopsAnsweringChangesNothing(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    try await computer.write(30)
    await computer.engine.sync()
    let before = try await computer.texts()
    server.setFault { $0.kind == .page ? .stalled(after: 900) : .none }
    #expect(await computer.engine.sync(.allRows).problem?.code == "unreachable")
    #expect(try await computer.texts() == before)
  }

  @Test(arguments: Backend.allCases) func anotherUsersTokenIsNeverSent(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    try await computer.write(5)
    await computer.engine.sync()
    let bob = try await server.signIn("bob@example.org")
    let session = StoredSession(
      account: computer.account, email: "", accessToken: bob.accessToken, refreshToken: bob.refreshToken,
      expiresAt: computer.clock.now.seconds + 3600)
    await computer.keeper.resume(session)
    let before = server.proxy.requests.count
    #expect(await computer.engine.sync(.allRows).problem?.code == "unintelligible")
    #expect(server.proxy.requests.count == before)
    #expect(try await computer.store.count() == 5)
  }

  @Test(arguments: Backend.allCases) func aTokenThatExpiresDuringASyncIsRenewed(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let grant = try await server.signIn()
    try server.file.insert(Event.waters(0..<2100), userID: grant.userID) { 1_770_000_000_000_000 + Int64($0) }
    // The device believes that its token is valid for another hour. From the second page on, the server receives an
    // expired one.
    let clock = TestClock()
    let expired = try server.file.token(like: grant.accessToken, until: Int64(Date().timeIntervalSince1970) - 3600)
    let computer = try await Computer(
      server.backend.service(server.proxy.address),
      StoredSession(
        account: Account(server: server.proxy.address, userID: grant.userID), email: grant.email,
        accessToken: grant.accessToken, refreshToken: grant.refreshToken, expiresAt: clock.now.seconds + 3600),
      clock: clock)
    let isExpired = Mutex(false)
    server.setFault { request in
      isExpired.withLock { isExpired in
        defer { if request.kind == .page { isExpired = true } }
        // A token renewed in the second in which it was issued is identical to the old one.
        if request.kind == .refresh { server.clearFault() }
        return isExpired && request.kind == .page ? .changed(headers: ["authorization": "Bearer " + expired]) : .none
      }
    }
    let report = await computer.engine.sync()
    #expect(report.problem == nil && report.fetched == 2100)
    #expect(try await computer.store.count() == 2100)
    #expect(server.requests(.refresh) == 1)
    #expect(await computer.vault.session(of: computer.account)?.refreshToken != grant.refreshToken)
  }

  @Test(arguments: Backend.allCases) func aRevokedSessionKeepsTheGarden(_ backend: Backend) async throws {
    let server = try await ProxiedServer(backend)
    let computer = try await server.computer()
    try await computer.write(5)
    await computer.engine.sync()
    // Another client ends this session.
    let token = try await computer.keeper.token()
    try await server.backend.service(server.process.url).account.signOut(token: token)
    computer.clock.advance(seconds: 3600)
    let report = await computer.engine.sync()
    guard case .service(.sessionEnded) = report.problem else {
      Issue.record("\(String(describing: report.problem))")
      return
    }
    #expect(await computer.engine.status.phase == .signedOut)
    #expect(await computer.vault.session(of: computer.account) == nil)
    try await computer.write()
    #expect(try await computer.store.count() == 6)
    await computer.engine.refreshFigures()
    #expect(await computer.engine.status.phase == .signedOut)
    // The server has ended the session, so it gets no further request.
    let before = server.proxy.requests.count
    await computer.engine.sync()
    #expect(server.proxy.requests.count == before)
    // Signing in again sends the waiting event.
    let grant = try await server.signIn()
    await computer.keeper.resume(StoredSession(grant, server: server.proxy.address, now: computer.clock.now))
    #expect(await computer.engine.sync().problem == nil)
    #expect(await computer.engine.status.phase == .synced)
    #expect(try server.file.clientIDs(userID: grant.userID).count == 6)
  }
}
