import GtkKit
import Localization
import TrunkKit

/// What the header bar shows of the day and the sync while another view than Today is open: the drops and the sun as
/// one button to Today, if there is room, and where the garden is kept.
final class HeaderStatus {
  let widget: Widget

  private let context: WindowContext
  private var view = Route.today
  private var hasRoom = false
  private let drops = Drops(filled: 3)
  private let disc = SunDisc(isReady: true)
  private let day: Widget
  private let indicator: SyncIndicator
  private let place = iconButton(
    "computer-symbolic", name: tr("Kept on this computer only"), command: "win.storage")

  init(_ context: WindowContext) {
    self.context = context
    day = contentButton(line(spacing: 10, drops.widget, disc.widget), command: "win.view::today").css("flat", "day")
    indicator = SyncIndicator(context)
    indicator.isCloudOnly = true
    widget = line(spacing: 2, day, place, indicator.widget)
    widget.keeps(self)
    context.follow(widget, sync: true) { [weak self] in self?.render() }
  }

  /// - Parameter hasRoom: whether the window has room for the drops and the sun.
  func show(_ view: Route, hasRoom: Bool) {
    (self.view, self.hasRoom) = (view, hasRoom)
    render()
  }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    let days = garden.firstDays(at: now)
    let isFirstWindow = days.isBeforePlanting && !context.model.awaitsInitialSync
    let isLocal = context.accountModel.signInState == .local
    // Today has its own, except in the first window. What isn't shown keeps its place, so that the tabs stay where they
    // are.
    widget.isAway(view == .today && !isFirstWindow)
    place.visible(isLocal).isAway(isFirstWindow)
    day.visible(hasRoom).isAway(!days.showsMeters)
    indicator.widget.visible(!isLocal)
    (drops.filled, drops.total) = garden.drops(at: now)
    disc.isReady = garden.sunLeft(at: now) > 0
    disc.widget.isAway(!days.showsSun)
    let water = trn("{n} watering left today", "{n} waterings left today", drops.filled)
    let state =
      disc.isReady
      ? tr("Today: {water}, {sun}", ["water": water, "sun": tr("Sun: ready")]) : tr("Today: {water}", ["water": water])
    day.accessibleName(state).tooltip(state)
  }
}
