import CoreMetrics
import Synchronization

/// The values of one metric with one set of labels.
protocol PrometheusSeries: AnyObject, Sendable {
  /// - Parameter labels: `name="value"`, separated by commas; empty for none.
  func lines(_ name: String, _ labels: String) -> String
}

extension PrometheusSeries {
  fileprivate func line(_ name: String, _ labels: String, _ value: String) -> String {
    name + (labels.isEmpty ? "" : "{\(labels)}") + " \(value)\n"
  }

  /// A number as Prometheus reads it.
  fileprivate func text(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    // Without an exponent where it is exact: bytes and instants are easier to read.
    return Int64(exactly: value).map(String.init) ?? "\(value)"
  }
}

final class PrometheusCounter: PrometheusSeries, CounterHandler {
  private let value = Atomic<Int64>(0)

  func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }

  func reset() { value.store(0, ordering: .relaxed) }

  func lines(_ name: String, _ labels: String) -> String {
    line(name, labels, "\(value.load(ordering: .relaxed))")
  }
}

/// A value that goes up and down.
final class PrometheusGauge: PrometheusSeries, MeterHandler, RecorderHandler {
  private let value = Mutex(0.0)

  func set(_ value: Int64) { set(Double(value)) }

  func set(_ value: Double) { self.value.withLock { $0 = value } }

  func increment(by amount: Double) { value.withLock { $0 += amount } }

  func decrement(by amount: Double) { value.withLock { $0 -= amount } }

  func record(_ value: Int64) { set(value) }

  func record(_ value: Double) { set(value) }

  func lines(_ name: String, _ labels: String) -> String { line(name, labels, text(value.withLock { $0 })) }
}

/// Counts durations in seconds up to fixed bounds.
final class PrometheusHistogram: PrometheusSeries, TimerHandler, RecorderHandler {
  /// Half a millisecond is a query, 20 the limit of a short one, 3 seconds that of a long one; a client that is above
  /// its share waits for up to 8 seconds.
  static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 3, 10]

  private struct State {
    /// For each bound, and for what is above all.
    var counts = [Int](repeating: 0, count: bounds.count + 1)
    var sum = 0.0
  }

  private let state = Mutex(State())

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    let place = Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count
    state.withLock { state in
      state.counts[place] += 1
      state.sum += value
    }
  }

  func lines(_ name: String, _ labels: String) -> String {
    let state = state.withLock { $0 }
    var (out, total) = ("", 0)
    for (bound, count) in zip(Self.bounds + [.infinity], state.counts) {
      total += count
      out += line(name + "_bucket", (labels.isEmpty ? "" : labels + ",") + "le=\"\(text(bound))\"", "\(total)")
    }
    return out + line(name + "_sum", labels, text(state.sum)) + line(name + "_count", labels, "\(total)")
  }
}
