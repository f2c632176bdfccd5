import GtkKit
import TrunkKit

/// The greeting, the notice about the sync, and the meters above every view. In a narrow window they take less room:
/// single lines in views other than Today, and only the meters while the view is scrolled.
final class GardenHeader {
  /// It is as wide as the view.
  let widget: Widget

  private let greeting: GreetingHeader
  private let meters: Meters
  private let banner: SyncBanner
  private var view = Route.today
  private var isNarrow = false
  /// Whether the view is scrolled in a narrow window.
  private var isCollapsed = false
  /// How much lower it is when collapsed, in pixels; `nil` until that is measured.
  private var gain: Int?
  private var lastScrolled: Widget?

  /// How far a view must scroll beyond the height that it gains, in pixels.
  private static let reserve = 40.0

  init(_ context: WindowContext) {
    greeting = GreetingHeader(context)
    meters = Meters(context)
    banner = SyncBanner(context)
    widget = clamp(
      column(spacing: 8, greeting.widget, banner.widget, meters.widget)
        .margin(top: 4, bottom: 4, start: 18, end: 18))
    widget.keeps(self)
  }

  /// - Parameters:
  ///   - width: the greatest width of the view's content, in pixels.
  ///   - isNarrow: whether the window is narrow.
  func show(_ view: Route, width: Int, isNarrow: Bool) {
    (self.view, self.isNarrow) = (view, isNarrow)
    widget.setClamp(width: width)
    gain = nil
    isCollapsed = false
    // Results of a search start at the top, without the greeting.
    widget.visible(view != .search())
    greeting.isFolded = view != .today
    greeting.isNarrow = isNarrow
    render()
  }

  /// Collapses while something inside `views` is scrolled.
  func followScrolling(in views: Widget) {
    views.onScrollInside { [weak self] in self?.scrolled($0, to: $1) }
  }

  private func render() {
    greeting.widget.visible(!isCollapsed)
    meters.isFolded = isNarrow && (isCollapsed || view != .today)
  }

  private func scrolled(_ scrolled: Widget, to distance: Double) {
    let isSame = lastScrolled == scrolled
    lastScrolled = scrolled
    guard isNarrow, isCollapsed ? distance == 0 : distance > GardenHeader.reserve else { return }
    // Sizes are being allocated now, and must not change until the next turn of the loop.
    Task { [weak self] in self?.collapse(for: isSame ? scrolled : nil, at: distance) }
  }

  /// - Parameter scrolled: what was scrolled; `nil` if it has just appeared, scrolled as it was left.
  private func collapse(for scrolled: Widget?, at distance: Double) {
    let collapses = distance > 0
    guard isNarrow, collapses != isCollapsed else { return }
    let gain = measuredGain
    // With less, the content would be back at its top, which expands the header again.
    guard !collapses || scrolled == nil || distance > Double(gain) + GardenHeader.reserve else { return }
    isCollapsed = collapses
    render()
    // The content stays in its place on the screen: its room grows at the top.
    if collapses { scrolled?.scroll(by: -Double(gain)) }
  }

  private var measuredGain: Int {
    if let gain { return gain }
    let width = widget.width
    let full = widget.height(at: width)
    isCollapsed = true
    render()
    let gain = full - widget.height(at: width)
    isCollapsed = false
    render()
    self.gain = gain
    return gain
  }
}
