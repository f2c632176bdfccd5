import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// When Trunk reminds and of what, and what notifications show.
final class ReminderSection: PreferencesSection {
  let groups: [Widget]
  weak var window: (any DialogParent)?

  private let context: WindowContext
  private let isOn: SwitchRow
  private let frequency = PickRow(tr("Remind me to water"), ReminderSection.frequencies.map(\.title))
  private let time = PickRow(tr("Time of day"), ReminderSection.times.map(\.title) + [tr("Exact time")])
  private let exact = LimitedRow(tr("Exact time, such as 07:30"), limit: 20)
  private let harvest = SwitchRow(tr("When a sprout is ready to harvest"))
  private let sun = SwitchRow(tr("At the weekend, if the sun has not shone"))
  private let problem = paragraph("", "error").visible(false)
  /// Whether the account's server has the choices.
  private let note = paragraph("", "hint").visible(false)
  private static let frequencies = ReminderSettings.Frequency.allCases
  private static let times = ReminderSettings.Time.allCases

  init(_ context: WindowContext) {
    self.context = context
    let reminders = context.accountModel.profile.reminders
    isOn = SwitchRow(
      tr("Show reminders on this computer"),
      context.accountModel.account == nil
        ? "" : tr("The choices below are saved in your account, except for an exact time."),
      isOn: reminders.isOn)
    let hidesText = SwitchRow(
      tr("Hide text in notifications"), tr("Reminders then name no sprout, in case others see your screen."),
      isOn: reminders.hidesText)
    groups = [
      settingsGroup(
        tr("Reminders"),
        note: tr(
          "At most one notification a day, also while the window is closed. None comes after you have watered, or during rest."
        ),
        isOn.widget, frequency.widget, time.widget, exact.widget, harvest.widget, sun.widget,
        problem.margin(top: 8, start: 4, end: 4), note.margin(top: 8, start: 4, end: 4)),
      settingsGroup(tr("Privacy"), hidesText.widget),
    ]
    hidesText.onSwitch = { [weak self] isOn in self?.change { $0.hidesText = isOn } }
    isOn.onSwitch = { [weak self] isOn in if isOn { self?.turnOn() } else { self?.turnOff() } }
    frequency.onPick = { [weak self] position in self?.change { $0.frequency = Self.frequencies[position] } }
    time.onPick = { [weak self] in self?.pickTime($0) }
    exact.onChange = { [weak self] in self?.readTime() }
    harvest.onSwitch = { [weak self] isOn in self?.change { $0.includesHarvest = isOn } }
    sun.onSwitch = { [weak self] isOn in self?.change { $0.includesSun = isOn } }
    isOn.widget.keeps(self)
    // The timer may be missing although the settings were copied here.
    if reminders.isOn { startTimer(at: reminders.minute) {} }
    context.follow(isOn.widget, sync: true) { [weak self] in self?.render() }
  }

  private func render() {
    let reminders = context.accountModel.profile.reminders
    isOn.isOn = reminders.isOn
    frequency.selected = Self.frequencies.firstIndex(of: reminders.frequency) ?? 0
    let position = reminders.minute == nil ? Self.times.firstIndex(of: reminders.time) : Self.times.count
    time.selected = position ?? 0
    if let minute = reminders.minute, !exact.widget.containsFocus, ReminderSettings.minute(exact.text) != minute {
      exact.text = ReminderSettings.text(minute: minute)
    }
    (harvest.isOn, sun.isOn) = (reminders.includesHarvest, reminders.includesSun)
    for row in [frequency.widget, time.widget, harvest.widget, sun.widget] { row.visible(reminders.isOn) }
    exact.widget.visible(reminders.isOn && reminders.minute != nil)
    show(context.accountModel.profile.note([.notifications]), in: note)
  }
}

extension ReminderSection {
  private func change(_ change: @escaping (inout ReminderSettings) -> Void) {
    let profile = context.accountModel.profile
    context.attempt(in: window?.foot) { try await profile.changeReminders(change) }
  }

  private func turnOn() {
    startTimer(at: context.accountModel.profile.reminders.minute) { $0.isOn = true }
  }

  /// - Parameter position: the index of a time of day; the one after the last means an exact time, at first the same
  ///   hour.
  private func pickTime(_ position: Int) {
    let reminders = context.accountModel.profile.reminders
    let named = Self.times.indices.contains(position) ? Self.times[position] : nil
    let minute = named == nil ? reminders.minute ?? reminders.time.hour * 60 : nil
    let choose = { (it: inout ReminderSettings) in (it.time, it.minute) = (named ?? it.time, minute) }
    // The timer knows all times of day.
    if minute == reminders.minute { change(choose) } else { startTimer(at: minute, choose) }
  }

  /// The shortest text that is no longer the beginning of a time: `07:30`.
  private static let timeLength = 5

  /// A time that can't be read, for example because it is still being typed, changes nothing.
  private func readTime() {
    let minute = ReminderSettings.minute(exact.text)
    if minute == nil, exact.text.count >= Self.timeLength { exact.show(problem: tr("Write the time like 07:30.")) }
    guard let minute, minute != context.accountModel.profile.reminders.minute else { return }
    startTimer(at: minute) { $0.minute = minute }
  }

  /// Starts the timer, and then saves a change. Closing the window before that doesn't undo the choice.
  private func startTimer(at minute: Int?, _ change: @escaping (inout ReminderSettings) -> Void) {
    show(nil, in: problem)
    startTimer(at: minute) { [context, foot = window?.foot] in
      let now = WallClock.system.now()
      // No reminder follows for a time of day that has already passed.
      context.attempt(in: foot) { try ReminderFile().change { $0.checked = now } }
      context.attempt(in: foot) { try await context.accountModel.profile.changeReminders(change) }
    }
  }

  private func turnOff() {
    show(nil, in: problem)
    change { $0.isOn = false }
    stopTimer()
  }

  private func startTimer(at minute: Int?, then: @escaping @MainActor () -> Void) {
    Task { [weak self] in
      do {
        try await ReminderTimer.start(at: minute)
        then()
      } catch {
        guard let self else { return }
        show(userMessage(for: error), in: problem)
        render()
      }
    }
  }

  private func stopTimer() {
    Task {  // No widgets
      // Without the timer there is nothing to stop, and a timer that keeps running finds reminders turned off.
      try? await ReminderTimer.stop()
    }
  }

  private func show(_ text: String?, in paragraph: Widget) {
    paragraph.setText(text ?? "")
    paragraph.visible(text != nil)
  }
}

extension ReminderSettings.Frequency {
  fileprivate var title: String {
    switch self {
    case .off: trc("reminders", "Never")
    case .daily: tr("Every day")
    case .everyThreeDays: tr("Every 3 days")
    case .weekly: tr("Every week")
    }
  }
}

extension ReminderSettings.Time {
  fileprivate var title: String {
    switch self {
    case .morning: tr("Morning, {time}", ["time": Formats.time(hour: hour)])
    case .afternoon: tr("Afternoon, {time}", ["time": Formats.time(hour: hour)])
    case .evening: tr("Evening, {time}", ["time": Formats.time(hour: hour)])
    }
  }
}
