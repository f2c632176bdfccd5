import Testing
import TrunkKit

@Suite struct FoldingTests {
  @Test(arguments: [
    ("Übung", "ubung"), ("E\u{301}tude", "etude"), ("ÉTUDE", "etude"), ("straße", "strasse"), ("ﬁn", "fin"), ("", ""),
    ("Ærø Łódź", "aero lodz"), ("ışık İstanbul", "isik istanbul"), ("Ёлка е\u{308}лка", "елка елка"),
    ("Мой мои\u{306} мои", "мой мой мои"), ("日本", "日本"), ("Ångström", "angstrom"), ("plain text", "plain text"),
  ])
  func foldsCaseAndDiacritics(text: String, folded: String) {
    #expect(text.folded == folded)
  }
}
