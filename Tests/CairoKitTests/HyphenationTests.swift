import Testing

@testable import CairoKit

@Suite struct HyphenationTests {
  /// A level before the patterns, as in German dictionaries, and comments.
  private let dictionary = Hyphenation(
    Array("UTF-8\n% comment\n1zzz\nNEXTLEVEL\nLEFTHYPHENMIN 2\nr1t\nn1s\n.un3\nt2e\n1ü\nga1\n".utf8))

  private func divided(_ text: String) -> String { dictionary.hyphenated(text).replacing("\u{AD}", with: "-") }

  @Test func longWordsAreDividedByPatterns() {
    #expect(divided("Gartenschere") == "Garten-schere")
    #expect(divided("überünglich") == "über-ünglich")
    #expect(divided("GARTENSCHERE, gartenschere!") == "GARTEN-SCHERE, garten-schere!")
  }

  @Test func shortWordsAndShortPartsStayWhole() {
    #expect(divided("Garten") == "Garten")
    #expect(divided("unserezeit") == "unserezeit", "no part of two letters")
    #expect(divided("zzzzzzzzzz") == "zzzzzzzzzz", "only the last level counts")
    #expect(divided("") == "")
  }

  @Test func notMoreThanOneLineInARowEndsWithAHyphen() {
    guard Hyphenation.of("de") != nil else { return }
    let style = TextStyle(family: "Serif", size: 10, leading: 14, color: .init(0))
    let text = String(repeating: "Donaudampfschifffahrtsgesellschaft Gartenbewässerungsanlage ", count: 20)
    let lines = Typesetter().lines(of: TypesetText(text, style, width: 160, language: "de")).map(\.text)
    #expect(lines.contains { $0.hasSuffix("\u{AD}") })
    for (line, next) in zip(lines, lines.dropFirst()) {
      #expect(!(line.hasSuffix("\u{AD}") && next.hasSuffix("\u{AD}")), "\(line) | \(next)")
    }
  }
}
