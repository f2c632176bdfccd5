import Glibc
import TrunkModel

/// The names and the words of a year: how its entries differ from those of other years.
enum YearWords {
  /// At most as many names, and as many words.
  static let limit = 12

  /// A text or title.
  fileprivate struct Entry {
    let isOwn: Bool
    let words: [(folded: String, text: Substring, isInside: Bool, hasArticle: Bool)]
    let functionWords: Set<String>
    let isGerman: Bool
  }

  /// The use of a word in all years.
  private struct Use {
    /// The positions of the entries with it, ascending.
    var own = Set<Int>()
    var others = 0
    /// Its places in entries of the year.
    var places = 0
    /// Its places inside sentences, and those with a capital letter, and without an article in German.
    var inside = 0, capitals = 0, german = 0, bare = 0
    /// How it was written inside sentences, and how often.
    var spellings: [Substring: Int] = [:]
    var isFunctionWord = false
    var isInGerman = false

    var isName: Bool {
      capitals >= 2 && Double(capitals) >= 0.8 * Double(inside) && Double(bare) >= 0.7 * Double(german)
    }
    /// A word that only begins sentences has no capital letter but in German.
    var spelling: String {
      let most = spellings.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { String($0.key) } ?? ""
      return inside == 0 && !isInGerman ? most.lowercased() : most
    }
  }

  /// - Parameter entries: the whole journal, oldest first.
  static func find(_ entries: [TimelineEntry], _ garden: Garden, in years: ClosedRange<Int32>) -> (
    names: [String], words: [String]
  ) {
    let texts =
      entries.filter(\.item.isEntry).map { (year: $0.item.time.day.year, text: $0.text) }
      + garden.sprouts.map { (year: $0.plantedAt.day.year, text: $0.title) }
    let all = texts.map { Entry($0.text, isOwn: years.contains($0.year)) }
    let count = (own: all.count(where: \.isOwn), others: all.count { !$0.isOwn })
    let uses = uses(all)
    let names = uses.filter { isName($0.key, $0.value) && $0.value.places >= 2 }
      .sorted { ($1.value.places, $0.key) < ($0.value.places, $1.key) }.prefix(limit)
    let words = uses.filter { word, use in
      !use.isFunctionWord && !use.isName && use.own.count >= 3 && word.count > 2
        && !word.unicodeScalars.contains { $0.properties.numericType != nil } && !isRoman(word)
        && (count.others == 0 || share(use.own.count, count.own) >= 1.3 * share(use.others, count.others))
    }
    let ranked = words.map { (word: $0.key, use: $0.value, rank: rank($0.value, count)) }
      .sorted { ($1.rank, $0.word) < ($0.rank, $1.word) }
    return (names.map(\.value.spelling), distinct(ranked.map(\.use)))
  }

  private static func isName(_ word: String, _ use: Use) -> Bool {
    use.isName && !use.isFunctionWord && word.count > 1 && !isRoman(word)
  }

  /// Whether it is a number such as `XVII`.
  private static func isRoman(_ word: String) -> Bool { word.allSatisfy { "ivxlcdm".contains($0) } }

  private static func share(_ part: Int, _ whole: Int) -> Double { Double(part) / Double(max(whole, 1)) }

  /// Leaves out words that come from the same sentence as an earlier one.
  private static func distinct(_ uses: [Use]) -> [String] {
    var chosen: [Use] = []
    for use in uses where chosen.count < limit {
      let isNew = chosen.allSatisfy { $0.own.intersection(use.own).count * 2 < use.own.count }
      if isNew { chosen.append(use) }
    }
    return chosen.map(\.spelling)
  }

  /// The log-likelihood ratio over entries; in a first year how often it was used.
  private static func rank(_ use: Use, _ count: (own: Int, others: Int)) -> Double {
    if count.others == 0 { return Double(use.own.count) }
    let mean = Double(use.own.count + use.others) / Double(count.own + count.others)
    func part(_ observed: Int, _ whole: Int) -> Double {
      observed == 0 ? 0 : Double(observed) * log(Double(observed) / (mean * Double(whole)))
    }
    return 2 * (part(use.own.count, count.own) + part(use.others, count.others))
  }

  private static func uses(_ entries: [Entry]) -> [String: Use] {
    var uses: [String: Use] = [:]
    for (position, entry) in entries.enumerated() {
      var seen = Set<String>()
      for word in entry.words {
        var use = uses[word.folded, default: Use()]
        let isCapital = word.text.first?.isUppercase == true
        if entry.isOwn {
          use.places += 1
          use.own.insert(position)
        } else if seen.insert(word.folded).inserted {
          use.others += 1
        }
        if word.isInside {
          use.inside += 1
          if isCapital { use.capitals += 1 }
          if entry.isGerman { use.german += 1 }
          if entry.isGerman, !word.hasArticle { use.bare += 1 }
        }
        if entry.isGerman { use.isInGerman = true }
        use.spellings[word.text, default: 0] += word.isInside ? 100 : 1
        if entry.functionWords.contains(word.folded) { use.isFunctionWord = true }
        uses[word.folded] = use
      }
    }
    return uses
  }
}

extension YearWords.Entry {
  private static let articles = Set(
    """
    der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner dein deine sein seine seinen
    seinem seiner ihr ihre ihren ihrem ihrer unser unsere unseren unserem unserer kein keine keinen keinem im am zum zur
    beim vom ins ans aufs jeder jede jedes jeden jedem dieser diese dieses diesen diesem viel viele mehr alle
    """.split(whereSeparator: \.isWhitespace).map(String.init))
  private static let ends = Set(".!?…:“„\"»«—–-\n(".unicodeScalars.map(\.value))

  init(_ text: String, isOwn: Bool) {
    let found = Words(text).words
    (self.isOwn, functionWords) = (isOwn, StopWords.of(found, withCommon: true))
    isGerman = StopWords.language(of: found) == "de"
    let bytes = text.utf8
    var (last, end) = ("", bytes.startIndex)
    words = found.map { word in
      let start = bytes.index(bytes.startIndex, offsetBy: word.range.lowerBound)
      let next = bytes.index(bytes.startIndex, offsetBy: word.range.upperBound)
      defer { (last, end) = (word.folded, next) }
      let between = text[end..<start].unicodeScalars
      let isInside = end > bytes.startIndex && !between.contains { Self.ends.contains($0.value) }
      return (word.folded, text[start..<next], isInside, isInside && Self.articles.contains(last))
    }
  }
}
