import CGtk
import Foundation
import GtkKit
import TrunkAccount
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class PreferencesTests: WidgetTestCase {
  func testPictures() throws {
    try MainActor.assumeIsolated {
      for (name, width, scheme) in Look.all {
        StyleSheet.scheme = scheme
        let garden = try GardenWindow(Seeds.demo + [Seeds.unknown], width: width, height: 900)
        defer { garden.close() }
        garden.present(label(""))
        _ = try awaited("a backup") { [model = garden.context.model] in
          try await model.backUp(secondFolder: nil)
        }
        let pages: [(PreferencesDialog.Page, String)] = [(.general, "You"), (.reminders, "Rest")]
        for (page, heading) in pages {
          PreferencesDialog(garden.context, page: page).present()
          let dialog = try garden.dialog("Preferences")
          waitFor("the page") { dialog.shownTexts.contains(heading) }
          garden.picture("preferences-\(page)-" + name, of: dialog)
          gtk_window_destroy(dialog.cast())
        }
        PreferencesDialog(garden.context, page: .data).present()
        let dialog = try garden.dialog("Preferences")
        gtk_window_set_default_size(dialog.cast(), gint(min(width, 600)), 900)
        waitFor("the facts") { dialog.shownTexts.contains("Not understood by this version") }
        garden.picture("preferences-data-" + name, of: dialog)

        let file = try garden.file("other.json", ExportFile.encode(Seeds.more, exportedAt: GardenWindow.now))
        try garden.showImport(of: file)
        let preview = try garden.dialog("Import")
        garden.picture("import-" + name, of: preview)

        ShortcutsWindow(over: garden.window).present()
        let keys = try garden.dialog("Keyboard Shortcuts")
        garden.picture("shortcuts-" + name, of: keys)
        XCTAssertTrue(keys.shownTexts.contains("Plant a sprout"), "\(keys.shownTexts)")
        for window in [dialog, preview, keys] { XCTAssertLessThanOrEqual(minimumWidth(of: window), 360) }
        for window in [keys, preview, dialog] { gtk_window_destroy(window.cast()) }

        presentAbout(over: garden.window)
        waitFor("about") { windows.contains { $0.typeName == "AdwAboutWindow" && gtk_widget_get_mapped($0) != 0 } }
        let about = try XCTUnwrap(windows.first { $0.typeName == "AdwAboutWindow" })
        garden.picture("about-" + name, of: about)
        XCTAssertTrue(about.shownTexts.contains("Trunk"))
        gtk_window_destroy(about.cast())
      }
      StyleSheet.scheme = ADW_COLOR_SCHEME_DEFAULT
    }
  }

  func testAKeyPressedByAccidentDoesNotReplaceTheName() throws {
    try MainActor.assumeIsolated {
      let dialogs: [(String, @MainActor (WindowContext) -> Void)] = [
        ("Preferences", { PreferencesDialog($0).present() }), ("Account", { AccountDialog($0).present() }),
      ]
      for (title, present) in dialogs {
        let garden = try GardenWindow(Seeds.demo)
        defer { garden.close() }
        try garden.context.settings.set(name: "Ada")
        garden.present(label(""))
        present(garden.context)
        let dialog = try garden.dialog(title)
        let name = try XCTUnwrap(dialog.descendants.first { $0.typeName == "AdwEntryRow" })
        XCTAssertTrue(name.containsFocus, title)
        type("type", "x", into: title)
        waitFor("the letter") { name.text != "Ada" }
        XCTAssertEqual(name.text, "Adax", title)
        type("key", "Tab", into: title)
        waitFor("the next control") { !name.containsFocus }
        type("key", "shift+Tab", into: title)
        waitFor("the name") { name.containsFocus }
      }
    }
  }

  func testANameIsSavedWhenTheWindowIsClosed() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      garden.present(label(""))
      PreferencesDialog(garden.context).present()
      let dialog = try garden.dialog("Preferences")
      let rows = dialog.descendants.filter { $0.isA(adw_preferences_row_get_type()) }
      var destroyed = 0
      for row in rows { row.on("destroy") { destroyed += 1 } }
      let name = try XCTUnwrap(rows.first { $0.typeName == "AdwEntryRow" })
      name.text = "Ada"
      gtk_window_close(dialog.cast())
      waitFor("the name") { garden.context.settings.name == "Ada" }
      XCTAssertEqual(destroyed, rows.count)
    }
  }

  func testPreferencesAreSavedAndApplyImmediately() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer {
        garden.close()
        StyleSheet.scheme = ADW_COLOR_SCHEME_DEFAULT
      }
      try garden.context.settings.set(name: "Ada")
      garden.present(GreetingHeader(garden.context).widget)
      waitFor("the greeting") { garden.texts.contains { $0.hasSuffix(", Ada") } }
      PreferencesDialog(garden.context).present()
      let dialog = try garden.dialog("Preferences")
      let name = try XCTUnwrap(dialog.descendants.first { $0.typeName == "AdwEntryRow" })
      XCTAssertEqual(name.text, "Ada")
      name.text = "  <i>Grace</i> & co "
      waitFor("the new greeting") { garden.texts.contains { $0.hasSuffix(", <i>Grace</i> & co") } }
      let dark = try XCTUnwrap(
        dialog.descendants.first { $0.typeName == "GtkToggleButton" && $0.shownTexts == ["Dark"] })
      gtk_toggle_button_set_active(dark.cast(), 1)
      XCTAssertEqual(StyleSheet.scheme, ADW_COLOR_SCHEME_FORCE_DARK)
      // Unsaved input is saved when the dialog closes.
      name.text = "Emmy"
      gtk_window_close(dialog.cast())
      waitFor("the last greeting") { garden.texts.contains { $0.hasSuffix(", Emmy") } }
      let kept = Settings(folder: garden.folder.path + "/config")
      XCTAssertEqual(kept.name, "Emmy")
      XCTAssertEqual(kept.appearance, .dark)
    }
  }

  func testABackupIsMadeListedAndRestored() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      garden.present(label(""))
      let second = garden.folder.path + "/stick"
      try garden.context.settings.set(backupFolder: second)
      PreferencesDialog(garden.context, page: .data).present()
      let dialog = try garden.dialog("Preferences")
      waitFor("the section") { dialog.shownTexts.contains("Back Up Now") }
      XCTAssertTrue(dialog.shownTexts.contains(second))
      garden.press("Back Up Now", in: dialog)
      waitFor("the message") { dialog.shownTexts.contains("\(Seeds.demo.count) entries were backed up.") }
      waitFor("the date") { dialog.shownTexts.contains { $0.hasPrefix("21 November 2026, 09:30") } }
      for folder in [garden.folder.path + "/local", second] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/backups")
        XCTAssertEqual(names, ["trunk-20261121-093000.json"])
      }
      let all = try XCTUnwrap(dialog.descendants.first { $0.typeName == "AdwExpanderRow" })
      adw_expander_row_set_expanded(all.cast(), 1)
      @MainActor func backup() -> Widget? {
        all.descendants.first {
          $0.typeName == "AdwActionRow" && gtk_widget_get_mapped($0) != 0 && $0.shownTexts.contains(second + "/backups")
        }
      }
      waitFor("the list") { backup() != nil }
      adw_action_row_activate(try XCTUnwrap(backup()).cast())
      let preview = try garden.dialog("Import")
      XCTAssertEqual(preview.fact("New"), "0")
      XCTAssertEqual(preview.fact("Already in your garden"), "\(Seeds.demo.count)")
    }
  }

  func testAnExportContainsOnlyDuplicatesAndMakesTheSameGardenElsewhere() throws {
    try MainActor.assumeIsolated {
      let events = Seeds.demo + [Seeds.unknown, Seeds.malformed]
      let garden = try GardenWindow(events)
      defer { garden.close() }
      garden.present(label(""))
      let path = garden.folder.path + "/garden.json"
      let count = try awaited("the export") { [model = garden.context.model] in
        try await model.export(to: path).events
      }
      XCTAssertEqual(count, events.count)
      try garden.showImport(of: path)
      let same = try garden.dialog("Import")
      XCTAssertEqual(same.fact("New"), "0")
      XCTAssertEqual(same.fact("Already in your garden"), "\(events.count)")
      XCTAssertFalse(same.shownTexts.contains { $0.hasPrefix("Import ") })
      gtk_window_destroy(same.cast())

      let other = try GardenWindow()
      defer { other.close() }
      other.present(label(""))
      try other.showImport(of: path)
      let preview = try other.dialog("Import")
      XCTAssertEqual(preview.fact("New"), "\(events.count)")
      XCTAssertNil(preview.fact("Already in your garden"))
      XCTAssertEqual(preview.fact("Not understood by this version"), "1")
      XCTAssertEqual(preview.fact("Invalid"), "1")
      XCTAssertTrue(other.context.model.garden.sprouts.isEmpty)
      other.press("Import \(events.count)", in: preview)
      waitFor("the message") { other.texts.contains("\(events.count) entries were imported.") }
      XCTAssertEqual(other.context.model.garden.soilHistory, garden.context.model.garden.soilHistory)
      let again = other.folder.path + "/again.json"
      try awaited("the second export") { [model = other.context.model] in try await model.export(to: again) }
      XCTAssertEqual(
        try String(contentsOfFile: again, encoding: .utf8), try String(contentsOfFile: path, encoding: .utf8))
      XCTAssertEqual(other.context.model.garden.ignoredCount, 2)
    }
  }

  func testAConflictShowsBothTextsAndKeepsTheLocalOne() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo + [Seeds.reflection("The shift at bar nine held.")])
      defer { garden.close() }
      garden.present(label(""))
      let other = ExportFile.encode([Seeds.reflection("AAAA"), Seeds.unknown], exportedAt: GardenWindow.now)
      try garden.showImport(of: garden.file("other.json", other))
      let dialog = try garden.dialog("Import")
      XCTAssertEqual(dialog.fact("New"), "1")
      XCTAssertEqual(dialog.fact("In your garden with a different text"), "1")
      XCTAssertTrue(dialog.shownTexts.contains("In your garden: The shift at bar nine held."), "\(dialog.shownTexts)")
      XCTAssertTrue(dialog.shownTexts.contains("In the file: AAAA"))
      picture(dialog, "import-conflict")
      garden.press("Import 1", in: dialog)
      let kept = "Other texts from the file are kept among the superseded versions."
      waitFor("the message") { garden.texts.contains("1 entry was imported. " + kept) }
      // Without a new entry, the other texts can still be imported.
      let third = ExportFile.encode([Seeds.reflection("BBBB")], exportedAt: GardenWindow.now)
      try garden.showImport(of: garden.file("third.json", third))
      garden.press("Import Other Texts", in: try garden.dialog("Import"))
      waitFor("the second message") { garden.texts.contains(kept) }
      PreferencesDialog(garden.context, page: .data).present()
      let preferences = try garden.dialog("Preferences")
      waitFor("the count") { preferences.fact("Superseded versions") == "2" }
      XCTAssertTrue(preferences.shownTexts.contains("Save Superseded Versions…"))
      picture(preferences, "superseded")
      let path = garden.folder.path + "/superseded.json"
      let saved = try awaited("the file") { [model = garden.context.model] in
        try await model.exportSuperseded(to: path)
      }
      XCTAssertEqual(saved, 2)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      XCTAssertTrue(text.contains("AAAA") && text.contains("BBBB"))
    }
  }

  func testAnInvalidFileShowsTheReason() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow()
      defer { garden.close() }
      garden.present(label(""))
      for (name, content, message) in [
        ("a.json", "{", "is not JSON"),
        ("c.json", "{\"version\":9,\"events\":[]}", "has format version 9"),
        ("missing.json", nil, "can’t be read"),
      ] as [(String, String?, String)] {
        let path = try content.map { try garden.file(name, $0) } ?? garden.folder.path + "/" + name
        do {
          try garden.showImport(of: path)
          XCTFail("\(name) was taken")
        } catch { XCTAssertTrue(userMessage(for: error).contains(message), userMessage(for: error)) }
      }
      let context = garden.context
      XCTAssertThrowsError(
        try awaited("the export") { try await context.model.export(to: "/nowhere/at/all.json") }
      ) {
        XCTAssertTrue(userMessage(for: $0).hasPrefix("“/nowhere/at/all.json” can’t be written"), userMessage(for: $0))
      }
    }
  }
}

extension Seeds {
  /// An event of an unknown type.
  static var unknown: Event { event(json: #"{"type":"leaf_pressed","timestamp":"2026-05-01T08:00:00.000Z"}"#) }
  static func reflection(_ text: String) -> Event {
    event(
      .sunShone(.init(twigID: "branch-0-twig-0", twigLabel: "movement", content: text, prompt: nil)), daysAgo: 400, 1)
  }
  static var malformed: Event {
    event(json: #"{"type":"sprout_watered","timestamp":"2026-05-02T08:00:00.000Z","content":"about nothing"}"#)
  }

  /// Another garden that shares something with the demo.
  static var more: [Event] {
    demo.prefix(5) + [unknown, malformed]
      + (0..<7).map {
        event(
          .sunShone(.init(twigID: "branch-0-twig-0", twigLabel: "movement", content: "\($0)", prompt: nil)),
          daysAgo: 500 + Double($0), $0)
      }
  }

  private static func event(json: String) -> Event {
    do { return try Event(json: json) } catch { preconditionFailure("\(error)") }
  }
}

extension GardenWindow {
  func file(_ name: String, _ content: String) throws -> String {
    let path = folder.path + "/" + name
    try content.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  fileprivate func showImport(of path: String) throws {
    let context = context
    try awaited("the preview") { try await ImportDialog.present(context, path) }
  }
}

extension Widget {
  /// The value beside a caption.
  @MainActor fileprivate func fact(_ caption: String) -> String? {
    let texts = shownTexts
    return texts.firstIndex(of: caption).flatMap { $0 + 1 < texts.count ? texts[$0 + 1] : nil }
  }
}
