import Testing
import TrunkModel

@Suite struct TrimmingTests {
  @Test(arguments: [
    ("", ""), (" \n", ""), ("a", "a"), (" \t\u{A0}a b\r\n", "a b"),
    ("\u{FEFF}ada@example.org\u{FEFF}", "ada@example.org"),
    ("\u{301}", "\u{301}"), ("\u{200F}שלום\u{200F} ", "\u{200F}שלום\u{200F}"), ("a\0", "a\0"), ("❤️ ", "❤️"),
  ])
  func removesSurroundingWhiteSpace(text: String, rest: String) {
    #expect(text.trimmed == rest)
  }

  @Test(arguments: [
    "\0\0", "\u{200B}\u{200B}", "\u{1}\u{2}\u{1B}", "\u{FEFF}", "\u{AD}", " \u{200D}", "\u{2060}\u{200E}", "\u{FE0F}",
    "\u{3164}",
    "\u{7F}\u{85}", "\u{2028}\n",
  ])
  func aTextOfInvisibleCharactersIsEmpty(text: String) {
    #expect(text.trimmed.isEmpty)
  }
}
