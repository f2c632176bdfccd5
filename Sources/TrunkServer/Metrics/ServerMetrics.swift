import CoreMetrics

/// What the server counts for its administrator. Nothing is counted by account, address or client.
struct ServerMetrics: Sendable {
  /// Counts nothing.
  static let off = ServerMetrics(NOOPMetricsHandler.instance)

  private static let statusClasses = ["1xx", "2xx", "3xx", "4xx", "5xx"]

  /// By group of routes and the first digit of the status.
  private let requests: [[Counter]]
  private let durations: [Timer]
  private let rejections: [Counter]
  private let storedEvents: Counter
  private let commits: Timer

  /// Creates all series, so that each of them starts at 0: an alert needs the value before the first event.
  init(_ factory: any MetricsFactory) {
    requests = RouteGroup.allCases.map { group in
      ServerMetrics.statusClasses.map { status in
        Counter(
          label: MetricName.requests.rawValue, dimensions: [("group", group.rawValue), ("status", status)],
          factory: factory)
      }
    }
    durations = RouteGroup.allCases.map {
      Timer(label: MetricName.requestDuration.rawValue, dimensions: [("group", $0.rawValue)], factory: factory)
    }
    rejections = RejectionReason.allCases.map {
      Counter(label: MetricName.rejections.rawValue, dimensions: [("reason", $0.rawValue)], factory: factory)
    }
    storedEvents = Counter(label: MetricName.storedEvents.rawValue, factory: factory)
    commits = Timer(label: MetricName.commitDuration.rawValue, factory: factory)
  }

  /// - Parameter nanoseconds: the time between headers and response; `nil` if the headers were rejected.
  func answered(_ group: RouteGroup, status: Int, nanoseconds: Int64?) {
    let index = group.index
    requests[index][min(max(status / 100, 1), ServerMetrics.statusClasses.count) - 1].increment()
    if let nanoseconds { durations[index].recordNanoseconds(nanoseconds) }
  }

  func rejected(_ reason: RejectionReason) { rejections[reason.index].increment() }

  func stored(_ events: Int) { storedEvents.increment(by: events) }

  func committed(_ duration: Duration) { commits.recordNanoseconds(Int64(duration / .nanoseconds(1))) }
}

extension CaseIterable where Self: Equatable, AllCases.Index == Int {
  /// The place of the case.
  fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
