import Glibc
import GtkKit
import Observation
import TrunkKit

/// Prints measurements of the program's own speed if `TRUNK_BENCH` is set, then ends the program.
enum Measurement {
  /// - `first-frame`: milliseconds from the start of the process to the first painted frame.
  /// - `water`: for each watering that the garden allows today, milliseconds from the click until its entry is on the
  ///   disk and the frame that shows it is painted.
  /// - `plant`: milliseconds from the command that opens the form for planting to the frame that shows it; then the
  ///   processor time that the main thread used until then, and until the tree in the form was painted too, in
  ///   milliseconds.
  /// - `search`: milliseconds until the frame that shows the search is painted; then, for each key of some searches,
  ///   until the frame that shows its results. The first key follows the opening as soon as a fast typist's.
  /// - `journal`: milliseconds from the command that opens the journal to the frame that shows its newest entries; then
  ///   the median and the longest time between two frames while it is scrolled, in milliseconds; then milliseconds
  ///   until the frame that shows the end of its first year, and the longest time between two of the next frames, in
  ///   which the rest of the lines is added.
  /// - `time`: the work of the main thread, in milliseconds, until the frame that opens the tree through time, then the
  ///   median and the 95th percentile of a frame that moves to another day; then the median time until the picture
  ///   shows another day, in milliseconds, and the memory that the program uses more than with the tree alone, in
  ///   megabytes.
  /// - `first-sync`: the longest and the median time between two frames, from the first frame until the first sync is
  ///   done and on the screen, and the most processor time that the main thread used between two frames, in
  ///   milliseconds; then the sync phase that follows.
  /// - `arrivals`: for each write by another program or device, when the frame that shows it was painted, in seconds
  ///   since the machine was started. Continues until the program is ended.
  /// - `acts`: measures nothing. Acts stand still, and the command `act-time` moves the one on the screen to a time in
  ///   milliseconds, for `make films`. Continues until the program is ended.
  static func startIfAsked(_ pane: GardenPane, application: DesktopApplication) {
    let context = pane.context
    guard let asked = getenv("TRUNK_BENCH").map({ String(cString: $0) }) else { return }
    context.window.onFirstFrame {
      switch asked {
      case "first-frame": printFirstFrame(application)
      case "water":
        Task {
          // Users water after the start, when the other views are built.
          await pane.navigator.buildAll()
          water(context, application: application)
        }
      case "plant":
        Task {
          // Users plant after the start, when the other views are built.
          await pane.navigator.buildAll()
          await Timeout.untilIdle()
          plant(context.window, application: application)
        }
      case "search":
        pane.navigator.build(.search())
        guard let page = pane.search else { return application.quit() }
        openSearch(page, in: context.window, application: application)
      case "journal":
        pane.navigator.build(.journal)
        guard let view = pane.journal else { return application.quit() }
        journal(view, of: context, application: application)
      case "time":
        guard let tree = pane.tree else { return application.quit() }
        Task {
          // Users press T after the start, when the other views are built.
          await pane.navigator.buildAll()
          await Timeout.untilIdle()
          time(tree.time, in: context.window, application: application)
        }
      case "first-sync": firstSync(context, application: application)
      case "arrivals": arrivals(context)
      case "acts":
        ActClock.isStepped = true
        context.window.addAction("act-time", target: { ActClock.step(to: Double($0) ?? 0) })
      default: printError("TRUNK_BENCH=\(asked) is not known")
      }
    }
  }

  /// The small window knows only `first-frame`.
  static func startIfAsked(_ quickWater: QuickWater, application: DesktopApplication) {
    guard getenv("TRUNK_BENCH").map({ String(cString: $0) }) == "first-frame" else { return }
    quickWater.widget.onFirstFrame { printFirstFrame(application) }
  }

  private static func printFirstFrame(_ application: DesktopApplication) {
    print(Int(((now() - start()) * 1000).rounded()))
    application.quit()
  }

  private static func water(_ context: WindowContext, application: DesktopApplication) {
    let model = context.model
    guard let sprout = model.garden.waterable(at: model.now).first, model.garden.waterLeft(at: model.now) > 0
    else {
      application.quit()
      return
    }
    let click = now()
    let before = model.garden.eventCount
    // The last follower is notified last: when it has rendered, all others have.
    var isRendered = false
    context.follow(context.window) { isRendered = model.garden.eventCount > before }
    context.attempt { try await model.water(sprout.id, text: "A measured line.", question: nil) }
    context.window.onFrame {
      guard isRendered else { return true }
      print((now() - click) * 1000)
      // A user's next click comes when the hidden views are rendered.
      Task {
        await Timeout.untilIdle()
        water(context, application: application)
      }
      return false
    }
  }

  private static func plant(_ window: Widget, application: DesktopApplication) {
    let (key, before) = (now(), seconds(CLOCK_THREAD_CPUTIME_ID))
    func work() -> Double { (seconds(CLOCK_THREAD_CPUTIME_ID) - before) * 1000 }
    window.activate("win.plant")
    guard let dialog = window.openDialog else { return application.quit() }
    dialog.onFrame {
      print((now() - key) * 1000, work())
      Task {
        await Timeout.untilIdle()
        print(work())
        application.quit()
      }
      return false
    }
  }

  /// The texts in the field after each key of two searches, one after the other.
  private static let searchTexts = [
    "r", "ri", "riv", "rive", "river", "river ", "river w", "river wa", "river wat", "river wate", "river water",
    "t", "th", "the", "the ", "the m", "the mo", "the mor", "the morn", "the morni", "the mornin", "the morning",
  ]

  /// The number of frames from the opening of the search to the first key: 200 ms.
  private static let beforeFirstKey = 12

  private static func openSearch(_ page: SearchPage, in window: Widget, application: DesktopApplication) {
    let key = now()
    window.activate("win.search")
    window.onFrame {
      print((now() - key) * 1000)
      frames(beforeFirstKey, in: window, each: {}) { _ in
        search(page, in: window, for: searchTexts[...], application: application)
      }
      return false
    }
  }

  private static func search(
    _ page: SearchPage, in window: Widget, for texts: ArraySlice<String>, application: DesktopApplication
  ) {
    guard let text = texts.first else {
      application.quit()
      return
    }
    let key = now()
    var isShown = false
    page.onResults = {
      isShown = true
      window.redraw()
    }
    window.activate("win.find", target: text)
    window.onFrame {
      guard isShown else { return true }
      print((now() - key) * 1000)
      // On another turn of the loop, like a user's next key.
      Task { search(page, in: window, for: texts.dropFirst(), application: application) }
      return false
    }
  }

  private static func journal(_ view: JournalView, of context: WindowContext, application: DesktopApplication) {
    whenShown(view, in: context.window) { time in
      print(time)
      scroll(view, in: context.window) {
        guard let first = context.model.garden.journal.first else { return application.quit() }
        whenShown(view, in: context.window) { time in
          frames(afterJump, in: context.window, each: {}) { times in
            print(time, times.last ?? 0)
            application.quit()
          }
        } after: {
          view.jump(to: first.time.day.adding(days: 365))
        }
      }
    } after: {
      context.window.activate("win.view::journal")
    }
  }

  /// Runs `command`, and calls `then` with the milliseconds until the frame that shows the lines of the journal.
  private static func whenShown(
    _ view: JournalView, in window: Widget, then: @escaping @MainActor (Double) -> Void, after command: () -> Void
  ) {
    let click = now()
    var isShown = false
    view.onShown = {
      isShown = true
      window.redraw()
    }
    command()
    window.onFrame {
      guard isShown else { return true }
      view.onShown = nil
      then((now() - click) * 1000)
      return false
    }
  }

  /// The number of frames in which the journal is scrolled, and how far in each, in pixels.
  private static let scrolling = (frames: 600, step: 50.0)

  /// The number of frames after a jump in which lines are added.
  private static let afterJump = 60

  /// Measures frames, and calls `then` with the times between them in ascending order, in milliseconds.
  private static func frames(
    _ count: Int, in window: Widget, each: @escaping @MainActor () -> Void,
    then: @escaping @MainActor ([Double]) -> Void
  ) {
    var (times, last): ([Double], Double) = ([], now())
    window.onFrame {
      let time = now()
      times.append((time - last) * 1000)
      last = time
      guard times.count < count else {
        then(times.sorted())
        return false
      }
      each()
      window.redraw()
      return true
    }
    window.redraw()
  }

  private static func scroll(_ view: JournalView, in window: Widget, then: @escaping @MainActor () -> Void) {
    frames(scrolling.frames, in: window) {
      view.scroll(by: scrolling.step)
    } then: { times in
      print(times[times.count / 2], times.last ?? 0)
      then()
    }
  }

  /// The number of days that the tree moves back through, one in each frame.
  private static let timeSteps = 200

  private static var timeAtRest: Timeout?

  /// The number of days of which each waits for the picture of the one before it.
  private static let timeDelays = 40

  private static func time(_ mode: TimeMode, in window: Widget, application: DesktopApplication) {
    let (memory, before) = (residentMemory(), seconds(CLOCK_THREAD_CPUTIME_ID))
    mode.open()
    var opening: Double?
    window.onFrame {
      opening = (seconds(CLOCK_THREAD_CPUTIME_ID) - before) * 1000
      return false
    }
    whenPainted(mode, in: window) { _ in
      var (works, last): ([Double], Double) = ([], seconds(CLOCK_THREAD_CPUTIME_ID))
      frames(timeSteps, in: window) {
        works.append((seconds(CLOCK_THREAD_CPUTIME_ID) - last) * 1000)
        last = seconds(CLOCK_THREAD_CPUTIME_ID)
        mode.strip.step(days: -1)
      } then: { _ in
        works.sort()
        delays(of: mode, in: window) { delays in
          let figures = [
            opening ?? .nan, works[works.count / 2], works[works.count * 95 / 100], delays[delays.count / 2],
          ]
          timeAtRest = Timeout.after(milliseconds: 500) {
            print(figures.map { "\($0)" }.joined(separator: " "), residentMemory() - memory)
            application.quit()
          }
        }
      }
    }
  }

  /// Moves back through some days, each when the one before it is shown, and calls `then` with the times that they took
  /// in ascending order, in milliseconds.
  private static func delays(
    of mode: TimeMode, _ before: [Double] = [], in window: Widget, then: @escaping @MainActor ([Double]) -> Void
  ) {
    guard before.count < timeDelays else { return then(before.sorted()) }
    mode.strip.step(days: -1)
    whenPainted(mode, in: window) { delays(of: mode, before + [$0], in: window, then: then) }
  }

  /// Calls `then` after the frame whose picture shows the day of the strip, with the time until then, in milliseconds.
  private static func whenPainted(_ mode: TimeMode, in window: Widget, then: @escaping @MainActor (Double) -> Void) {
    let start = now()
    window.onFrame {
      guard mode.isPainted else { return true }
      then((now() - start) * 1000)
      return false
    }
  }

  /// In megabytes; not a number if it can't be read, so that no promise seems to be kept.
  private static func residentMemory() -> Double {
    let pages = (try? GardenModel.readText("/proc/self/statm"))?.split(separator: " ").dropFirst().first
    return (pages.flatMap { Double($0) } ?? .nan) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6
  }

  private static func firstSync(_ context: WindowContext, application: DesktopApplication) {
    var gaps: [(time: Double, work: Double)] = []
    var (last, lastWork) = (now(), seconds(CLOCK_THREAD_CPUTIME_ID))
    // Merged events are rendered in later turns of the loop; measure these frames, too.
    var framesAfter: Int?
    let accountModel = context.accountModel
    context.window.onFrame {
      let (time, work) = (now(), seconds(CLOCK_THREAD_CPUTIME_ID))
      gaps.append(((time - last) * 1000, (work - lastWork) * 1000))
      (last, lastWork) = (time, work)
      framesAfter? -= 1
      if framesAfter != 0 {
        context.window.redraw()
        return true
      }
      let times = gaps.map(\.time).sorted()
      print(times.last ?? 0, times[times.count / 2], gaps.map(\.work).max() ?? 0, accountModel.status.phase)
      application.quit()
      return false
    }
    context.window.redraw()
    Task {
      for await phase in Observations({ accountModel.status.phase }) where phase != .initialSync && phase != .syncing {
        context.attempt {
          try await context.model.refresh()
          framesAfter = 12
        }
        return
      }
    }
  }

  private static func arrivals(_ context: WindowContext) {
    let model = context.model
    var (rendered, painted) = (model.garden.eventCount, model.garden.eventCount)
    // The last follower is notified last, as above. A write that changes nothing in this view paints no frame by
    // itself.
    context.follow(context.window) {
      rendered = model.garden.eventCount
      context.window.redraw()
    }
    context.window.onFrame {
      if rendered != painted {
        painted = rendered
        print(now())
        fflush(nil)
      }
      return true
    }
  }

  /// Seconds since the machine was started.
  private static func now() -> Double { seconds(CLOCK_BOOTTIME) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The start of the process on the same clock as `now`. The kernel reports it in steps of 10 ms. For a finer value, a
  /// launcher puts its own reading into `TRUNK_BENCH_START` just before executing the program.
  private static func start() -> Double {
    if let startTime = getenv("TRUNK_BENCH_START"), let seconds = Double(String(cString: startTime)) {
      return seconds
    }
    guard let status = try? GardenModel.readText("/proc/self/stat") else { return now() }
    // Field 22. The fields are counted after the program's name, which is in parentheses and may contain spaces.
    let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = fields.count > 19 ? Double(fields[19]) : nil
    return ticks.map { $0 / Double(sysconf(Int32(_SC_CLK_TCK))) } ?? now()
  }
}
