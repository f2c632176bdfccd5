import SyncEngine
import Testing

@testable import TrunkAccount
@testable import TrunkKit

/// The messages about syncs that fail.
@Suite struct MessageTests {
  /// Waiting doesn't fix these errors.
  @Test(arguments: ["53400", "53100"]) func aFullServerIsNotReportedAsAnOutage(code: String) {
    let message = ServiceFailure.unavailable(status: 507, code: code, retryAfter: nil).message
    #expect(message.contains("full") && message.contains("administrator") && !message.contains("later"))
    #expect(message != ServiceFailure.unavailable(status: 503, code: "", retryAfter: nil).message)
  }

  @Test func aWrongAddressWithoutDetailsEndsWithASentence() {
    #expect(!ServiceFailure.misconfigured(status: 404, code: "", message: "").message.contains(":"))
    #expect(ServiceFailure.misconfigured(status: 404, code: "", message: "No table").message.hasSuffix(": No table"))
  }
}
