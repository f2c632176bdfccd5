import EventStore
import Foundation
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

/// A hidden entry is left out of what is found, printed and shown again; in its place it has no words.
@MainActor
@Suite struct HiddenEntryTests {
  /// A garden with two watered sprouts, the first of which is hidden, and the number of that entry.
  private func garden() async throws -> (fixture: GardenFixture, seq: Int64) {
    let fixture = try await GardenFixture()
    for (title, text) in [("Cello", "Along the river"), ("Bread", "The river again")] {
      let sprout = try await fixture.plant(title)
      try await fixture.model.water(sprout, text: text, question: "Which \(title)?")
    }
    let seq = try #require(fixture.model.garden.journal.first?.seq)
    try await fixture.model.setHidden(true, entry: seq)
    return (fixture, seq)
  }

  @Test func itHasNoWordsInItsPlace() async throws {
    let (fixture, seq) = try await garden()
    let entries = try await fixture.model.entries(fixture.model.garden.items(fixture.model.garden.journal))
    #expect(entries.map(\.isHidden) == [true, false])
    #expect(entries[0].text.isEmpty && entries[0].question == nil)
    #expect(try await fixture.anotherModel().hidden == [seq])
    let other = try await fixture.anotherModel()
    try await other.setHidden(false, entry: seq)
    try await fixture.model.refresh()
    #expect(fixture.model.hidden.isEmpty)
    #expect(try await fixture.model.entries(fixture.model.garden.items(fixture.model.garden.journal))[0].text != "")
  }

  @Test func noSearchFindsIt() async throws {
    let (fixture, seq) = try await garden()
    let model = fixture.model
    #expect(try await model.find("river")?.contains(seq) == false)
    #expect(try await model.find("kind:water") == [model.garden.journal[1].seq])
    #expect(try await model.find("-bank") == [model.garden.journal[1].seq])
    let results = try await model.makeSearch().results(for: "which", in: model.garden, at: model.now) { _ in 9 }
    #expect(results.counts[.questions] == 1)
    let search = model.makeSearch()
    #expect(try await search.entry(seq, in: model.garden) == nil)
    try await model.setHidden(false, entry: seq)
    #expect(try await search.entry(seq, in: model.garden) != nil)
    #expect(try await model.find("river")?.count == 2)
  }

  @Test func noBookHasIt() async throws {
    let model = try await garden().fixture.model
    for selection in [BookSelection(), BookSelection(years: 2026...2026)] {
      let book = try await model.book(selection)
      #expect(
        !book.entries.contains { $0.text.contains("Along") } && book.entries.contains { $0.text.contains("again") })
      #expect(!book.markdown.contains("Which Cello") && !book.html.contains("Along"))
    }
    // An export for programs keeps it, with its mark.
    let contents = try await model.contents()
    #expect(contents.events.count == 6 && contents.hidden.count == 1)
  }
}
