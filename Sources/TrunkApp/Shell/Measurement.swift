import Glibc
import GtkKit

/// What the program tells about its own speed when `TRUNK_BENCH` asks, before it ends.
enum Measurement {
  /// - `first-frame`: milliseconds from the start of the process to the first painted frame.
  /// - `water`: for each watering that the garden allows today, milliseconds from the click until its entry is on the
  ///   disk and the frame that shows it is painted.
  static func startIfAsked(_ session: Session, application: OpaquePointer) {
    guard let asked = getenv("TRUNK_BENCH").map({ String(cString: $0) }) else { return }
    session.window.onFirstFrame {
      switch asked {
      case "first-frame":
        print(Int(((now() - start()) * 1000).rounded()))
        g_application_quit(application.cast())
      case "water":
        water(session, application: application)
      default: complain("TRUNK_BENCH=\(asked) is not known")
      }
    }
  }

  private static func water(_ session: Session, application: OpaquePointer) {
    let gardener = session.gardener
    guard let sprout = gardener.garden.due(at: gardener.now).first, gardener.garden.waterLeft(at: gardener.now) > 0
    else {
      g_application_quit(application.cast())
      return
    }
    let click = now()
    let before = gardener.garden.eventCount
    // Who follows last is told last: when this is rendered, so is everything else.
    var isRendered = false
    session.follow(session.window) { isRendered = gardener.garden.eventCount > before }
    session.attempt { try await gardener.water(sprout.id, text: "A measured line.", prompt: nil) }
    session.window.onFrame {
      guard isRendered else { return true }
      print((now() - click) * 1000)
      // On its own turn of the loop, as the next click of a person would be.
      Task { water(session, application: application) }
      return false
    }
  }

  /// Seconds since the machine was started.
  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// When the process was started, in the seconds of `now`. The kernel tells it in steps of 10 ms; a launcher
  /// that wants it finer puts its own reading into `TRUNK_BENCH_START` just before it executes us.
  private static func start() -> Double {
    if let told = getenv("TRUNK_BENCH_START"), let seconds = Double(String(cString: told)) {
      return seconds
    }
    var contents: UnsafeMutablePointer<CChar>?
    guard g_file_get_contents("/proc/self/stat", &contents, nil, nil) != 0, let contents else { return now() }
    defer { g_free(contents) }
    // Field 22 counts from the one after the program's name, which stands in parentheses and may hold spaces.
    let fields = String(cString: contents).split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = fields.count > 19 ? Double(fields[19]) : nil
    return ticks.map { $0 / Double(sysconf(Int32(_SC_CLK_TCK))) } ?? now()
  }
}
