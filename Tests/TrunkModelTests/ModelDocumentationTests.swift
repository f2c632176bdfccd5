import TestSupport
import Testing
import TrunkModel

@Suite struct ModelDocumentationTests {
  @Test func theExamplesOfTheArticleWork() throws {
    let noon = Instant(milliseconds: 1_772_366_400_000)
    let planted = Event(
      .sproutPlanted(
        .init(
          sproutID: "sprout-1", twigID: "branch-0-twig-0", title: "Read a book", season: .twoWeeks,
          environment: .fertile, soilCost: Soil.cost(.twoWeeks, .fertile), leafID: "leaf-1")),
      at: noon, clientID: Event.clientID(at: noon, random: 1))
    let later = noon.adding(seconds: 60)
    let watered = Event(
      .sproutWatered(.init(sproutID: "sprout-1", content: "The first chapter.", prompt: nil)),
      at: later, clientID: Event.clientID(at: later, random: 2))

    let garden = Garden([watered, planted], zone: .utc)
    #expect(garden.sprout(id: "sprout-1")?.title == "Read a book")
    #expect(garden.available == 8.05)
    #expect(garden.waterLeft(at: later) == 2)

    let unknown = try Event(json: #"{"type":"pruned","timestamp":"2026-03-01T12:00:00.000Z"}"#)
    #expect(Garden([planted, unknown], zone: .utc).ignoredCount == 1)

    let file = ExportFile.encode([watered, planted], exportedAt: later)
    #expect(try ExportFile.decode(file).map(\.clientID) == [planted.clientID, watered.clientID])
  }

  @Test func theTestContainsEveryExample() throws {
    #expect(try untestedExamples(of: "Sources/TrunkModel/TrunkModel.docc/TrunkModel.md") == [])
  }
}
