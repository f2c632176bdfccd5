import CGtk
import GtkKit
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class LargeTextTests: WidgetTestCase {
  /// In a narrow window, short forms or icons replace long texts.
  func testTheGreetingIsNeverTruncated() throws {
    try MainActor.assumeIsolated {
      for (scale, width) in [(1, 360), (1, 900), (2, 360), (2, 560), (2, 900)] {
        setTextScale(scale)
        defer { setTextScale(1) }
        let garden = try GardenWindow(Seeds.demo, width: width, height: 720)
        defer { garden.close() }
        let header = GreetingHeader(garden.context)
        header.isNarrow = width < 600
        garden.present(header.widget)
        waitFor("the text") { header.widget.width > 0 }
        XCTAssertEqual(cutTexts(in: header.widget), [], "at \(width), \(scale)×")
      }
    }
  }

  func testTitlesAndNotesInRowsAreWhole() throws {
    try MainActor.assumeIsolated {
      setTextScale(2)
      defer { setTextScale(1) }
      let garden = try GardenWindow(Seeds.demo, width: 360, height: 720)
      defer { garden.close() }
      let model = garden.context.model
      let twig = NodeRow(twig: .twig(branch: 0, twig: 4))
      twig.show(model.garden, [:])
      let sprouts = SproutRows()
      sprouts.isNarrow = true
      sprouts.show(
        model.garden.growing.map { SproutRows.Item(sprout: $0, kind: "", note: "", end: { label("57 days", "hint") }) },
        in: model.garden, now: model.now)
      garden.present(column(boxedList(twig.widget), sprouts.widget))
      waitFor("the rows") { garden.texts.contains("A letter to someone every week") }
      XCTAssertEqual(cutTexts(in: garden.window), [])
    }
  }

  func testIconsAndDrawingsGrowWithTheText() throws {
    try MainActor.assumeIsolated {
      let signs = [
        SunDisc(isReady: true).widget, Drops(filled: 2).widget,
        icon("trunk-leaf-symbolic", size: 20), avatarButton(size: 30, name: "Account", command: "win.account"),
        iconButton("list-add-symbolic", name: "Plant") {}, menuButton("open-menu-symbolic", name: "Menu", []),
      ]
      let buttons = signs.suffix(2)
      @MainActor func icons() -> [Int] {
        buttons.map { button in
          button.descendants.first { $0.typeName == "GtkImage" && $0.isMapped && $0.width > 0 }?.width ?? 0
        }
      }
      let garden = try GardenWindow()
      defer { garden.close() }
      let page = column()
      signs.forEach { page.append($0.halign(.start)) }
      garden.present(page)
      let usual = signs.map { $0.width }
      setTextScale(2)
      defer { setTextScale(1) }
      XCTAssertEqual(textScale, 2)
      waitFor("larger signs") { signs.dropLast(2).map { $0.width } == usual.dropLast(2).map { $0 * 2 } }
      waitFor("larger icons") { icons() == [32, 32] }
      for (button, width) in zip(buttons, usual.suffix(2)) { XCTAssertGreaterThan(button.width, width) }
    }
  }

  func testNamesOnTheTreeGrowWithTheText() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      let canvas = TreeCanvas(garden.context)
      garden.present(canvas.widget)
      waitFor("the picture") { canvas.scene?.picture.fontSize == TreeCanvas.fontSize }
      setTextScale(2)
      defer { setTextScale(1) }
      waitFor("larger names") { canvas.scene?.picture.fontSize == TreeCanvas.fontSize * 2 }
      garden.picture("large-tree")
    }
  }

  func testLargeTextsAreNotPutSideBySide() throws {
    try MainActor.assumeIsolated {
      setTextScale(2)
      defer { setTextScale(1) }
      let garden = try GardenWindow(Seeds.demo, height: 720)
      defer { garden.close() }
      let context = garden.context
      let pane = GardenPane(
        model: context.model, accountModel: context.accountModel, settings: context.settings,
        unsavedDrafts: context.unsavedDrafts, window: context.window, foot: context.foot, page: "garden")
      pane.fit(width: 900)
      garden.present(pane.widget)
      waitFor("the rows") { garden.titles.count > 1 }
      XCTAssertFalse(garden.hasPage)
    }
  }

  func testEverythingFitsANarrowWindowWithTextOfTwiceTheSize() throws {
    try MainActor.assumeIsolated {
      setTextScale(2)
      defer { setTextScale(1) }
      let garden = try GardenWindow(Seeds.demo, width: 360, height: 720)
      defer { garden.close() }
      let view = GardenView(garden.context)
      view.isNarrow = true
      garden.present(view.widget)
      waitFor("the rows") { garden.titles.count > 1 }
      for chip in ["Growing 4", "Harvested 2", "All 7"] {
        garden.choose(chip)
        waitFor("the rows") { garden.titles.count > 1 }
        XCTAssertLessThanOrEqual(minimumWidth(of: view.widget), 360, chip)
      }
      garden.picture("large-garden")
      for id in ["run", "minuet", "gavotte"] {
        view.open("sprout-" + id)
        waitFor("the page") { garden.texts.contains { $0.hasPrefix("Planted on") } }
        XCTAssertLessThanOrEqual(minimumWidth(of: view.widget), 360, id)
        garden.picture("large-" + id)
      }
      let context = garden.context
      SoilLog(context).present()
      JournalLog(context, .water).present()
      JournalLog(context, .sun).present()
      ShortcutsWindow(over: garden.window).present()
      for page in [PreferencesDialog.Page.general, .reminders, .data] {
        PreferencesDialog(context, page: page).present()
        let dialog = try garden.dialog("Preferences")
        gtk_window_set_default_size(dialog.cast(), 360, 720)
        waitForFrames(of: dialog)
        XCTAssertLessThanOrEqual(minimumWidth(of: dialog), 360, "\(page)")
        garden.picture("large-preferences-\(page)", of: dialog)
        gtk_window_destroy(dialog.cast())
      }
      for title in ["Soil", "Water", "Sun", "Keyboard Shortcuts"] {
        let dialog = try garden.dialog(title)
        gtk_window_set_default_size(dialog.cast(), 360, 720)
        waitForFrames(of: dialog)
        XCTAssertLessThanOrEqual(minimumWidth(of: dialog), 360, title)
        garden.picture("large-" + title, of: dialog)
      }
    }
  }
}

/// The visible texts that are cut with an ellipsis.
@MainActor private func cutTexts(in widget: Widget) -> [String] {
  let labels = widget.descendants.filter {
    $0.typeName == "GtkLabel" && gtk_widget_get_mapped($0) != 0 && gtk_widget_get_child_visible($0) != 0
  }
  return labels.filter { pango_layout_is_ellipsized(gtk_label_get_layout($0.cast())) != 0 }
    .map { String(cString: gtk_label_get_text($0.cast())) }
}
