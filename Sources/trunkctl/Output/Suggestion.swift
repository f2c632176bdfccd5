import Localization
import TrunkKit

/// Suggests a known name, such as that of a command, for a misspelled one.
enum Suggestion {
  /// The name that begins with `word`, otherwise the nearest one; `nil` if it differs by more than a third of the
  /// letters of `word`.
  static func nearest(to word: String, among names: [String]) -> String? {
    if let whole = names.first(where: { $0.hasPrefix(word) }) { return whole }
    let ranked = names.map { (name: $0, distance: EditDistance.between(word, $0)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance * 3 <= max(word.count, 3) ? best.name : nil
  }

  /// Asks whether the user meant `name`.
  static func question(_ name: String) -> String { tr("Did you mean “{name}”?", ["name": name]) }
}
