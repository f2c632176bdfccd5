import Garden
import Gardening
import GtkKit
import Localization

/// The user's name and time zone, wherever they are shown: those of the account; without one the name for the greeting
/// of this computer. Every change holds at once.
final class ProfileSection {
  let widget: Widget
  /// The window that it is in.
  weak var window: DialogWindow?

  private let session: Session
  private let name: Widget
  private let zone = row("", end: icon("go-next-symbolic")) {}
  private let note = paragraph("", "hint")
  private var changes: Connection?
  private var saving: Timeout?
  /// What was typed and is not kept yet; known here too, because the field may be gone before it is.
  private var typed: String?
  private var isFocused = false

  /// Typing is over when it rests for this many milliseconds.
  private static let pause = 600

  init(_ session: Session) {
    self.session = session
    let hasAccount = session.synchroniser.account != nil
    name = entryRow(hasAccount ? tr("Name") : tr("Name in the greeting"), text: session.synchroniser.userName)
    adw_action_row_set_subtitle_lines(zone.cast(), 0)
    widget = column(
      spacing: 8, sectionHeader(tr("You")), boxedList(name, zone.visible(hasAccount)), note.margin(start: 4, end: 4))
    changes = name.on("changed") { [weak self] in self?.nameChanged() }
    zone.on("activated") { [weak self] in self?.chooseZone() }
    name.onFocus { [weak self] in
      self?.isFocused = $0
      self?.render()
    }
    widget.on("destroy") { [weak self] in self?.saveName() }
    widget.keeps(self)
    session.follow(widget, sync: true) { [weak self] in self?.render() }
  }

  private func render() {
    let synchroniser = session.synchroniser
    // What comes from another device must not get between somebody's letters.
    if typed == nil, !isFocused, name.text != synchroniser.userName {
      changes?.withoutNotice { name.text = synchroniser.userName }
    }
    guard synchroniser.account != nil else {
      note.visible(false)
      return
    }
    let own = Formats.place(session.gardener.garden.zone.identifier)
    let chosen = synchroniser.timeZone.map { Formats.place(clamped($0, to: oneLineLimit)) }
    zone.setRow(tr("Time zone"), chosen ?? tr("As each device is set, here {zone}", ["zone": own]))
    var notes = [
      chosen == nil
        ? tr("Kept with your account. With a time zone, your day begins at the same moment on all your devices.")
        : tr("Kept with your account: by this time zone your day begins at 06:00 on all your devices.")
    ]
    if synchroniser.isTimeZoneUnknown, let chosen {
      notes = [
        tr(
          "This computer does not know the time zone “{zone}” of your account, and goes by its own: {own}.",
          ["zone": chosen, "own": own])
      ]
    }
    if synchroniser.isNameOfComputer {
      notes.append(tr("The account has no name yet: this one is from this computer."))
    }
    if let unsent = synchroniser.profileNote { notes.append(unsent) }
    note.setText(notes.joined(separator: " "))
  }

  private func chooseZone() {
    if let window { ZonePicker(session, over: window).present() }
  }

  private func nameChanged() {
    typed = name.text.trimmed.description
    saving = Timeout.after(milliseconds: ProfileSection.pause) { [weak self] in self?.saveName() }
  }

  private func saveName() {
    saving = nil
    guard let name = typed else { return }
    typed = nil
    let synchroniser = session.synchroniser
    guard name != synchroniser.userName else { return }
    session.attempt(in: window?.toaster) { try await synchroniser.set(userName: name) }
  }
}
