import GtkKit
import Localization
import TrunkKit

/// The systemd timer that starts the program at the times of reminders, so that they come with the window closed.
enum ReminderTimer {
  /// Why the timer can't be changed, in plain words.
  struct Failure: UserFacingError {
    let message: String
  }

  private static let unit = "trunk-reminder.timer"

  /// Enables the timer for this and later sessions.
  /// - Parameter minute: a time besides those of the unit, in minutes since midnight.
  static func start(at minute: Int?) async throws(Failure) {
    let isChanged: Bool
    do { isChanged = try ReminderTimes().set(minute) } catch { throw Failure(message: userMessage(for: error)) }
    do throws(Failure) {
      if isChanged { try await call("Reload", "()", "()") }
      try await call("EnableUnitFiles", "(['\(unit)'], false, true)", "(asbb)")
      try await call(isChanged ? "RestartUnit" : "StartUnit", "('\(unit)', 'replace')", "(ss)")
    } catch {
      // Without the file, the next attempt writes it again and makes systemd read it. If it can't even be removed, the
      // user still has to know why the call failed: that is what keeps the timer from starting.
      if isChanged { _ = try? ReminderTimes().set(nil) }
      throw error
    }
  }

  static func stop() async throws(Failure) {
    try await call("DisableUnitFiles", "(['\(unit)'], false)", "(asb)")
    try await call("StopUnit", "('\(unit)', 'replace')", "(ss)")
  }

  private static func call(_ method: String, _ arguments: String, _ type: String) async throws(Failure) {
    do {
      try await SessionBus.call(
        "org.freedesktop.systemd1", path: "/org/freedesktop/systemd1", interface: "org.freedesktop.systemd1.Manager",
        method: method, arguments, type: type)
    } catch {
      throw Failure(message: ReminderTimer.message(error))
    }
  }

  private static func message(_ failure: SessionBus.Failure) -> String {
    switch failure {
    case .noBus, .noService:
      tr("Reminders need systemd, which doesn’t manage this desktop session.")
    case .noAnswer: tr("systemd doesn’t answer. Try again later.")
    case .failed(let name, _) where name.hasSuffix(".FileNotFound") || name.hasSuffix(".NoSuchUnit"):
      tr("Reminders need Trunk to be installed: the timer “{name}” is missing.", ["name": unit])
    case .failed(_, let message):
      tr("systemd refused to start the timer for reminders: {reason}", ["reason": message])
    }
  }
}
