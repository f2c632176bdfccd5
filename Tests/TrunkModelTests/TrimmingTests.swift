import Testing
import TrunkModel

@Suite struct TrimmingTests {
  @Test(arguments: [
    ("", ""), (" \n", ""), ("a", "a"), (" \t\u{A0}a b\r\n", "a b"),
    ("\u{FEFF}ada@example.org\u{FEFF}", "ada@example.org"),
    ("\u{301}", "\u{301}"),
  ])
  func removesSurroundingWhiteSpace(text: String, rest: String) {
    #expect(text.trimmed == rest)
  }
}
