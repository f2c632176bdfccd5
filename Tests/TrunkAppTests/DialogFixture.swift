import CGtk
import Foundation
import GtkKit
import Synchronization
import TrunkAccount
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

/// A garden in a separate folder, with a clock that the test sets, and a window for dialogs.
@MainActor final class DialogFixture {
  let context: WindowContext
  let model: GardenModel
  let time: SteppingClock

  let folder: URL

  /// - Parameters:
  ///   - now: the time; by default Wednesday 18 November 2026, 09:00 UTC.
  ///   - unsavedDrafts: the unsaved drafts that this window shares with another one of the same program.
  init?(
    now: String = "2026-11-18T09:00:00.000Z", folder given: URL? = nil, unsavedDrafts: UnsavedDrafts = UnsavedDrafts()
  ) {
    let folder = given ?? FileManager.default.temporaryDirectory.appending(path: "trunk-" + UUID().uuidString)
    let time = SteppingClock(Instant(now) ?? Instant(milliseconds: 0))
    let path = folder.path
    guard
      let model = result(
        of: {
          try await GardenModel.open(folder: path + "/garden", clock: WallClock(now: { time.tick() }, zone: { .utc }))
        })
    else { return nil }
    (self.folder, self.time, self.model) = (folder, time, model)
    let window: Widget = adw_window_new()
    let foot = Foot(closeName: "Dismiss")
    foot.setContent(label("Trunk"))
    adw_window_set_content(window.cast(), foot.widget)
    // Dialogs are not wider than the window below them.
    gtk_window_set_default_size(window.cast(), 700, 700)
    gtk_window_present(window.cast())
    window.keepsFocusInPlace()
    let settings = Settings(folder: path + "/config")
    context = WindowContext(
      model: model, accountModel: AccountModel(model, current: nil, settings: settings), settings: settings,
      unsavedDrafts: unsavedDrafts, window: window, foot: foot)
  }

  /// Plants a sprout at an earlier time and returns its id.
  @discardableResult
  func plant(
    _ title: String, on path: String, season: Season = .threeMonths, ground: Ground = .fertile,
    daysAgo: Int64 = 0, blooms: [String] = ["", "", ""], leaf: GardenModel.LeafChoice = .new(name: "")
  ) -> String {
    guard let twig = Node(path: path) else {
      XCTFail("no twig " + path)
      return ""
    }
    var form = GardenModel.PlantForm(twig: twig, leaf: leaf)
    form.title = title
    form.season = season
    form.ground = ground
    (form.bloomWither, form.bloomBudding, form.bloomFlourish) = (blooms[0], blooms[1], blooms[2])
    time.now = time.now.adding(seconds: -daysAgo * 86_400)
    defer { advance(days: daysAgo) }
    let ready = form
    // A sprout planted for setup is not offered for undo.
    model.offersUndo = false
    defer { model.offersUndo = true }
    return result { [model] in try await model.plant(ready) } ?? ""
  }

  func water(_ sproutID: String, _ text: String, daysAgo: Int64 = 0) {
    time.now = time.now.adding(seconds: -daysAgo * 86_400)
    defer { advance(days: daysAgo) }
    _ = result { [model] in try await model.water(sproutID, text: text, question: nil) }
  }

  /// Advances the clock.
  func advance(days: Int64 = 0, hours: Int64 = 0) {
    time.now = time.now.adding(seconds: days * 86_400 + hours * 3600)
    _ = result { [model] in try await model.refreshClock() }
  }

  /// The entries of a sprout, oldest first.
  func entries(of sproutID: String) -> [TimelineEntry] {
    guard let sprout = model.garden.sprout(id: sproutID) else { return [] }
    let items = model.garden.items(model.garden.waterings(of: sprout))
    return result { [model] in try await model.entries(items) } ?? []
  }

  func draft(_ form: GardenModel.DraftForm, about entity: String) -> String? {
    result { [model] in try await model.unfinished(form, about: entity)?.text } ?? nil
  }

  /// The latest entry.
  var latestEvent: Event? {
    let events = result { [model] in try await model.store.events(afterSeq: 0) } ?? []
    return events.max { $0.seq < $1.seq }?.event
  }

  /// Waits for all pending intents.
  func finishWriting() {
    _ = result { [model] in try await model.close() }
  }

  /// The windows over the window.
  var dialogs: [Widget] {
    windows.filter { gtk_window_get_transient_for($0.cast()) == context.window.cast() }
  }

  /// Closes every window and removes the folder.
  func close() {
    while let window = windows.first { gtk_window_destroy(window.cast()) }
    _ = result { [model] in try await model.close() }
    do {
      try FileManager.default.removeItem(at: folder)
    } catch { XCTFail("\(error)") }
  }
}

/// A clock that the test sets, and that advances by a millisecond for each event.
final class SteppingClock: Sendable {
  private let instant: Mutex<Instant>

  init(_ now: Instant) { instant = Mutex(now) }

  /// Advances by a millisecond, so that events have a defined order.
  func tick() -> Instant {
    instant.withLock { instant in
      instant.milliseconds += 1
      return instant
    }
  }

  var now: Instant {
    get { instant.withLock { $0 } }
    set { instant.withLock { $0 = newValue } }
  }
}

/// Runs the main loop until the work is done, and fails if it throws.
@MainActor func result<Value: Sendable>(
  file: StaticString = #filePath, line: UInt = #line, of work: @escaping @MainActor () async throws -> Value
) -> Value? {
  var outcome: Result<Value, any Error>?
  Task { @MainActor in
    do {
      outcome = .success(try await work())
    } catch { outcome = .failure(error) }
  }
  waitFor("the work", file: file, line: line) { outcome != nil }
  switch outcome {
  case .success(let value): return value
  case .failure(let error): XCTFail("\(error)", file: file, line: line)
  case nil: break
  }
  return nil
}

/// Every window, the newest first.
@MainActor var windows: [Widget] {
  let list = gtk_window_get_toplevels()
  return (0..<g_list_model_get_n_items(list)).compactMap { position in
    guard let item = g_list_model_get_item(list, position) else { return nil }
    defer { g_object_unref(item) }
    return item.widget
  }
}

/// The dialog with this title, or of this type, once it is on the screen.
@MainActor func window(
  _ title: String, file: StaticString = #filePath, line: UInt = #line
) -> Widget? {
  func found() -> Widget? {
    windows.first { window in
      [window.typeName, gtk_window_get_title(window.cast()).map { String(cString: $0) }].contains(title)
        && gtk_window_get_transient_for(window.cast()) != nil && gtk_widget_get_mapped(window) != 0
        && gtk_widget_get_width(window) > 0
    }
  }
  waitFor(title, file: file, line: line) { found() != nil }
  return found()
}

extension Widget {
  /// The height on the screen, in pixels.
  @MainActor var shownHeight: Int { Int(gtk_widget_get_height(self)) }

  /// The buttons that can be seen and have this text.
  @MainActor func buttons(_ title: String) -> [Widget] {
    descendants.filter { widget in
      ["GtkButton", "GtkToggleButton"].contains(widget.typeName) && gtk_widget_get_mapped(widget) != 0
        && (widget.shownTexts == [title]
          || gtk_button_get_label(widget.cast()).map { withoutIsolates(String(cString: $0)) } == title)
    }
  }

  /// Presses the first button with this text.
  @MainActor func press(_ title: String, file: StaticString = #filePath, line: UInt = #line) {
    guard let button = buttons(title).first else {
      return XCTFail("no button \(title) among \(shownTexts)", file: file, line: line)
    }
    WidgetTestSupport.press(button)
  }

  /// The text views that can be seen, from top to bottom.
  @MainActor var textViews: [Widget] {
    descendants.filter { $0.typeName == "GtkTextView" && gtk_widget_get_mapped($0) != 0 }
  }

  /// The text of a text view; setting it is typing.
  @MainActor var typed: String {
    get {
      let buffer = gtk_text_view_get_buffer(cast())
      var (start, end) = (GtkTextIter(), GtkTextIter())
      gtk_text_buffer_get_bounds(buffer, &start, &end)
      guard let text = gtk_text_buffer_get_text(buffer, &start, &end, 0) else { return "" }
      defer { g_free(text) }
      return String(cString: text)
    }
    nonmutating set { gtk_text_buffer_set_text(gtk_text_view_get_buffer(cast()), newValue, -1) }
  }

  /// The field of a boxed list with this caption.
  @MainActor func field(_ caption: String) -> Widget? {
    let row = descendants.first { row in
      gtk_widget_has_css_class(row, "field") != 0
        && row.descendants.contains {
          $0.typeName == "GtkLabel" && String(cString: gtk_label_get_text($0.cast())) == caption
        }
    }
    return row?.descendants.first { $0.typeName == "GtkEntry" }
  }

  /// Chooses the first twig that the form for planting finds by these words.
  @MainActor func choosePlace(_ words: String, file: StaticString = #filePath, line: UInt = #line) {
    field("Where")?.text = words
    guard let row = foundPlaces.first else { return XCTFail("no place \(words)", file: file, line: line) }
    gtk_widget_activate(row)
  }

  /// The rows of the twigs that the form for planting has found.
  @MainActor var foundPlaces: [Widget] {
    descendants.filter { widget in
      ["AdwActionRow", "AdwPreferencesRow"].contains(widget.typeName) && gtk_widget_get_mapped(widget) != 0
        && String(cString: adw_preferences_row_get_title(widget.cast())).contains(" · ")
    }
  }

  /// Chooses an item of the list that a word in a sentence opens.
  /// - Parameter word: the word that is shown now.
  @MainActor func choose(_ title: String, instead word: String, file: StaticString = #filePath, line: UInt = #line) {
    let menu = descendants.first { $0.typeName == "GtkMenuButton" && $0.shownTexts.first == word }
    guard let menu else { return XCTFail("no word \(word)", file: file, line: line) }
    gtk_menu_button_popup(menu.cast())
    let row = menu.descendants.first { row in
      ["AdwActionRow", "AdwPreferencesRow"].contains(row.typeName)
        && String(cString: adw_preferences_row_get_title(row.cast())) == title
    }
    guard let row else { return XCTFail("no item \(title)", file: file, line: line) }
    waitFor("the list") { gtk_widget_get_mapped(row) != 0 }
    gtk_widget_activate(row)
    waitFor("the end of the list") { gtk_widget_get_mapped(row) == 0 }
  }

  /// The row of a boxed list with a choice and this caption.
  @MainActor func pick(_ caption: String) -> Widget? { row("AdwComboRow", caption) }

  @MainActor func switchRow(_ caption: String) -> Widget? { row("AdwActionRow", caption) }

  @MainActor private func row(_ typeName: String, _ caption: String) -> Widget? {
    descendants.first { widget in
      widget.typeName == typeName && String(cString: adw_preferences_row_get_title(widget.cast())) == caption
    }
  }
}

/// Presses keys in the window with this title, as a keyboard would.
@MainActor func type(_ keys: String..., into title: String) {
  // A window with the same title that was just closed must be gone from the screen.
  gdk_display_sync(gdk_display_get_default())
  waitFor("the focus in “\(title)”") {
    if windows(titled: title).contains(where: \.isActive) { return true }
    xdotool(["search", "--onlyvisible", "--name", "^\(title)$", "windowfocus", "--sync"])
    return windows(titled: title).contains(where: \.isActive)
  }
  // Without a window, xdotool simulates the keyboard. With one, a key would stay pressed if it closes that window.
  xdotool(keys)
}

/// The windows of this process with a title.
@MainActor private func windows(titled title: String) -> [Widget] {
  let windows = gtk_window_get_toplevels()
  return (0..<g_list_model_get_n_items(windows)).compactMap { position -> Widget? in
    guard let window: Widget = g_list_model_get_item(windows, position)?.assumingMemoryBound(to: GtkWidget.self) else {
      return nil
    }
    // The list keeps it.
    g_object_unref(window)
    return gtk_window_get_title(window.cast()).map { String(cString: $0) } == title ? window : nil
  }
}

/// Clicks a word of a label in the window with this title, as a pointer would.
@MainActor func click(_ word: String, of label: Widget, in title: String) throws {
  // What is above the label may still be growing.
  waitForFrames(3, of: label)
  let text = String(cString: gtk_label_get_text(label.cast()))
  let start = try XCTUnwrap(text.range(of: word)).lowerBound
  var place = PangoRectangle()
  pango_layout_index_to_pos(
    gtk_label_get_layout(label.cast()), gint(text.utf8.distance(from: text.startIndex, to: start)), &place)
  var (left, top): (gint, gint) = (0, 0)
  gtk_label_get_layout_offsets(label.cast(), &left, &top)
  let scale = gint(PANGO_SCALE)
  try movePointer(
    to: label, Double(left + place.x / scale + 4), Double(top + (place.y + place.height / 2) / scale), in: title,
    then: "click", "1")
}

/// Moves the pointer to a place of a widget in the window with this title.
/// - Parameter actions: what xdotool does there.
@MainActor func movePointer(
  to widget: Widget, _ x: Double, _ y: Double, in title: String, then actions: String...
) throws {
  let root = try XCTUnwrap(gtk_widget_get_root(widget)?.widget)
  var (left, top, frameX, frameY) = (0.0, 0.0, 0.0, 0.0)
  gtk_widget_translate_coordinates(widget, root, x, y, &left, &top)
  gtk_native_get_surface_transform(root.cast(), &frameX, &frameY)
  xdotool(
    [
      "search", "--sync", "--onlyvisible", "--name", "^\(title)$", "mousemove", "--window", "%1",
      "\(Int(left + frameX))", "\(Int(top + frameY))",
    ] + actions)
}

/// Moves the pointer to a corner of the display. A window that opens below the pointer would react to it.
@MainActor func movePointerAway() { xdotool(["mousemove", "1399", "1199"]) }

@MainActor private func xdotool(_ arguments: [String]) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["xdotool"] + arguments
  do {
    try process.run()
  } catch { return XCTFail("\(error)") }
  waitFor("the keys") { !process.isRunning }
}
