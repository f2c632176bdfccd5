/// Sends requests by libcurl: TLS verified, HTTP/2 where the server has it, connections kept for the next request, no
/// redirects followed, no cookies, proxies as the environment names them.
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

  /// Sends a request and waits for its answer, whatever its status. A cancelled task aborts the transfer at once.
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
