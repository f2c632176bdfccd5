import Glibc
import GtkKit

/// The measured start: `TRUNK_BENCH=first-frame` prints the milliseconds from the start of the process to the
/// first painted frame, and ends the program.
enum FirstFrame {
  static func measureIfAsked(_ window: Widget, application: OpaquePointer) {
    guard getenv("TRUNK_BENCH").map({ String(cString: $0) }) == "first-frame" else { return }
    window.on("map") {
      guard let clock = gtk_widget_get_frame_clock(window) else { return }
      clock.on("after-paint") {
        let milliseconds = (now() - start()) * 1000
        print(Int(milliseconds.rounded()))
        g_application_quit(application.cast())
      }
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
