import CEnchant

/// A dictionary of Enchant with the user's own words. Not thread-safe, like Enchant itself.
final class SpellDictionary {
  private let broker: OpaquePointer
  private let dictionary: OpaquePointer

  /// - Parameter language: a tag such as `de_DE`.
  /// - Returns: `nil` if there is no such dictionary.
  init?(_ language: String) {
    guard let broker = enchant_broker_init() else { return nil }
    guard let dictionary = enchant_broker_request_dict(broker, language) else {
      enchant_broker_free(broker)
      return nil
    }
    (self.broker, self.dictionary) = (broker, dictionary)
  }

  deinit {
    enchant_broker_free_dict(broker, dictionary)
    enchant_broker_free(broker)
  }

  /// Whether the dictionary knows a word. A word that can't be checked counts as known.
  func knows(_ word: String) -> Bool {
    withBytes(of: word) { enchant_dict_check(dictionary, $0, $1) <= 0 }
  }

  /// Similar words, the most similar first.
  func suggestions(for word: String) -> [String] {
    var count = 0
    guard let list = withBytes(of: word, { enchant_dict_suggest(dictionary, $0, $1, &count) }) else { return [] }
    defer { enchant_dict_free_string_list(dictionary, list) }
    return (0..<count).compactMap { list[$0].map { String(cString: $0) } }
  }

  /// Adds a word to the user's own dictionary of this language, which other programs also use.
  func add(_ word: String) {
    withBytes(of: word) { enchant_dict_add(dictionary, $0, $1) }
  }

  private func withBytes<Result>(of word: String, _ body: (UnsafePointer<CChar>, Int) -> Result) -> Result {
    word.withCString { body($0, word.utf8.count) }
  }

  /// The tags of all dictionaries of this computer, sorted.
  static var languages: [String] {
    guard let broker = enchant_broker_init() else { return [] }
    defer { enchant_broker_free(broker) }
    var tags: Set<String> = []
    withUnsafeMutablePointer(to: &tags) { tags in
      enchant_broker_list_dicts(
        broker,
        { tag, _, _, _, data in
          guard let tag, let data else { return }
          data.assumingMemoryBound(to: Set<String>.self).pointee.insert(String(cString: tag))
        }, tags)
    }
    return tags.sorted()
  }
}
