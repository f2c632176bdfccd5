import CGtk
import Foundation
import GtkKit
import SyncEngine
import TrunkAccount
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

/// A window with a garden in a temporary folder, at a fixed time. `close` removes the folder.
@MainActor final class GardenWindow {
  let context: WindowContext
  let window: Widget
  let folder: URL
  /// The invoked `win.` commands, as `name` or `name::target`.
  private(set) var commands: [String] = []

  nonisolated static let now = Instant("2026-11-21T09:30:00Z") ?? Instant(milliseconds: 0)

  private static var styleSheet: StyleSheet?

  init(
    _ events: [Event] = [], now: Instant = GardenWindow.now, width: Int = 900, height: Int = 900,
    session: SignIn.Outcome? = nil
  ) throws {
    if Self.styleSheet == nil { Self.styleSheet = StyleSheet() }
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("trunk-\(UUID().uuidString)")
    let path = folder.path
    let clock = WallClock(now: { now }, zone: { .utc })
    let model = try awaited("the garden") {
      let model = try await GardenModel.open(folder: path + "/local", clock: clock)
      _ = try await model.importEvents(events)
      return model
    }
    window = adw_application_window_new(nil)
    let foot = Foot(closeName: "Close")
    let settings = Settings(folder: path + "/config")
    context = WindowContext(
      model: model, accountModel: AccountModel(model, current: nil, settings: settings, fresh: session),
      settings: settings,
      unsavedDrafts: UnsavedDrafts(), window: window, foot: foot)
    gtk_window_set_default_size(window.cast(), gint(width), gint(height))
    window.keepsFocusInPlace()
    adw_application_window_set_content(window.cast(), foot.widget)
    for name in ["plant", "shine", "seedling"] { window.addAction(name) { [weak self] in self?.commands.append(name) } }
    for name in [
      "water", "harvest", "edit", "uproot", "continue-leaf", "sprout", "leaf", "twig", "branch", "plant-seedling",
      "edit-seedling", "delete-seedling", "find", "entry", "open-link",
    ] {
      window.addAction(name, target: { [weak self] in self?.commands.append(name + "::" + $0) })
    }
  }

  /// Shows a view and runs the loop until it is painted.
  func present(_ content: Widget) {
    context.foot.setContent(content)
    gtk_window_present(window.cast())
    waitFor("the window") { gtk_widget_get_mapped(content) != 0 && gtk_widget_get_width(content) > 0 }
  }

  /// All visible texts, in order.
  var texts: [String] { window.shownTexts }

  /// The windows over this one, the newest first.
  var dialogs: [Widget] {
    windows.filter { dialog in
      var below = gtk_window_get_transient_for(dialog.cast())
      while let next = below {
        if next.widget == window { return true }
        below = gtk_window_get_transient_for(next)
      }
      return false
    }
  }

  /// The window over this one with this title, once it is on the screen.
  func dialog(_ title: String) throws -> Widget {
    func found() -> Widget? {
      dialogs.first {
        gtk_window_get_title($0.cast()).map { String(cString: $0) } == title && gtk_widget_get_mapped($0) != 0
          && gtk_widget_get_width($0) > 0
      }
    }
    waitFor(title) { found() != nil }
    return try XCTUnwrap(found())
  }

  func close() {
    // Closing one may close others over it.
    while let dialog = dialogs.first { gtk_window_destroy(dialog.cast()) }
    gtk_window_destroy(window.cast())
    // What is still being written would come back.
    _ = result { [model = context.model] in try await model.close() }
    do {
      try FileManager.default.removeItem(at: folder)
    } catch { XCTFail("\(error)") }
  }

  /// Saves a picture of a window if `TRUNK_PICTURES` names a folder.
  func picture(_ name: String, of window: Widget? = nil) {
    TrunkAppTests.picture(window ?? self.window, name)
  }
}

/// A view that is laid out for the width of its window.
@MainActor protocol WideView: AnyObject {
  var widget: Widget { get }
  var width: Int { get set }
}

extension JournalView: WideView {}
extension TodayView: WideView {}

/// Runs a test with a view of the demo garden in a window of this width, in pixels.
func withDemo<View: WideView>(
  _ make: @MainActor (WindowContext) -> View, width: Int, _ test: @MainActor (GardenWindow, View) throws -> Void
) throws {
  try MainActor.assumeIsolated {
    let garden = try GardenWindow(Seeds.demo, width: width)
    defer { garden.close() }
    let view = make(garden.context)
    view.width = width
    garden.present(view.widget)
    try test(garden, view)
  }
}

/// Runs the main loop for a while, for pictures only.
@MainActor func pause(milliseconds: Int) {
  var isOver = false
  let timeout = Timeout.after(milliseconds: milliseconds) { isOver = true }
  waitFor("the pause") { isOver }
  timeout.cancel()
}

/// Runs asynchronous work to its end on the main loop.
@discardableResult @MainActor func awaited<Value: Sendable>(
  _ what: String, _ work: @escaping @MainActor () async throws -> Value
) throws -> Value {
  var result: Result<Value, any Error>?
  Task {
    do { result = .success(try await work()) } catch { result = .failure(error) }
  }
  waitFor(what) { result != nil }
  return try XCTUnwrap(result).get()
}

/// Events for gardens of tests. Instants are days before the tests' time.
enum Seeds {
  static func event(_ content: Payload, daysAgo: Double, _ number: Int) -> Event {
    let instant = Instant(milliseconds: GardenWindow.now.milliseconds - Int64(daysAgo * 86_400_000))
    return Event(content, at: instant, clientID: Event.clientID(at: instant, random: UInt32(number)))
  }

  /// Entries of the sprout `sprout-run`, numbered from the oldest, 90 days ago.
  static func entries(_ count: Int, daysApart: Double) -> [Event] {
    (0..<count).map {
      event(
        .sproutWatered(.init(sproutID: "sprout-run", content: "Entry \($0)", prompt: nil)),
        daysAgo: 90 - Double($0) * daysApart, $0)
    }
  }

  /// Sprouts in all states, with leaves, a journal and reflections.
  static var demo: [Event] {
    var events: [Event] = []
    func add(_ content: Payload, _ daysAgo: Double) { events.append(event(content, daysAgo: daysAgo, events.count)) }
    func plant(
      _ id: String, _ twig: String, _ title: String, _ season: Season, _ environment: Ground,
      _ daysAgo: Double, leaf: String? = nil, blooms: [String?] = [nil, nil, nil]
    ) {
      let leafID = leaf ?? "leaf-" + id
      if leaf == nil { add(.leafCreated(.init(leafID: leafID, twigID: twig, name: title)), daysAgo) }
      add(
        .sproutPlanted(
          .init(
            sproutID: "sprout-" + id, twigID: twig, title: title, season: season, environment: environment,
            soilCost: Soil.cost(season, environment), leafID: leafID, bloomWither: blooms[0],
            bloomBudding: blooms[1], bloomFlourish: blooms[2])), daysAgo)
    }
    func water(_ id: String, _ daysAgo: Double, _ text: String, _ question: String? = nil) {
      add(.sproutWatered(.init(sproutID: "sprout-" + id, content: text, prompt: question)), daysAgo)
    }
    func harvest(_ id: String, _ daysAgo: Double, _ result: Int, _ reflection: String?) {
      add(
        .sproutHarvested(
          .init(sproutID: "sprout-" + id, result: result, capacityGained: 0.9, reflection: reflection)), daysAgo)
    }
    add(.leafCreated(.init(leafID: "leaf-bach", twigID: "branch-2-twig-0", name: "Bach, slowly")), 400)
    plant("minuet", "branch-2-twig-0", "The minuet in G, by heart", .threeMonths, .fertile, 399, leaf: "leaf-bach")
    harvest("minuet", 300, 4, "I played it for my sister, and my hands knew more than I did.")
    plant("gavotte", "branch-2-twig-0", "A gavotte", .oneMonth, .firm, 290, leaf: "leaf-bach")
    add(.sproutUprooted(.init(sproutID: "sprout-gavotte", soilReturned: 1.25)), 280)
    plant("read", "branch-1-twig-0", "Read one long novel", .oneMonth, .fertile, 250)
    harvest("read", 215, 5, nil)
    plant(
      "run", "branch-0-twig-0", "Ten kilometres without stopping", .threeMonths, .firm, 91,
      blooms: ["half of it walking", "the whole way, slowly", "a calm, even hour"])
    plant("prelude", "branch-2-twig-0", "Learn the cello prelude", .threeMonths, .firm, 56, leaf: "leaf-bach")
    plant("herbs", "branch-3-twig-6", "Grow herbs on the balcony", .sixMonths, .fertile, 72)
    plant("letter", "branch-6-twig-0", "A letter to someone every week", .threeMonths, .fertile, 29)
    for (index, daysAgo) in [88, 75, 60.2, 41, 30, 22, 15, 9, 4].enumerated() {
      water(
        "run", daysAgo,
        index.isMultiple(of: 3)
          ? "Slept badly, ran anyway. The river was high and brown and somehow that helped."
          : "Four slow kilometres in the rain.", index.isMultiple(of: 2) ? "What did your body tell you today?" : nil)
    }
    water(
      "prelude", 4, "The crossing at bar nine finally stopped scratching. Slow bow, less arm.",
      "Which small thing sounded better than last time?")
    water("letter", 1, "To Miriam, about the old bridge.", "Who crossed your mind today, and why?")
    water("herbs", 0.1, "", "What grew while you looked away?")
    add(
      .sunShone(
        .init(
          twigID: "branch-4-twig-7", twigLabel: "joy",
          content: "We laughed at the market until the cheese man joined in. I had forgotten how loud I can be.",
          prompt: "When did you last laugh without noticing?")), 8)
    add(
      .sunShone(
        .init(twigID: "branch-5-twig-1", twigLabel: "nature", content: "Fog in the valley, and one heron.", prompt: nil)
      ), 40)
    return events
  }
}

/// The looks in which pictures are taken.
enum Look {
  static let all: [(name: String, width: Int, scheme: AdwColorScheme)] = [
    ("light", 900, ADW_COLOR_SCHEME_FORCE_LIGHT), ("dark", 900, ADW_COLOR_SCHEME_FORCE_DARK),
    ("narrow", 370, ADW_COLOR_SCHEME_FORCE_LIGHT),
  ]

  /// Shows the demo garden in each look.
  @MainActor
  static func forEach(_ body: (_ garden: GardenWindow, _ name: String, _ width: Int) throws -> Void) throws {
    defer { StyleSheet.scheme = ADW_COLOR_SCHEME_DEFAULT }
    for (name, width, scheme) in all {
      StyleSheet.scheme = scheme
      let garden = try GardenWindow(Seeds.demo, width: width, height: 760)
      defer { garden.close() }
      try body(garden, name, width)
    }
  }
}
