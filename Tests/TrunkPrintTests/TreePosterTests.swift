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
    let date = try #require(model.posterCaption(hasName: false))
    #expect(date.contains("20"))
    #expect(model.posterCaption(hasName: false, hasDate: false) == nil)
    let name = model.posterName
    #expect(model.posterCaption(hasDate: false) == (name.isEmpty ? nil : name))
    #expect(model.posterCaption() == [name, date].filter { !$0.isEmpty }.joined(separator: " · "))
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
