import CoreMetrics
import Synchronization

/// Keeps counters, gauges and histograms, and writes them in the text format 0.0.4 of Prometheus.
final class PrometheusRegistry: MetricsFactory {
  private struct Family {
    let kind: PrometheusKind
    /// Keyed by the text of the labels.
    var series: [String: any PrometheusSeries] = [:]
  }

  private let families = Mutex<[String: Family]>([:])
  /// What each metric is, by its name.
  private let help: [String: String]

  init(help: [String: String]) {
    self.help = help
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, dimensions, .counter, PrometheusCounter())
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, dimensions, .gauge, PrometheusGauge())
  }

  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    aggregate
      ? series(label, dimensions, .histogram, PrometheusHistogram())
      : series(label, dimensions, .gauge, PrometheusGauge())
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions, .histogram, PrometheusHistogram())
  }

  func destroyCounter(_ handler: any CounterHandler) { remove(handler) }

  func destroyMeter(_ handler: any MeterHandler) { remove(handler) }

  func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }

  func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

  /// All metrics, in the order of their names and labels.
  var text: String {
    let families = families.withLock { $0 }
    return families.sorted { $0.key < $1.key }.reduce(into: "") { out, family in
      let (name, family) = family
      if let help = help[name] { out += "# HELP \(name) \(Self.escaped(help, quote: false))\n" }
      out += "# TYPE \(name) \(family.kind.rawValue)\n"
      for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) { out += series.lines(name, labels) }
    }
  }

  /// The series with these labels; `new` if there is none yet. One of another kind is never replaced.
  private func series<Series: PrometheusSeries>(
    _ name: String, _ dimensions: [(String, String)], _ kind: PrometheusKind, _ new: Series
  ) -> Series {
    let labels = dimensions.map { "\($0.0)=\"\(Self.escaped($0.1, quote: true))\"" }.joined(separator: ",")
    return families.withLock { families in
      var family = families[name] ?? Family(kind: kind)
      if let known = family.series[labels] { return known as? Series ?? new }
      guard family.kind == kind else { return new }
      family.series[labels] = new
      families[name] = family
      return new
    }
  }

  private func remove(_ handler: AnyObject) {
    families.withLock { families in
      families = families.compactMapValues { family in
        var family = family
        family.series = family.series.filter { $0.value !== handler }
        return family.series.isEmpty ? nil : family
      }
    }
  }

  private static func escaped(_ text: String, quote: Bool) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    return quote ? escaped.replacing("\"", with: "\\\"") : escaped
  }
}

/// The type of a metric, as Prometheus names it.
enum PrometheusKind: String {
  case counter, gauge, histogram
}
