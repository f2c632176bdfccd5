import EventStore
import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// Starts over with an empty garden on a computer without an account. With an account, the account dialog does it.
final class StartOverSection: PreferencesSection {
  let groups: [Widget]
  weak var window: (any DialogParent)?

  private let context: WindowContext
  private let group: Widget

  init(_ context: WindowContext) {
    self.context = context
    // A longer label would not fit a narrow window with large text.
    let delete = button(tr("Start Over"), "destructive-action") {}.valign(.center)
    let row = GtkKit.row(
      tr("Delete everything"), tr("Removes the garden from this computer. A copy and the backups stay."), end: delete)
    group = settingsGroup(tr("Start Over"), row.titleLines(0).subtitleLines(0))
    groups = [group]
    delete.on("clicked") { [weak self] in self?.deleteEverything() }
    row.keeps(self)
    context.follow(row) { [weak self] in self?.render() }
  }

  private func render() {
    group.visible(context.accountModel.account == nil && context.model.garden.eventCount > 0)
  }

  private func deleteEverything() {
    guard let window else { return }
    let context = context
    context.attempt(in: window.foot) {
      let isSure = await askForWord(
        over: window.widget, tr("Delete everything on this computer?"),
        tr(
          "This deletes all entries, earlier pages and drafts of your garden. Trunk first makes a backup and a copy, which stay on this computer."
        ), in: window.foot)
      guard isSure else { return }
      let copy = try await context.accountModel.signOut.startOver()
      context.report(
        tr(
          "Everything is deleted. To bring it back, restore the newest backup. A copy is in “{file}”.",
          ["file": copy.path]), in: window.foot)
    }
  }
}
