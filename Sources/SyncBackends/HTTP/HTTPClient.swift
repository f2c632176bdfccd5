import SyncEngine
import Synchronization
import TrunkModel

/// Sends requests with libcurl: verifies TLS, uses HTTP/2 where available, reuses connections, follows no redirects,
/// stores no cookies, and uses proxies from the environment.
public final class HTTPClient: Sendable {
  struct Settings: Sendable {
    let userAgent: String
    let authorities: String?
  }

  private let loop: TransferLoop
  private let now: @Sendable () -> Instant
  private let latestDifference = Mutex<ClockDifference?>(nil)

  /// - Parameter userAgent: for example `Trunk/1.0`.
  /// - Parameter authorities: a file of certificates to trust instead of the system's.
  public convenience init(userAgent: String, authorities: String? = nil) {
    self.init(Settings(userAgent: userAgent, authorities: authorities), timeAsleep: SleepClock.seconds)
  }

  init(
    _ settings: Settings, timeAsleep: @escaping @Sendable () -> Int,
    now: @escaping @Sendable () -> Instant = { SystemSyncClock().now }
  ) {
    self.now = now
    loop = TransferLoop(settings, timeAsleep: timeAsleep)
  }

  /// The difference between this computer's clock and the server's at the latest response; `nil` if they agree.
  public var clockDifference: ClockDifference? { latestDifference.withLock { $0 } }

  /// Sends a request and returns the response, whatever its status. Cancelling the task aborts the transfer
  /// immediately.
  public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let sent = now()
    let transfer = HTTPTransfer(request)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { loop.start(transfer, continuation: $0) }
    } onCancel: {
      loop.cancel(transfer)
    }
    let response = try result.get()
    // A cache repeats the date of an earlier response.
    if let date = response.date, response["age"] == nil {
      let difference = ClockDifference(date: date, sent: sent, received: now())
      latestDifference.withLock { $0 = difference }
    }
    return response
  }
}
