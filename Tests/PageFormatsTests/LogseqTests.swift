import PageFormats
import Testing
import TrunkModel

/// Outlines that people write in Logseq.
struct LogseqTests {
  private func found(_ text: String, ending: String = "md") throws -> PageImport {
    try Export(["logseq/config.edn": "{}", "journals/2022_01_01.\(ending)": text]).read()
  }

  @Test
  func ownPropertiesStay() throws {
    let text = """
      - First bullet
      - summary:: A lovely long day at the lake.
      - id:: 65f0c0de-0000-4000-8000-000000000001
        I was tired today.
      - mood:: 7
        and better later
      \t- collapsed:: true
      \t  card-repeats:: 2
      \t  logseq.order-list-type:: number
      \t  Child
      - before
        -----
        after
      - DEADLINE: Friday for the essay
        DEADLINE: <2023-03-20 Mon>
      """
    let found = try found(text)
    #expect(
      found.texts == [
        """
        - First bullet
        - summary:: A lovely long day at the lake.
        - I was tired today.
        - mood:: 7
          and better later
          - Child
        - before
          -----
          after
        - DEADLINE: Friday for the essay
        """
      ])
    #expect(found.leftOut == [.properties: 4, .tasks: 1])
  }

  @Test
  func prioritiesAreNoTags() throws {
    #expect(try found("- TODO [#A] call #mum").pages.first?.tags == ["mum"])
  }

  @Test
  func addressesStay() throws {
    let text = "- {{youtube https://y.org/1}}\n- {{embed ((x))}}\n- [[https://x.org][text]] [[https://z.org]]"
    #expect(
      try found(text).texts == ["- https://y.org/1\n- text (https://x.org) https://z.org"])
    #expect(try found("* [[https://x.org][text]]", ending: "org").texts == ["- text (https://x.org)"])
  }

  @Test
  func settingsNameTheFolder() throws {
    let found = try Export([
      "logseq/config.edn": "{:journals-directory \"diary\"}", "diary/2022_01_01.md": "- Day\n  id:: 1",
      "journals/2022_01_02.md": "- no",
    ]).read()
    #expect(found.texts == ["- Day"] && found.format == .logseq)
  }

  @Test
  func journalsWithoutSettingsAreRecognized() throws {
    let day = "- Day\n  collapsed:: true\n  :LOGBOOK:\n  CLOCK: [x]\n  :END:"
    let alone = try Export(["2022_01_01.md": day, "2022_01_02.md": "- Other"]).read()
    #expect(alone.texts == ["- Day", "- Other"] && alone.format == .logseq)
    let graph = try Export(["journals/2022_01_01.md": day, "pages/x.md": "- no"]).read()
    #expect(graph.texts == ["- Day"] && graph.format == .logseq)
    let notes = try Export(["2022_01_01.md": "Day", "2022_01_02.md": "- a list"]).read()
    #expect(notes.format == .markdown)
    let mixed = try Export(["2022_01_01.md": "- a list", "Trip 2022-01-02.md": "- a list"]).read()
    #expect(mixed.format == .markdown && mixed.pages.count == 2)
  }
}
