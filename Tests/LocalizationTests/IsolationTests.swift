import Localization
import Testing

@Suite struct IsolationTests {
  @Test(arguments: [
    "", "Cello", "Übung – “fast”", "日本語", "\u{2066}+0.05\u{2069}", "\u{2068}שלום\u{2069} · Core",
  ])
  func textsThatTurnNothingStay(_ text: String) { #expect(isolated(text) == text) }

  @Test func textsThatMayTurnTheLineAreIsolated() {
    #expect(isolated("שלום") == "\u{2068}שלום\u{2069}")
    #expect(isolated("\u{202E}abc") == "\u{2068}\u{202E}abc\u{2069}")
    #expect(isolated("one\n\u{202E}two\r\nthree") == "one\n\u{2068}\u{202E}two\u{2069}\r\nthree")
  }

  /// What a text leaves open is closed, and what it closes without opening it is opened.
  @Test(arguments: ["\u{2067}abc", "\u{2069}\u{202E}abc", "a\u{2069}\u{2066}b\u{2069}\u{2069}\u{2067}\u{2068}c"])
  func isolatesOfTheTextAreBalanced(_ text: String) {
    var depth = 0
    let scalars = isolated(text).unicodeScalars
    for (index, scalar) in scalars.enumerated() {
      switch scalar.value {
      case 0x2066...0x2068: depth += 1
      case 0x2069: depth -= 1
      default: break
      }
      #expect(depth > 0 || index == scalars.count - 1, "the outermost isolate ends with the text")
    }
    #expect(depth == 0)
    #expect(isolated(text).contains(text))
  }

  @Test func joinsAndPlaceholdersIsolateTheirParts() {
    let title = "\u{202E}abc"
    #expect(dotted([title, "", "Brain"]) == "\u{2068}\u{202E}abc\u{2069} · Brain")
    #expect(tr("Watered “{title}”", ["title": title]) == "Watered “\u{2068}\u{202E}abc\u{2069}”")
  }
}
