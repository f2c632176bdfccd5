import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// When Trunk reminds and of what, and what notifications show.
final class ReminderSection {
  let widget: Widget
  /// The dialog that contains this section.
  weak var window: DialogWindow?

  private let context: WindowContext
  private let frequency: PickRow
  private let time: PickRow
  private let list = boxedList()
  private let note = paragraph("", "error").visible(false)
  private var switches: [Widget] = []
  private static let frequencies = ReminderSettings.Frequency.allCases
  private static let times = ReminderSettings.Time.allCases

  init(_ context: WindowContext) {
    self.context = context
    frequency = PickRow(tr("Remind me to water"), Self.frequencies.map(\.title))
    time = PickRow(tr("Time of reminders"), Self.times.map(\.title))
    let privacy = boxedList()
    widget = column(
      spacing: 8, sectionHeader(tr("Reminders")),
      paragraph(
        tr(
          "At most one notification a day, also while the window is closed. None comes after you have watered, or during rest."
        ),
        "hint"
      ).margin(start: 2, end: 2), list.accessibleName(tr("Reminders")), note.margin(start: 4, end: 4),
      column(spacing: 8, sectionHeader(tr("Privacy")), privacy.accessibleName(tr("Privacy"))).margin(top: 14))
    let reminders = context.settings.reminders
    switches = [
      switchRow(tr("When a sprout is ready to harvest"), isOn: reminders.includesHarvest) { [weak self] isOn in
        self?.change { $0.includesHarvest = isOn }
      },
      switchRow(tr("At the weekend, if the sun has not shone"), isOn: reminders.includesSun) { [weak self] isOn in
        self?.change { $0.includesSun = isOn }
      },
    ]
    list.append(frequency.widget, time.widget)
    switches.forEach { list.append($0) }
    privacy.append(
      switchRow(
        tr("Hide text in notifications"), tr("Reminders then name no sprout, in case others see your screen."),
        isOn: reminders.hidesText
      ) { [weak self] isOn in self?.change { $0.hidesText = isOn } })
    frequency.onPick = { [weak self] in self?.pick(Self.frequencies[$0]) }
    time.onPick = { [weak self] position in self?.change { $0.time = Self.times[position] } }
    widget.keeps(self)
    // The timer may be missing although the settings were copied here.
    if reminders.frequency != .off { startTimer {} }
  }

  func render() {
    let reminders = context.settings.reminders
    frequency.selected = Self.frequencies.firstIndex(of: reminders.frequency) ?? 0
    time.selected = Self.times.firstIndex(of: reminders.time) ?? 0
    for row in [time.widget] + switches { row.visible(reminders.frequency != .off) }
  }
}

extension ReminderSection {
  private func change(_ change: @escaping (inout ReminderSettings) -> Void) {
    let settings = context.settings
    context.attempt(in: window?.toaster) {
      var reminders = settings.reminders
      change(&reminders)
      try settings.set(reminders: reminders)
    }
  }

  private func pick(_ frequency: ReminderSettings.Frequency) {
    show(note: "")
    let isOn = context.settings.reminders.frequency != .off
    guard frequency != .off else {
      change { $0.frequency = .off }
      return stopTimer()
    }
    guard !isOn else { return change { $0.frequency = frequency } }
    startTimer { [weak self] in
      guard let self else { return }
      let now = WallClock.system.now()
      // No reminder follows for a time of day that has already passed.
      context.attempt(in: window?.toaster) { try ReminderFile().change { $0.checked = now } }
      change { $0.frequency = frequency }
    }
  }

  private func startTimer(_ then: @escaping @MainActor () -> Void) {
    Task { [self] in
      do {
        try await ReminderTimer.start()
        then()
      } catch { show(note: userMessage(for: error)) }
      render()
    }
  }

  private func stopTimer() {
    Task {
      // Without the timer there is nothing to stop, and a timer that keeps running finds reminders turned off.
      try? await ReminderTimer.stop()
    }
  }

  private func show(note text: String) {
    note.setText(text)
    note.visible(!text.isEmpty)
  }
}

extension ReminderSettings.Frequency {
  fileprivate var title: String {
    switch self {
    case .off: trc("reminders", "Off")
    case .daily: tr("Every day")
    case .everyThreeDays: tr("Every 3 days")
    case .weekly: tr("Every week")
    }
  }
}

extension ReminderSettings.Time {
  fileprivate var title: String {
    switch self {
    case .morning: tr("Morning, {hour}:00", ["hour": "\(hour)"])
    case .afternoon: tr("Afternoon, {hour}:00", ["hour": "\(hour)"])
    case .evening: tr("Evening, {hour}:00", ["hour": "\(hour)"])
    }
  }
}
