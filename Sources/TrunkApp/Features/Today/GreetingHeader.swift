import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// The top of Today: a greeting for the time of day, and where the garden is kept.
final class GreetingHeader {
  let widget: Widget

  /// Called when a name was typed in the greeting and Enter pressed.
  var onName: (() -> Void)? {
    get { naming.onEnter }
    set { naming.onEnter = newValue }
  }

  private let context: WindowContext
  private let phrase = paragraph("", "greeting")
  private let naming: NameWord
  private let place: Widget
  private let placeName = label(tr("This computer only"), "hint").ellipsize(.none)
  private let indicator: SyncIndicator
  private let account: Widget

  init(_ context: WindowContext) {
    self.context = context
    // Both colours are in one label, so that a long greeting wraps as one text.
    place = button("", "flat", "place", command: "win.storage")
    place.setChild(
      line(
        spacing: 6, icon("computer-symbolic"),
        droppable(placeName, label(tr("Only here"), "hint").ellipsize(.none))))
    place.accessibleName(tr("Kept on this computer only")).tooltip(tr("Where your garden is kept"))
    indicator = SyncIndicator(context)
    naming = NameWord(context)
    account = avatarButton(size: 30, name: tr("Account"), command: "win.account")
    widget = line(spacing: 12, phrase.hexpand(), naming.widget.hexpand(), place, indicator.widget, account)
    widget.keeps(self)
    context.follow(widget, sync: true) { [weak self] in self?.render() }
  }

  /// Whether to leave out details, for narrow windows.
  var isNarrow = false {
    didSet {
      guard isNarrow != oldValue else { return }
      placeName.visible(!isNarrow)
      indicator.isNarrow = isNarrow
      phrase.css("small", when: isNarrow)
      naming.isNarrow = isNarrow
    }
  }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    let isFirstDay = garden.firstDays(at: now).isFirst
    let isFirstSprout = isFirstDay && garden.sprouts.count == 1
    let greeting = isFirstSprout ? tr("Your first sprout is planted") : Greeting.phrase(at: now, in: garden.zone)
    let isLocal = context.accountModel.signInState == .local
    place.visible(isLocal)
    indicator.widget.visible(!isLocal)
    account.setAvatar(context.accountModel.profile.name)
    let name = context.accountModel.profile.firstName
    let asksForName = name.isEmpty && isFirstDay && context.accountModel.profile.name.isEmpty
    phrase.visible(!asksForName)
    naming.show(asksForName ? greeting : nil)
    if name.isEmpty {
      phrase.setText(greeting)
    } else {
      phrase.setMarkup(
        tr(
          "{greeting}, {name}",
          [
            "greeting": escaped(greeting),
            "name": "<span weight=\"normal\" alpha=\"72%\">\(escaped(oneLine(name)))</span>",
          ]))
    }
  }
}
