import Testing
import TrunkKit

@Suite struct FoldingTests {
  @Test(arguments: [
    ("Übung", "ubung"), ("E\u{301}tude", "etude"), ("ÉTUDE", "etude"), ("straße", "strasse"), ("ﬁn", "fin"), ("", ""),
    ("日本", "日本"), ("Ångström", "angstrom"), ("plain text", "plain text"),
  ])
  func foldsCaseAndDiacritics(text: String, folded: String) {
    #expect(text.folded == folded)
  }
}
