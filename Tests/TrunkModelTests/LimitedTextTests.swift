import Testing
import TrunkModel

@Suite struct LimitedTextTests {
  private let accents = String(repeating: "\u{301}", count: 150)

  @Test func countsCharactersAndBytes() {
    let kind = LimitedText.leafName
    for fitting in ["", String(repeating: "é", count: 40), String(repeating: "👩‍👩‍👧‍👦", count: 40)] {
      #expect(kind.fits(fitting))
      #expect(kind.beginning(of: fitting) == fitting)
    }
    #expect(!kind.fits(String(repeating: "x", count: 41)))
    #expect(!kind.fits(String(repeating: "x" + accents, count: 5)))
    #expect(kind.byteLimit == 40 * 32)
  }

  @Test func theBeginningKeepsWholeCharacters() {
    let letter = "x" + accents
    let beginning = LimitedText.leafName.beginning(of: String(repeating: letter, count: 40))
    #expect(beginning == String(repeating: letter, count: 4))
    #expect(LimitedText.leafName.beginning(of: String(repeating: "x", count: 90)).count == 40)
  }
}
