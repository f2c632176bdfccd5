import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// Says on Today, until the user has read it, that no keyring stores the sign-in. Afterwards the account says it.
final class KeyringCard {
  let widget: Widget

  private let context: WindowContext
  private let text = paragraph("")
  private let remedy = button("", command: "win.unlock-keyring")

  init(_ context: WindowContext) {
    self.context = context
    let dismiss = button(tr("All Right")) {}
    widget = wrapping(
      spacing: 12, text.hexpand().valign(.center),
      line(spacing: 8, button(tr("Account"), "link", command: "win.account"), remedy, dismiss).valign(.center)
    ).css("card")
    widget.keeps(self)
    dismiss.on("clicked") {
      context.attempt { [settings = context.settings] in try settings.set(knowsOfMissingKeyring: true) }
    }
    context.follow(widget, sync: true) { [weak self] in self?.render() }
  }

  private func render() {
    let accountModel = context.accountModel
    let problem = accountModel.isForThisRunOnly ? accountModel.vaultProblem : nil
    widget.visible(problem != nil && !context.settings.knowsOfMissingKeyring)
    remedy.visible(problem?.remedy != nil)
    remedy.setButtonText(problem?.remedy ?? "")
    text.setText((problem?.message ?? "") + " " + tr("You stay signed in until Trunk is closed."))
  }
}
