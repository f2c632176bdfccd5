import Dispatch
import Foundation
import NIOCore
import NIOEmbedded
import SQLiteKit
import Synchronization
import TemporaryFolders
import Testing
import TrunkModel

@testable import TrunkServer

/// Runs tasks on the test's thread, when the test calls `run`.
private final class ManualExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func run() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

/// A client sends more than its share. The tests use a channel without a socket, and a time that only they advance.
@Suite final class DelayTests {
  private static let start = Microseconds(1_770_000_000_000_000)
  private static let secret = [UInt8](repeating: 7, count: 32)

  private let folder = TemporaryFolder("trunk-delay")
  private let store: ServerStore
  private let service: Service
  private let executor = ManualExecutor()
  private let channel: EmbeddedChannel

  init() throws {
    var configuration = ServerConfiguration(folder: folder.path, delivery: PrintedCodes())
    configuration.now = { DelayTests.start }
    store = try ServerStore(folder: folder.path, queryTime: .seconds(3600))
    service = Service(
      store: store, hub: RealtimeHub(limit: 1), secret: DelayTests.secret, configuration: configuration)
    let (pace, deadline, http) = (Pace(service.budget, client: nil), Deadline(), Listener.handlers())
    let last = RequestHandler(
      service: service, clients: Clients(limit: 1, budget: service.budget), pace: pace, deadline: deadline, http: http,
      executor: executor)
    channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandlers([pace, deadline] + http + [last])
    try channel.connect(to: SocketAddress(ipAddress: "203.0.113.7", port: 1)).wait()
  }

  deinit {
    // Best effort: tests may have closed the channel.
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  /// Counts bytes of the client.
  private func delay(_ bytes: Int) -> Double {
    service.budget.add(Double(bytes), of: .bytes, by: [.client("203.0.113.7")])
  }

  /// Sends a request of a client that has already sent too much, so that the response is delayed by `seconds`.
  private func request(delayedBy seconds: Int) throws {
    let most = 2 * ServerConfiguration.bodyLimit + seconds * 4 << 20
    // The request itself counts too.
    #expect(delay(most - 32 << 10) < Double(seconds))
    // Rejected without a task, so that nothing happens on another thread.
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

  /// Sends bytes of a client that may send only 100 KiB more at once.
  /// - Returns: whether the bytes count as more than that.
  private func isTooMuch(_ bytes: [UInt8], times: Int) throws -> Bool {
    let most = 2 * ServerConfiguration.bodyLimit
    #expect(delay(most - 100 << 10) == 0)
    let part = ByteBuffer(bytes: (0..<100).flatMap { _ in bytes })
    for _ in 0..<(times / 100) { try channel.writeInbound(part) }
    return delay(0) > 0
  }

  @Test func manySmallFramesCountAsMoreThanTheirBytes() throws {
    let upgrade = [
      "GET /realtime/v1/websocket?apikey=trunk HTTP/1.1", "Host: here", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    try channel.writeInbound(ByteBuffer(string: upgrade.joined(separator: "\r\n") + "\r\n\r\n"))
    #expect(try response().hasPrefix("HTTP/1.1 101 "))
    // Replaces the handlers.
    channel.embeddedEventLoop.run()
    let ping: [UInt8] = [0x89, 0x80, 0, 0, 0, 0]
    #expect(try isTooMuch(ping, times: 200))
  }

  @Test func manySmallChunksCountAsMoreThanTheirBytes() throws {
    try channel.writeInbound(
      ByteBuffer(string: "POST /auth/v1/otp HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"))
    #expect(try isTooMuch(Array("1\r\na\r\n".utf8), times: 2000))
  }

  /// The headers and the end of a request for an account's events.
  private func query(_ text: String, _ account: String) -> String {
    let user = User(id: account, email: "me@example.org", metadata: .object([]), at: DelayTests.start)
    let token = VerifiedToken.sign(
      user: user, sessionID: "s", issuedAt: DelayTests.start, life: 60, secret: DelayTests.secret)
    let lines = [
      "GET /rest/v1/events?\(text) HTTP/1.1", "Host: here", "apikey: trunk", "Authorization: Bearer \(token)",
    ]
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
  }

  /// Waits for the work of other threads.
  private func responses(_ count: Int) throws -> [String] {
    var text = ""
    let end = ContinuousClock.now + .seconds(60)
    while text.components(separatedBy: "HTTP/1.1 ").count <= count, .now < end {
      executor.run()
      let new = try response()
      text += new
      // The next request is delayed as well.
      if !new.isEmpty { channel.embeddedEventLoop.advanceTime(by: .seconds(2)) }
      sched_yield()
    }
    return text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0 }
  }

  @Test func aQueryOfAClientThatClosedItsSideMayWaitForItsTurn() throws {
    let (account, store, gate) = (RandomUUID.text(), store, DispatchSemaphore(value: 0))
    // One query of an account runs at a time.
    _ = Task(executorPreference: executor) {
      try await store.queries.read(Requester(account: account, client: "203.0.113.7")) { _ in gate.wait() }
    }
    executor.run()
    try channel.writeInbound(ByteBuffer(string: query("select=id&limit=1", account)))
    executor.run()
    #expect(store.queries.waitingCount == 1)
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    channel.embeddedEventLoop.advanceTime(by: .seconds(10))
    executor.run()
    #expect(try response() == "")
    #expect(store.queries.waitingCount == 1)
    gate.signal()
    #expect(try responses(1).first?.hasPrefix("200 ") == true)
  }

  @Test func aConnectionThatWouldWaitTooLongIsClosed() throws {
    try request(delayedBy: 8)
    #expect(!channel.isActive)
    #expect(try response() == "")
  }
}
