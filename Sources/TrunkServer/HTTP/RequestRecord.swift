import NIOCore

/// Logs and counts answered requests, without anything that clients wrote.
struct RequestRecord {
  private let metrics: ServerMetrics
  /// When the headers of the current request arrived; `nil` if it has been answered.
  private var arrival: NIODeadline?

  init(_ metrics: ServerMetrics) {
    self.metrics = metrics
  }

  mutating func begin() { arrival = .now() }

  /// - Parameter request: `nil` if it was rejected before it was complete.
  mutating func end(_ response: Response, _ request: Request?) {
    let time = arrival.map { (NIODeadline.now() - $0).nanoseconds }
    arrival = nil
    let group = request.map { RouteGroup(path: $0.path) } ?? .other
    metrics.answered(group, status: response.status, nanoseconds: time)
    if let reason = response.rejection { metrics.rejected(reason) }
    ServerLog.log.debug(
      "a request was answered",
      metadata: [
        "group": "\(group.rawValue)", "method": "\(request?.knownMethod ?? "unknown")",
        "status": .stringConvertible(response.status), "microseconds": .stringConvertible(Int((time ?? 0) / 1000)),
      ])
  }
}
