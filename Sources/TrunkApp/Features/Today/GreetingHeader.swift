import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// The top of every view: a greeting for the time of day, where the garden is kept, and one line that summarises the
/// day below a thin rule. Views other than Today collapse it to one line.
final class GreetingHeader {
  let widget: Widget

  private let context: WindowContext
  private let phrase = paragraph("", "greeting")
  private let summary = paragraph("", "hint")
  private let rule = GtkKit.rule().css("rule")
  private let line: Widget
  private let place: Widget
  private let placeName = label(tr("This computer only"), "hint").ellipsize(.none)
  private let indicator: SyncIndicator
  private let account: Widget

  init(_ context: WindowContext) {
    self.context = context
    // Both colours are in one label, so that a long greeting wraps as one text.
    place = button("", "flat", "place", command: "win.storage")
    place.setChild(
      GtkKit.line(
        spacing: 6, icon("computer-symbolic"),
        droppable(placeName, label(tr("Only here"), "hint").ellipsize(.none))))
    place.accessibleName(tr("Kept on this computer only")).tooltip(tr("Where your garden is kept"))
    indicator = SyncIndicator(context)
    account = avatarButton(size: 30, name: tr("Account"), command: "win.account")
    line = GtkKit.line(spacing: 12, phrase.hexpand(), place, indicator.widget, account)
    widget = column(spacing: 8, line, rule, summary)
    widget.keeps(self)
    context.follow(widget, sync: true) { [weak self] in self?.render() }
  }

  /// Whether it is collapsed to one line, for views with their own title.
  var isFolded = false {
    didSet {
      rule.visible(!isFolded)
      summary.visible(!isFolded)
      phrase.css("folded", when: isFolded)
      if isFolded != oldValue { layOut() }
    }
  }

  /// Whether to leave out details, for narrow windows.
  var isNarrow = false {
    didSet {
      guard isNarrow != oldValue else { return }
      placeName.visible(!isNarrow)
      indicator.isNarrow = isNarrow
      phrase.css("small", when: isNarrow)
      layOut()
    }
  }

  /// Collapsed, the greeting has one line, or two small ones in a narrow window.
  private func layOut() {
    phrase.lines(isFolded ? (isNarrow ? 2 : 1) : -1).ellipsize(isFolded ? .end : .none)
    render()
  }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    let greeting = Greeting.phrase(at: now, in: garden.zone)
    let isLocal = context.accountModel.signInState == .local
    place.visible(isLocal)
    indicator.widget.visible(!isLocal)
    account.setAvatar(context.accountModel.profile.name)
    // A collapsed header of a narrow window has room for the greeting alone.
    let name = isFolded && isNarrow ? "" : context.accountModel.profile.firstName
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
    // Until the initial sync is done, there is nothing to summarise.
    summary.setText(context.model.awaitsInitialSync ? "" : summary(of: garden, now: now))
  }

  /// `6 growing · 1 ready to harvest · 2 waterings left`.
  private func summary(of garden: Garden, now: Instant) -> String {
    let growing = garden.growing.count
    if growing == 0 { return tr("Nothing is growing yet.") }
    let ready = garden.ready(at: now).count
    let left = garden.waterLeft(at: now)
    var parts = [trn("{n} growing", "{n} growing", growing)]
    if ready > 0 { parts.append(trn("{n} ready to harvest", "{n} ready to harvest", ready)) }
    // Waterings left over when no sprout needs any are not mentioned.
    let isWatered = left == 0 || garden.needingWater(at: now).isEmpty
    if let rest = context.rest {
      parts.append(tr("resting until {date}", ["date": Formats.dayAndYear(rest.last, today: context.today)]))
    } else {
      parts.append(
        isWatered ? tr("watered for today") : trn("{n} watering left today", "{n} waterings left today", left))
    }
    return parts.joined(separator: " · ")
  }
}
