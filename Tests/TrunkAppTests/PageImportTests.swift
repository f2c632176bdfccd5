import CGtk
import EventStore
import Foundation
import GtkKit
import SQLiteKit
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

/// The journal of another program: from its file to its pages between the entries.
final class PageImportTests: WidgetTestCase {
  private static let journal = """
    [2014-11-21 21:30] An evening by the river
    We sat on the steps until the last ferry left. @lisbon

    [2016-03-01 09:00] Only a line

    [2016-03-02 09:00] Snow
    On the roof.

    """

  private func withDialog(
    _ text: String, _ body: @MainActor (GardenWindow, _ dialog: Widget) throws -> Void
  ) throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      garden.present(label(""))
      let (context, path) = (garden.context, try garden.file("journal.txt", text))
      try awaited("the dialog") { try await ImportDialog.present(context, path) }
      try body(garden, try garden.dialog("Import"))
    }
  }

  func testAPreviewComesBeforeTheImport() throws {
    try withDialog(PageImportTests.journal) { garden, dialog in
      waitFor("the preview") { dialog.shownTexts.contains("Import 3") }
      let texts = dialog.shownTexts
      for text in [
        "journal.txt", "jrnl · 3 pages · 21 November 2014 – 2 March 2016", "An evening by the river",
        "Earlier page · jrnl · November 2014", "On the roof.",
      ] {
        XCTAssertTrue(texts.contains(text), "\(text): \(texts)")
      }
      XCTAssertEqual(try garden.pageCount(), 0)
      garden.picture("page-import")
      garden.press("Import 3", in: dialog)
      waitFor("the end of the dialog") { garden.dialogs.isEmpty }
      waitFor("the message") { garden.texts.contains("3 earlier pages were imported.") }
      XCTAssertEqual(try garden.pageCount(), 3)
    }
  }

  func testAYearWithOnlyPagesHasAPage() throws {
    try withDialog(PageImportTests.journal) { garden, dialog in
      waitFor("the preview") { dialog.shownTexts.contains("Import 3") }
      garden.press("Import 3", in: dialog)
      waitFor("the end of the dialog") { garden.dialogs.isEmpty }
      let page = YearPage(garden.context, 2016, onMove: { _ in }, onBack: {})
      garden.present(page.widget)
      waitFor("the pages") { garden.texts.contains("2 earlier pages") }
      XCTAssertFalse(garden.texts.contains { $0.hasPrefix("Nothing was planted") })
      XCTAssertTrue(garden.texts.contains("The Book of 2016…"))
      let names = page.widget.descendants.compactMap { widget in
        gtk_widget_get_tooltip_text(widget).map { String(cString: $0) + (widget.isSensitive ? "" : " (off)") }
      }
      XCTAssertTrue(names.contains("March 2016: 2 earlier pages"), "\(names)")
      XCTAssertTrue(names.contains("April 2016: 0 entries (off)"), "\(names)")
    }
  }

  func testAnythingElseIsRefusedWithTheReason() throws {
    for (text, message) in [
      ("{\"version\":4}", "Trunk doesn’t recognize this journal."), ("[1", "Trunk doesn’t recognize this journal."),
      ("gAAAAABkZ", "This file is encrypted"),
    ] {
      try withDialog(text) { garden, dialog in
        waitFor("the reason of \(text)") { dialog.shownTexts.contains { $0.hasPrefix(message) } }
        XCTAssertTrue(dialog.shownTexts.contains("Close"))
        XCTAssertEqual(try garden.pageCount(), 0)
      }
    }
  }

  func testAnAmbiguousDateIsAsked() throws {
    try withDialog("[03/04/2023 10:00] Rain\n\n[05/06/2023 10:00] Sun\n") { garden, dialog in
      waitFor("the question") { dialog.shownTexts.contains("3 April 2023") }
      let row = dialog.descendants.first { $0.isRow && $0.shownTexts.contains("4 March 2023") }
      gtk_widget_activate(try XCTUnwrap(row))
      waitFor("the preview") { dialog.shownTexts.contains("jrnl · 2 pages · 4 March 2023 – 6 May 2023") }
    }
  }

  func testClosingTheDialogImportsNothing() throws {
    try withDialog(PageImportTests.journal) { garden, dialog in
      waitFor("the preview") { dialog.shownTexts.contains("Import 3") }
      garden.press("Cancel", in: dialog)
      waitFor("the end of the dialog") { garden.dialogs.isEmpty }
      XCTAssertEqual(try garden.pageCount(), 0)
    }
  }

  /// Another program's lock keeps the import waiting until the test has cancelled it.
  func testCancelDuringAnImportChangesNothing() throws {
    let entries = (1...200).map { "[2014-11-21 10:\(10 + $0 % 50)] Entry \($0)\nWords.\n" }.joined(separator: "\n")
    try withDialog(entries) { garden, dialog in
      waitFor("the preview") { dialog.shownTexts.contains("Import 200") }
      let other = try Database(path: garden.context.model.folder + "/garden.db", mode: .readWrite, busyTimeout: 10_000)
      try other.run("BEGIN IMMEDIATE")
      garden.press("Import 200", in: dialog)
      waitFor("the import") { dialog.shownTexts.contains("Importing…") }
      garden.press("Cancel", in: dialog)
      waitFor("the end of the dialog") { garden.dialogs.isEmpty }
      try other.run("ROLLBACK")
      waitFor("the message") { garden.texts.contains("Cancelled. Nothing was imported.") }
      XCTAssertEqual(try garden.pageCount(), 0)
    }
  }

  func testADroppedFolderIsImported() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      let notes = garden.folder.path + "/Notes"
      try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
      for (name, text) in [("2014-11-21", "On the **roof**."), ("2016-03-01", "Snow.")] {
        try text.write(toFile: notes + "/" + name + ".md", atomically: true, encoding: .utf8)
      }
      let context = garden.context
      let pane = GardenPane(
        model: context.model, accountModel: context.accountModel, settings: context.settings,
        unsavedDrafts: context.unsavedDrafts, window: garden.window, foot: context.foot, page: "today")
      garden.present(pane.widget)
      try drop([notes], onto: pane.widget)
      let dialog = try garden.dialog("Import")
      waitFor("the preview") { dialog.shownTexts.contains("Import 2") }
      XCTAssertTrue(dialog.shownTexts.contains("Notes"), "\(dialog.shownTexts)")
      garden.press("Import 2", in: dialog)
      waitFor("the message") { garden.texts.contains("2 earlier pages were imported.") }
      XCTAssertEqual(try garden.pageCount(), 2)
    }
  }

  func testPagesOfAnExportThatCannotBeReadAreCounted() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      garden.present(label(""))
      let pages = #"[{"date":"2020","id":"a"},{"id":"b"}]"#
      let text = #"{"version":4,"events":[],"earlierJournals":[{"format":"jrnl","name":"x","pages":\#(pages)}]}"#
      let (context, path) = (garden.context, try garden.file("export.json", text))
      try awaited("the dialog") { try await ImportDialog.present(context, path) }
      let texts = try garden.dialog("Import").shownTexts
      for text in [
        "Earlier pages that can’t be read", "2", "Your garden already has everything that can be read in this file.",
      ] {
        XCTAssertTrue(texts.contains(text), "\(text): \(texts)")
      }
    }
  }

  func testAnExportBringsItsPagesToo() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      garden.present(label(""))
      let page = EarlierPage(date: PageDate(day: Day(number: 16_000)), title: "Lisbon", sourceID: "jrnl:1")
      let journal = EarlierJournal(
        format: "jrnl", name: "Journal", importedAt: GardenWindow.now, pages: [page])
      let contents = ExportFile.Contents(events: Seeds.demo, journals: [journal])
      let (context, path) = (
        garden.context, try garden.file("export.json", ExportFile.encode(contents, exportedAt: GardenWindow.now))
      )
      try awaited("the dialog") { try await ImportDialog.present(context, path) }
      garden.press("Import 1", in: try garden.dialog("Import"))
      waitFor("the message") { garden.texts.contains("1 earlier page was imported.") }
      XCTAssertEqual(try garden.pageCount(), 1)
    }
  }
}

extension GardenWindow {
  fileprivate func pageCount() throws -> Int {
    try awaited("the pages") { [model = context.model] in try await model.countPages() }
  }
}
