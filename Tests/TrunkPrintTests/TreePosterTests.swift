import CairoKit
import TestSupport
import Testing
import TrunkKit
import TrunkModel
import TrunkPrint

@MainActor
@Suite struct TreePosterTests {
  @Test func theCaptionHasTheChosenParts() async throws {
    let model = try await GardenFixture().model
    #expect(model.posterCaption(name: "Ada") == "Ada · 18 November 2026")
    #expect(model.posterCaption(name: "") == "18 November 2026")
    #expect(model.posterCaption(name: "Ada", hasDate: false) == "Ada")
    #expect(model.posterCaption(name: "", hasDate: false) == nil)
  }

  @Test(arguments: Surface.Format.allCases) func eachFormatIsThatOfItsFile(format: Surface.Format) async throws {
    let model = try await GardenFixture().model
    var poster = try #require(TreePoster(path: "tree." + format.rawValue))
    #expect(poster.format == format)
    (poster.width, poster.height) = (300, 200)
    let plain = try poster.file(model.garden, at: model.now)
    poster.caption = "Ada · 21 November 2026"
    let captioned = try poster.file(model.garden, at: model.now)
    #expect(plain != captioned)
    let begin: [Surface.Format: String] = [.svg: "<?xml", .png: "\u{89}PNG", .pdf: "%PDF"]
    #expect(captioned.starts(with: try #require(begin[format]).unicodeScalars.map { UInt8($0.value) }))
  }
}
