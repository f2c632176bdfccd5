/// Sends requests with libcurl: verifies TLS, uses HTTP/2 where available, reuses connections, follows no redirects,
/// stores no cookies, and uses proxies from the environment.
public final class HTTPClient: Sendable {
  struct Settings: Sendable {
    let userAgent: String
    let authorities: String?
  }

  private let loop: TransferLoop

  /// - Parameter userAgent: for example `Trunk/1.0`.
  /// - Parameter authorities: a file of certificates to trust instead of the system's.
  public convenience init(userAgent: String, authorities: String? = nil) {
    self.init(Settings(userAgent: userAgent, authorities: authorities), timeAsleep: SleepClock.seconds)
  }

  init(_ settings: Settings, timeAsleep: @escaping @Sendable () -> Int) {
    loop = TransferLoop(settings, timeAsleep: timeAsleep)
  }

  /// Sends a request and returns the response, whatever its status. Cancelling the task aborts the transfer
  /// immediately.
  public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let transfer = HTTPTransfer(request)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { loop.start(transfer, continuation: $0) }
    } onCancel: {
      loop.cancel(transfer)
    }
    return try result.get()
  }
}
