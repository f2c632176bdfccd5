import Localization

/// Suggests a known name, such as that of a command, for a misspelled one.
enum Suggestion {
  /// The name that begins with `word`, otherwise the nearest one; `nil` if it differs by more than a third of the
  /// letters of `word`.
  static func nearest(to word: String, among names: [String]) -> String? {
    if let whole = names.first(where: { $0.hasPrefix(word) }) { return whole }
    let ranked = names.map { (name: $0, distance: distance(Array(word), Array($0))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance * 3 <= max(word.count, 3) ? best.name : nil
  }

  /// Asks whether the user meant `name`.
  static func question(_ name: String) -> String { tr("Did you mean “{name}”?", ["name": name]) }

  /// The edit distance: the number of letters to add, remove, replace or swap with their neighbour (optimal string
  /// alignment).
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var rows = [Array(0...right.count)]
    for i in left.indices {
      var row = [i + 1]
      for j in right.indices {
        var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
