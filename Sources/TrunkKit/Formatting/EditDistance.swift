/// How much two words differ.
public enum EditDistance {
  /// The number of letters to add, remove, replace or swap with their neighbour (optimal string alignment).
  public static func between(_ word: String, _ other: String) -> Int {
    let (left, right) = (Array(word), Array(other))
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
