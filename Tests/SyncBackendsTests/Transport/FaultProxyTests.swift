import FaultServer
import Synchronization
import Testing

@testable import SyncBackends

/// Tests the proxy that other tests rely on.
@Suite struct FaultProxyTests {
  /// - Parameter total: see `HTTPLimits`. A busy computer may need seconds for an answer.
  private func result(_ fault: Fault, total: Int = 300_000) async -> (Result<HTTPResponse, HTTPFailure>, arrived: Int) {
    let server = FaultServer { request, connection in
      connection.answer(200, body: request.method == "HEAD" ? "" : request.text + " arrived")
    }
    let proxy = FaultProxy(to: server.port) { _ in fault }
    let client = HTTPClient(userAgent: "Trunk/test")
    let request = HTTPRequest(
      .post, proxy.address + "/a?b", body: Array("it".utf8), limits: HTTPLimits(stall: 300, total: total))
    do throws(HTTPFailure) {
      return (.success(try await client.send(request)), server.requests.count)
    } catch {
      return (.failure(error), server.requests.count)
    }
  }

  @Test func passesRequestsOn() async throws {
    let (result, arrived) = await result(.none)
    #expect(try result.get().body == Array("it arrived".utf8) && arrived == 1)
  }

  @Test func losesAndTruncates() async {
    for (fault, failure, arrived) in [
      (Fault.lostRequest, .connectionLost, 0), (.lostAnswer, .connectionLost, 1),
      (.truncated(after: 30), .connectionLost, 1),
      (.stalled(after: 30), .timedOut, 1),
    ] as [(Fault, HTTPFailure, Int)] {
      let (result, count) = await result(fault, total: failure == .timedOut ? 10_000 : 300_000)
      guard case .failure(failure) = result, count == arrived else {
        Issue.record("\(fault): \(result), \(count) arrived")
        continue
      }
    }
  }

  @Test func respondsItself() async throws {
    let (result, arrived) = await result(.answer(status: 429, headers: ["Retry-After": "5"], body: "later"))
    let answer = try result.get()
    #expect(answer.status == 429 && answer["retry-after"] == "5" && answer.body == Array("later".utf8))
    #expect(arrived == 0)
  }
}
