import Foundation
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import TrunkServer

/// A client that sends more than its share, on a connection without a socket, in a time that only the test advances.
@Suite final class DelayTests {
  private static let start = Microseconds(1_770_000_000_000_000)

  private let folder = NSTemporaryDirectory() + "trunk-delay-" + UUID().uuidString
  private let service: Service
  private let channel: EmbeddedChannel

  init() throws {
    var configuration = ServerConfiguration(folder: folder, delivery: PrintedCodes())
    configuration.now = { DelayTests.start }
    service = Service(
      store: try ServerStore(folder: folder), hub: RealtimeHub(limit: 1), secret: [], configuration: configuration)
    let (pace, deadline, http) = (Pace(limiter: service.limiter, client: nil), Deadline(), Listener.handlers())
    let last = RequestHandler(
      service: service, clients: Clients(limit: 1, limitPerClient: 1), pace: pace, deadline: deadline, http: http,
      executor: globalConcurrentExecutor)
    channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandlers([pace, deadline] + http + [last])
    try channel.connect(to: SocketAddress(ipAddress: "203.0.113.7", port: 1)).wait()
  }

  deinit {
    // Best effort: tests may have closed the channel, and the system clears its folder for temporary files.
    _ = try? channel.finish(acceptAlreadyClosed: true)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Sends a request of a client that has already sent so much that the response would come after `seconds`.
  private func request(delayedBy seconds: Int) throws {
    let most = 2 * ServerConfiguration.bodyLimit + seconds * 4 << 20
    // The request itself counts too.
    #expect(service.limiter.delay(most - 32 << 10, client: "203.0.113.7") < Double(seconds))
    // Refused without a task, so that nothing happens on another thread.
    try channel.writeInbound(ByteBuffer(string: "GET /realtime/v1/websocket HTTP/1.1\r\nHost: here\r\n\r\n"))
  }

  private func response() throws -> String {
    var text = ""
    while let part = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: part) }
    return text
  }

  @Test func aResponseWaitsUntilItsClientIsWithinItsShare() throws {
    try request(delayedBy: 7)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(6990))
    #expect(try response() == "")
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(20))
    #expect(try response().hasPrefix("HTTP/1.1 401 "))
    #expect(channel.isActive)
  }

  @Test func aConnectionThatWouldWaitTooLongIsClosed() throws {
    try request(delayedBy: 8)
    #expect(!channel.isActive)
    #expect(try response() == "")
  }
}
