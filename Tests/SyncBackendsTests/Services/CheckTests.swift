import FaultServer
import SyncEngine
import Testing

@testable import SyncBackends

/// Tests the check that runs before sign-in: whether the server can be used.
@Suite struct CheckTests {
  @Test(arguments: [
    (200, "[]", true),
    (401, #"{"code":"42501","message":"permission denied for table events","details":null,"hint":null}"#, true),
    (401, #"{"message":"Invalid API key","hint":"Double check it."}"#, false),
    (404, #"{"code":"PGRST205","message":"Could not find the table","details":null,"hint":null}"#, false),
    (200, "<html>Welcome to the hotel</html>", false), (302, "", false), (503, "", false), (404, "", false),
  ])
  func checksAProjectForItsTable(status: Int, body: String, isFit: Bool) async {
    let server = FaultServer { $1.answer(status, body: body) }
    let events = SupabaseProject(server: server.address, key: "publishable").events(HTTPClient(userAgent: "Trunk/test"))
    let found = await failure { () throws(ServiceFailure) in try await events.check() }
    #expect((found == nil) == isFit)
    #expect(server.requests.allSatisfy { $0.headers["apikey"] == "publishable" && $0.headers["authorization"] == nil })
  }

  @Test(arguments: [
    (401, #"{"code":"no_authorization","message":"Sign in."}"#, true), (200, #"{"eventCount":0}"#, false),
    (404, "", false), (200, "<html>", false), (502, "<html>", false),
  ])
  func checksATrunkServer(status: Int, body: String, isFit: Bool) async {
    let server = FaultServer { $1.answer(status, body: body) }
    let events = TrunkAPI(server: server.address).events(HTTPClient(userAgent: "Trunk/test"))
    let found = await failure { () throws(ServiceFailure) in try await events.check() }
    #expect((found == nil) == isFit)
  }

  @Test func reportsAnUnreachableServer() async {
    let events = TrunkAPI(server: "http://127.0.0.1:1").events(HTTPClient(userAgent: "Trunk/test"))
    let found = await failure { () throws(ServiceFailure) in try await events.check() }
    guard case .unreachable = found else { return #expect(Bool(false), "\(String(describing: found))") }
  }
}
