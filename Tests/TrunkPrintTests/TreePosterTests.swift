import CairoKit
import TestSupport
import Testing
import TrunkDemo
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

  /// Everywhere and at any second of the reset day: the poster of a garden can be compared byte by byte.
  @Test func aPosterIsTheSameAllDay() async throws {
    let fixture = try await GardenFixture()
    try await fixture.plant("The cello", season: .oneMonth)
    let garden = fixture.model.garden
    let start = garden.zone.start(of: garden.zone.dayKey(fixture.model.now))
    func file(_ second: Int64) throws -> [UInt8] {
      // cairo numbers the parts of an SVG file through all files of a process.
      var poster = try #require(TreePoster(path: "tree.png"))
      (poster.width, poster.height) = (600, 400)
      let now = start.adding(seconds: second)
      poster.yearShare = garden.zone.seasonShare(at: now, isSouthern: false)
      return try poster.file(TreeScene.Content(garden, at: now))
    }
    let first = try file(0)
    #expect(try file(40_001) == first)
    #expect(try file(86_399) == first)
    #expect(try file(86_400) != first)
  }

  @Test func noLineIsThinnerThanAFifthOfAMillimetre() async throws {
    let fixture = try await GardenFixture()
    let demo = DemoGarden(years: 2, now: fixture.time.clock.now(), zone: fixture.time.zone)
    _ = try await fixture.model.importEvents(demo.events())
    var poster = TreePoster(.svg)
    poster.setSheet(width: 210, height: 148)
    poster.hasNames = false
    let svg = String(decoding: try poster.file(.init(fixture.model.garden, at: fixture.model.now)), as: UTF8.self)
    let widths = svg.matches(of: /stroke-width\s*[:=]\s*"?([0-9.]+)/).compactMap { Double($0.1) }
    #expect(widths.count > 50)
    #expect(try #require(widths.min()) * 25.4 / 72 > 0.199)
  }

  @Test(arguments: Surface.Format.allCases) func eachFormatIsThatOfItsFile(format: Surface.Format) async throws {
    let model = try await GardenFixture().model
    var poster = try #require(TreePoster(path: "tree." + format.rawValue))
    #expect(poster.format == format)
    (poster.width, poster.height) = (300, 200)
    let plain = try poster.file(TreeScene.Content(model.garden, at: model.now))
    poster.caption = "Ada · 21 November 2026"
    let captioned = try poster.file(TreeScene.Content(model.garden, at: model.now))
    #expect(plain != captioned)
    let begin: [Surface.Format: String] = [.svg: "<?xml", .png: "\u{89}PNG", .pdf: "%PDF"]
    #expect(captioned.starts(with: try #require(begin[format]).unicodeScalars.map { UInt8($0.value) }))
  }
}
