import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// Edits the account's name and time zone or, without an account, this computer's name for the greeting. Changes apply
/// immediately.
final class ProfileSection: PreferencesSection {
  let group: Widget
  var groups: [Widget] { [group] }
  weak var window: (any DialogParent)?

  private let context: WindowContext
  private let name: Widget
  private let zone = row("", end: icon("go-next-symbolic")) {}
  private let note = paragraph("", "hint")
  private var changes: Connection?
  private var saving: Timeout?
  /// The typed text that is not saved yet. Kept here because the field may be destroyed before it is saved.
  private var typed: String?
  private var isFocused = false

  /// The pause in typing, in milliseconds, after which the name is saved.
  private static let pause = 600

  init(_ context: WindowContext) {
    self.context = context
    let hasAccount = context.accountModel.account != nil
    name = entryRow(hasAccount ? tr("Name") : tr("Name in the greeting"), text: context.accountModel.profile.name)
    group = settingsGroup(
      tr("You"), name, zone.subtitleLines(0).visible(hasAccount), note.margin(top: 8, start: 4, end: 4))
    changes = name.onTextChange { [weak self] in self?.nameChanged() }
    zone.on("activated") { [weak self] in self?.chooseZone() }
    name.onFocus { [weak self] in
      self?.isFocused = $0
      self?.render()
    }
    group.on("destroy") { [weak self] in self?.saveName() }
    // Not the group, which libadwaita 1.2 never frees.
    note.keeps(self)
    context.follow(group, sync: true) { [weak self] in self?.render() }
  }

  private func render() {
    let accountModel = context.accountModel
    // A change from another device must not interrupt typing.
    if typed == nil, !isFocused, name.text != accountModel.profile.name {
      changes?.withoutNotice { name.text = accountModel.profile.name }
    }
    guard accountModel.account != nil else {
      note.visible(false)
      return
    }
    let own = Formats.place(context.model.garden.zone.identifier)
    let chosen = accountModel.profile.timeZone.map { Formats.place(clamped($0, to: oneLineLimit)) }
    zone.setRow(tr("Time zone"), chosen ?? tr("Each device’s own time zone, here {zone}", ["zone": own]))
    var notes = [
      tr(
        "Saved in your account. It decides the day of entries that don’t record where they were written. Your new entries use the time zone of this computer."
      )
    ]
    if accountModel.profile.isTimeZoneUnknown, let chosen {
      notes = [
        tr(
          "This computer does not know your account’s time zone “{zone}”. It uses its own: {own}.",
          ["zone": chosen, "own": own])
      ]
    }
    if accountModel.profile.isNameOfComputer {
      notes.append(tr("Your account has no name yet. The name shown is saved only on this computer."))
    }
    if let unsent = accountModel.profile.note([.name, .timeZone]) { notes.append(unsent) }
    note.setText(notes.joined(separator: " "))
  }

  private func chooseZone() {
    if let window { ZonePicker.present(context, over: window) }
  }

  private func nameChanged() {
    typed = name.text.trimmed.description
    saving = Timeout.after(milliseconds: ProfileSection.pause) { [weak self] in self?.saveName() }
  }

  private func saveName() {
    saving = nil
    guard let name = typed else { return }
    typed = nil
    let accountModel = context.accountModel
    guard name != accountModel.profile.name else { return }
    context.attempt(in: window?.foot) { try await accountModel.profile.set(name: name) }
  }
}
