import CPango
import Testing
import VectorGraphics

@testable import CairoKit

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

  /// If each pass removed one hyphen, their number would grow with the text, and the time with its square.
  @Test func aLongParagraphIsDividedInAFewPasses() {
    let words = "con-sid-er-able under-stand-ing of respon-si-bil-i-ties and cir-cum-stan-ces "
      .replacing("-", with: "\u{AD}")
    func passes(_ count: Int, _ width: Double) -> Int {
      let typesetter = Typesetter()
      let long = TypesetText(String(repeating: words, count: count), text("").style, width: width)
      let ends = typesetter.lines(of: long).map { $0.text.unicodeScalars.last == "\u{AD}" }
      #expect(!zip(ends, ends.dropFirst()).contains { $0 && $1 })
      return typesetter.passes
    }
    // The fonts of this computer decide which lines end with a hyphen.
    let widths = [60.0, 77, 100, 110, 130, 160, 200]
    #expect(widths.contains { passes(50, $0) > 2 }, "there are hyphens in a row")
    #expect(widths.allSatisfy { passes(400, $0) < 30 })
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
      // Without a layout that is kept beside those of the other texts, the time grows with the square of the length.
      typesetter.draw(text("The head of a page"), x: 20, y: 2, on: surface.cairo)
      typesetter.draw(long, lines: first..<min(first + 50, count), x: 20, y: 20, on: surface.cairo)
      surface.showPage()
    }
    #expect(try surface.finish().count > count)
    #expect(typesetter.passes == 2)
  }
}
