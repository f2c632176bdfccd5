import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The commands of reminders. The desktop's timer and the buttons of the notification invoke them over D-Bus, usually
/// while no window is open. Only watering and harvesting open a window.
final class Reminders {
  typealias WithGarden = @MainActor (@MainActor (Application.Opened) async throws -> Void) async throws -> Void

  private let desktop: DesktopApplication
  private let file = ReminderFile()
  /// Runs its argument with the window's garden, or without a window with the garden on disk.
  private let withGarden: WithGarden

  /// Ends the program if no button is pressed; `nil` unless it keeps running for the buttons.
  private var staying: Timeout?

  private static let id = "reminder"
  /// How long to wait for what other devices have written, in seconds.
  private static let syncLimit: Int64 = 10
  /// How long the program keeps running for the buttons, in milliseconds.
  private static let stay = 3 * 3600 * 1000

  /// - Parameter open: opens the window and runs one of its commands.
  init(
    _ desktop: DesktopApplication, open: @escaping @MainActor (String) -> Void,
    withGarden: @escaping WithGarden
  ) {
    (self.desktop, self.withGarden) = (desktop, withGarden)
    desktop.object.addAction("remind") { [weak self] in self?.remind() }
    desktop.object.addAction("remind-later") { [weak self] in self?.postpone() }
    for command in ["water", "harvest"] {
      desktop.object.addAction(
        command + "-sprout",
        target: { [weak self] id in
          open("win.\(command)::" + id)
          self?.leave()
        })
    }
  }

  private func remind() {
    // The file may have been edited since this program started.
    let settings = Settings()
    untilDone { [self] in
      do {
        try await withGarden { model, accountModel in
          try await model.refreshClock()
          let reminders = settings.reminders(in: model.profile)
          if model.garden.mayRemind(reminders, resting: settings.restDays, self.file.load(), at: model.now) {
            // The user may have watered on another device, or changed the reminders there.
            await accountModel.catchUp(within: Reminders.syncLimit)
            try await model.refreshClock()
          }
          guard !model.awaitsInitialSync else { return }
          if try self.send(model, settings) { await self.stayForButtons() }
        }
      } catch {
        // There may be no window to show the error in; the journal of the desktop session has it.
        printError(userMessage(for: error))
      }
    }
  }

  /// - Returns: whether a reminder was sent.
  private func send(_ model: GardenModel, _ settings: Settings) throws -> Bool {
    let (garden, now, reminders) = (model.garden, model.now, settings.reminders(in: model.profile))
    let reminder = try file.change { record in
      let reminder = garden.reminder(
        reminders, resting: settings.restDays, record, at: now)
      record.note(reminder, at: now, in: garden)
      return reminder
    }
    guard let reminder else { return false }
    var buttons = [reminder.button]
    if reminder.canWait { buttons.append(NotificationButton(tr("Later"), action: "app.remind-later")) }
    desktop.notify(
      Reminders.id, title: reminder.sentence(garden, at: now, hidesText: reminders.hidesText), buttons: buttons)
    return true
  }

  /// GNOME starts the program when a button is pressed. Other desktops only signal the program that sent the
  /// notification, so there it keeps running for a while.
  private func stayForButtons() async {
    if staying == nil { desktop.hold() }
    staying = Timeout.after(milliseconds: Reminders.stay) { [weak self] in self?.leave() }
    do {
      try await SessionBus.call(
        "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
        method: "GetNameOwner", "('org.gtk.Notifications',)", type: "(s)")
      leave()
    } catch {
      // This isn't GNOME, so stay.
    }
  }

  /// Lets the program end without waiting for a button.
  func leave() {
    guard staying != nil else { return }
    staying = nil
    desktop.release()
  }

  private func postpone() {
    desktop.withdrawNotification(Reminders.id)
    do {
      let clock = WallClock.system
      try file.change { $0.postpone(at: clock.now(), in: clock.zone()) }
    } catch { printError(userMessage(for: error)) }
    leave()
  }
}

extension Reminder {
  fileprivate var button: NotificationButton {
    switch subject {
    case .water(let id): NotificationButton(buttonTitle, action: "app.water-sprout", target: id)
    case .harvest(let id): NotificationButton(buttonTitle, action: "app.harvest-sprout", target: id)
    case .sun: NotificationButton(buttonTitle, action: "app.shine")
    }
  }
}
