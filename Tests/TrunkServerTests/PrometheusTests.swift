import CoreMetrics
import Testing

@testable import TrunkServer

/// Tests Prometheus's text format.
@Suite struct PrometheusTests {
  private let registry = PrometheusRegistry(help: ["a_total": "Line one\nand \\ \"two\"."])

  @Test func anEmptyRegistryIsAnEmptyText() {
    #expect(registry.text == "")
  }

  @Test func countersHaveHelpTypeAndSortedLabels() {
    Counter(label: "b_total", factory: registry).increment(by: 3)
    for (value, count) in [("z", 2), ("a", 1)] {
      Counter(label: "a_total", dimensions: [("name", value), ("other", "x")], factory: registry).increment(by: count)
    }
    #expect(
      registry.text == #"""
        # HELP a_total Line one\nand \\ "two".
        # TYPE a_total counter
        a_total{name="a",other="x"} 1
        a_total{name="z",other="x"} 2
        # TYPE b_total counter
        b_total 3

        """#)
  }

  @Test func valuesOfLabelsAreEscaped() {
    Counter(label: "b_total", dimensions: [("name", "a\"b\\c\nd")], factory: registry).increment()
    #expect(registry.text.hasSuffix(#"b_total{name="a\"b\\c\nd"} 1"# + "\n"))
  }

  @Test func equalMetricsShareTheirValue() {
    for _ in 1...3 { Counter(label: "b_total", factory: registry).increment() }
    let gauge = Meter(label: "c", factory: registry)
    gauge.set(5)
    Meter(label: "c", factory: registry).increment(by: 2.5)
    gauge.decrement()
    #expect(registry.text == "# TYPE b_total counter\nb_total 3\n# TYPE c gauge\nc 6.5\n")
  }

  @Test func aNameKeepsItsKind() {
    Counter(label: "x", factory: registry).increment()
    Meter(label: "x", factory: registry).set(7)
    Meter(label: "x", dimensions: [("a", "b")], factory: registry).set(7)
    #expect(registry.text == "# TYPE x counter\nx 1\n")
  }

  @Test func removedMetricsAreNotWritten() {
    let counter = Counter(label: "x", factory: registry)
    counter.increment()
    counter.destroy()
    #expect(registry.text == "")
  }

  @Test(arguments: [
    (1e15, "1000000000000000"), (0.25, "0.25"), (-3, "-3"), (Double.infinity, "+Inf"), (-Double.infinity, "-Inf"),
    (Double.nan, "NaN"),
  ])
  func numbersAreThoseOfPrometheus(_ value: Double, _ text: String) {
    Recorder(label: "x", aggregate: false, factory: registry).record(value)
    #expect(registry.text == "# TYPE x gauge\nx \(text)\n")
  }

  @Test func histogramsAreCumulative() throws {
    let timer = Timer(label: "x_seconds", dimensions: [("group", "a")], factory: registry)
    // The second one is exactly a bound, which belongs to its bucket.
    for nanoseconds in [400_000, 500_000, 15_000_000, 20_000_000_000] { timer.recordNanoseconds(nanoseconds) }
    let lines = registry.text.split(separator: "\n")
    #expect(lines[0] == "# TYPE x_seconds histogram")
    #expect(lines[1] == #"x_seconds_bucket{group="a",le="0.0005"} 2"#)
    #expect(lines.contains(#"x_seconds_bucket{group="a",le="0.01"} 2"#))
    #expect(lines.contains(#"x_seconds_bucket{group="a",le="0.02"} 3"#))
    #expect(lines.contains(#"x_seconds_bucket{group="a",le="10"} 3"#))
    #expect(lines[lines.count - 3] == #"x_seconds_bucket{group="a",le="+Inf"} 4"#)
    #expect(lines[lines.count - 2].hasPrefix(#"x_seconds_sum{group="a"} 20.015"#))
    #expect(lines[lines.count - 1] == #"x_seconds_count{group="a"} 4"#)
  }

  @Test func theServersMetricsStartAtZeroAndHaveHelp() {
    let registry = PrometheusRegistry(help: MetricName.allHelp)
    let metrics = ServerMetrics(registry)
    #expect(registry.text.contains(#"trunk_http_requests_total{group="auth",status="5xx"} 0"#))
    #expect(registry.text.contains(#"trunk_rejections_total{reason="disk_full"} 0"#))
    metrics.answered(.events, status: 429, nanoseconds: nil)
    metrics.answered(.live, status: 101, nanoseconds: 1_000_000)
    metrics.rejected(.rateLimit)
    metrics.stored(7)
    metrics.committed(.milliseconds(4))
    let text = registry.text
    for line in [
      #"trunk_http_requests_total{group="events",status="4xx"} 1"#,
      #"trunk_http_requests_total{group="live",status="1xx"} 1"#, #"trunk_rejections_total{reason="rate_limit"} 1"#,
      "trunk_events_stored_total 7", "trunk_commit_duration_seconds_count 1",
      #"trunk_http_request_duration_seconds_count{group="events"} 0"#,
      #"trunk_http_request_duration_seconds_count{group="live"} 1"#,
    ] {
      #expect(text.contains(line + "\n"), "\(line)")
    }
    #expect(text.matches(of: /# TYPE/).count == text.matches(of: /# HELP/).count)
  }
}
