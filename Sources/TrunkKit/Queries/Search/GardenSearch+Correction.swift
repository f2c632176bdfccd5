import EventStore
import TrunkModel

extension GardenSearch {
  /// The search with each unknown word replaced by the nearest one of the garden, and each date by its filter; `nil` if
  /// this finds nothing either.
  func correction(of text: String, in garden: Garden, _ today: Day) async throws -> String? {
    let tokens = SearchToken.tokens(of: text)
    guard tokens.count <= Self.correctedTokens else { return nil }
    var (corrected, end) = ("", text.startIndex)
    for (index, token) in tokens.enumerated()
    where token.key == nil && !token.isExcluded && token.range.lowerBound >= end {
      let next = index + 1 < tokens.count ? tokens[index + 1] : nil
      let month = next.flatMap { GardenSearch.month(token, $0) }
      var word = month ?? (Period(token.value, today: today) == nil ? nil : "on:\(token.value)")
      if word == nil { word = try await nearestWord(to: token.value, in: garden) }
      guard let word else { continue }
      corrected += text[end..<token.range.lowerBound] + word
      end = (month == nil ? token : next ?? token).range.upperBound
    }
    guard end != text.startIndex else { return nil }
    corrected += text[end...]
    return try await count(of: corrected, in: garden, today) > 0 ? corrected : nil
  }

  /// The filter for a month that is written in words: `November 2007`, `nov 2007`.
  private static func month(_ name: SearchToken, _ year: SearchToken) -> String? {
    guard year.key == nil, let number = Int32(year.value), let first = Day(year: number, month: 1, day: 1) else {
      return nil
    }
    let month = (0..<Int32(12)).first { month in
      let day = first.adding(months: month)
      return [Formats.monthName(day), Formats.shortMonth(day)].contains { $0.folded == name.value.folded }
    }
    return month.map { "on:\(first.adding(months: $0).description.prefix(7))" }
  }

  /// The maximum number of words and filters of a search that is corrected. A longer one was pasted.
  private static var correctedTokens: Int { 8 }

  /// The nearest word of the garden as the user has spelled it: the most frequent one of those with the same distance.
  /// - Returns: `nil` if the word is known or the beginning of a known one, or if none is near.
  private func nearestWord(to typed: String, in garden: Garden) async throws -> String? {
    let words = Words(typed).words.map(\.folded)
    guard words.count == 1, let word = words.first, let limit = WordDistance.limit(for: word) else { return nil }
    let lengths = (word.unicodeScalars.count - limit)...(word.unicodeScalars.count + limit)
    var counts = try await store.vocabulary(lengths: lengths)
    let names = names(in: garden)
    for name in names.keys { counts[name, default: 0] += 1 }
    if counts[word] != nil { return nil }
    let near = counts.compactMap { known, count in
      WordDistance.between(word, known, limit: limit).map { (word: known, distance: $0, count: count) }
    }
    let best = near.min { ($0.distance, $1.count, $0.word) < ($1.distance, $0.count, $1.word) }
    guard let best else { return nil }
    return try await spelling(of: best.word) ?? names[best.word]
  }

  /// The words of the user's titles, names and notes, folded, each as it is written.
  private func names(in garden: Garden) -> [String: String] {
    let catalog = catalog(of: garden)
    let titles = [catalog.sprouts, catalog.leaves, catalog.seedlings].joined().flatMap(\.texts)
    let labels = garden.nodes.values.flatMap { [$0.label, $0.note] }.compactMap(\.self)
    var names: [String: String] = [:]
    for text in titles + labels {
      let bytes = Array(text.utf8)
      for word in Words(text).words { names[word.folded] = String(decoding: bytes[word.range], as: UTF8.self) }
    }
    return names
  }

  /// The word as the newest entry with it has it.
  private func spelling(of word: String) async throws -> String? {
    guard let found = try await store.matches(TextQuery([.init(word)])),
      let seq = try await store.newest(of: found.texts, limit: 1).first,
      let event = try await store.events(seqs: [seq]).first?.event
    else { return nil }
    let text = event.journalText.joined(separator: "\n")
    guard let range = Words(text).words.first(where: { $0.folded == word })?.range else { return nil }
    return String(decoding: Array(text.utf8)[range], as: UTF8.self)
  }
}

/// How far a misspelled word may be from the one that was meant.
private enum WordDistance {
  /// The shortest word that is corrected; of shorter ones, any other word is near.
  private static let shortest = 3
  private static let long = 6

  /// 1, or 2 for a word of six letters or more.
  static func limit(for word: String) -> Int? {
    word.count < shortest ? nil : word.count < long ? 1 : 2
  }

  static func between(_ word: String, _ other: String, limit: Int) -> Int? {
    guard abs(word.count - other.count) <= limit else { return nil }
    let distance = EditDistance.between(word, other)
    return distance <= limit ? distance : nil
  }
}
