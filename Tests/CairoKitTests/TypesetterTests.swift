import CPango
import CairoKit
import Testing
import VectorGraphics

@Suite struct TypesetterTests {
  private let typesetter = Typesetter()

  private func text(_ text: String, maxLines: Int? = nil) -> TypesetText {
    let style = TextStyle(family: "Serif", size: 10, leading: 14, color: Color(0x000000))
    return TypesetText(text, style, width: 200, maxLines: maxLines)
  }

  /// Without breaks inside the word, this takes more than ten minutes.
  @Test func aVeryLongWordFillsItsLines() {
    let one = typesetter.lineCount(of: text(String(repeating: "x", count: 400)))
    let hundred = typesetter.lineCount(of: text(String(repeating: "x", count: 40_000)))
    #expect(one > 5)
    #expect(((one - 1) * 100...one * 100).contains(hundred))
    let paragraph = text("A key: " + String(repeating: "x", count: 40_000) + " and more.")
    #expect((hundred...hundred + 2).contains(typesetter.lineCount(of: paragraph)))
    #expect(typesetter.lineCount(of: text(String(repeating: "x", count: 40_000), maxLines: 3)) == 3)
  }

  @Test func aSpanChangesOnlyItsWords() throws {
    func width(_ text: String, _ spans: [TextSpan], language: String? = nil) throws -> Double {
      let style = TextStyle(family: "Serif", size: 10, leading: 14, color: Color(0x000000))
      let lines = typesetter.lines(of: TypesetText(text, style, width: 900, language: language, spans: spans))
      return try #require(lines.first).width
    }
    let plain = try width("An old word", [])
    for look in [TextSpan.Look.bold, .large, .monospaced] {
      #expect(try width("An old word", [TextSpan(3..<6, look)]) != plain, "\(look)")
    }
    // Soft hyphens that the text has, and those that are added to it, don't move a span.
    let long = "Donau\u{AD}dampfschifffahrtsgesellschaft und W"
    let last = try width("iiW", [TextSpan(2..<3, .large)]) - width("iiW", [])
    for language in [nil, "de"] {
      let spans = [TextSpan(long.unicodeScalars.count - 1..<long.unicodeScalars.count, .large)]
      let wider = try width(long, spans, language: language) - width(long, [], language: language)
      #expect(abs(wider - last) < 0.01)
    }
  }

  @Test func aLongTextIsDrawnInParts() throws {
    let long = text(String(repeating: "word ", count: 20_000))
    let count = typesetter.lineCount(of: long)
    let surface = try Surface(.pdf, width: 300, height: 800)
    for first in stride(from: 0, to: count, by: 50) {
      typesetter.draw(long, lines: first..<min(first + 50, count), x: 20, y: 20, on: surface.cairo)
      surface.showPage()
    }
    #expect(try surface.finish().count > count)
  }
}
