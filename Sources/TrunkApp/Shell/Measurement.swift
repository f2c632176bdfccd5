import Glibc
import GtkKit
import Observation

/// What the program tells about its own speed when `TRUNK_BENCH` asks, before it ends.
enum Measurement {
  /// - `first-frame`: milliseconds from the start of the process to the first painted frame.
  /// - `water`: for each watering that the garden allows today, milliseconds from the click until its entry is on the
  ///   disk and the frame that shows it is painted.
  /// - `first-sync`: from the first frame until the first sync has ended and is on the screen, the longest and the median
  ///   time between two frames, and the most processor time that the main thread took between two, in milliseconds; then
  ///   what the sync has led to.
  /// - `arrivals`: for each time that others have written, when the frame that shows it was painted, in seconds since
  ///   the machine was started. Goes on until the program is ended.
  static func startIfAsked(_ session: Session, application: OpaquePointer) {
    guard let asked = getenv("TRUNK_BENCH").map({ String(cString: $0) }) else { return }
    session.window.onFirstFrame {
      switch asked {
      case "first-frame":
        print(Int(((now() - start()) * 1000).rounded()))
        g_application_quit(application.cast())
      case "water":
        water(session, application: application)
      case "first-sync": firstSync(session, application: application)
      case "arrivals": arrivals(session)
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

  private static func firstSync(_ session: Session, application: OpaquePointer) {
    var gaps: [(time: Double, work: Double)] = []
    var (last, lastWork) = (now(), seconds(CLOCK_THREAD_CPUTIME_ID))
    // What was taken in is rendered on turns of the loop of their own: these frames are still waited for.
    var framesAfter: Int?
    let synchroniser = session.synchroniser
    session.window.onFrame {
      let (time, work) = (now(), seconds(CLOCK_THREAD_CPUTIME_ID))
      gaps.append(((time - last) * 1000, (work - lastWork) * 1000))
      (last, lastWork) = (time, work)
      framesAfter? -= 1
      if framesAfter != 0 {
        session.window.redraw()
        return true
      }
      let times = gaps.map(\.time).sorted()
      print(times.last ?? 0, times[times.count / 2], gaps.map(\.work).max() ?? 0, synchroniser.status.phase)
      g_application_quit(application.cast())
      return false
    }
    session.window.redraw()
    Task {
      for await phase in Observations({ synchroniser.status.phase }) where phase != .loading && phase != .syncing {
        session.attempt {
          try await session.gardener.catchUp()
          framesAfter = 12
        }
        return
      }
    }
  }

  private static func arrivals(_ session: Session) {
    let gardener = session.gardener
    var (rendered, painted) = (gardener.garden.eventCount, gardener.garden.eventCount)
    // Who follows last is told last, as above.
    session.follow(session.window) { rendered = gardener.garden.eventCount }
    session.window.onFrame {
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
