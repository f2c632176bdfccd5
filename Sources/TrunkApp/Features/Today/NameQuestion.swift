import GtkKit
import Localization
import TrunkKit

/// Asks once for the name in the greeting, if none is known.
final class NameQuestion {
  let widget: Widget

  private let context: WindowContext
  private let field = entry(name: tr("Your first name"), placeholder: tr("Your first name"))

  init(_ context: WindowContext) {
    self.context = context
    let buttons = line(
      spacing: 8, button(tr("Save Name")) {}, button(tr("Not Now"), "link") {})
    widget = column(
      spacing: 10, paragraph(tr("What should the greeting call you?"), "semibold"),
      wrapping(spacing: 10, field.hexpand(), buttons.valign(.center)),
      paragraph(tr("You can change it in the preferences."), "hint")
    ).css("card")
    buttons.children.first?.on("clicked") { [weak self] in self?.save() }
    buttons.children.last?.on("clicked") { [weak self] in self?.dismiss() }
    field.on("activate") { [weak self] in self?.save() }
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.render() }
  }

  private func render() {
    let isKnown = !context.accountModel.profile.name.isEmpty
    let isEarly = context.model.garden.isEmpty || context.model.awaitsInitialSync
    widget.visible(!isKnown && !isEarly && !context.settings.wasAskedForName)
  }

  private func save() {
    let name = field.text.trimmed.description
    guard !name.isEmpty else {
      field.focus()
      return
    }
    let context = context
    context.attempt {
      try context.settings.setAskedForName()
      try await context.accountModel.profile.set(name: name)
    }
  }

  private func dismiss() {
    let context = context
    context.attempt { try context.settings.setAskedForName() }
  }
}
