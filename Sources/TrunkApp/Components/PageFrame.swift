import GtkKit
import Localization

/// A page over a view: a bar with a button that leads back, and content that scrolls.
final class PageFrame {
  let widget: Widget

  /// The pages before and after a page, usually in a circle.
  struct Siblings {
    let previous: String
    let next: String
    /// Called with -1 or 1.
    let onMove: @MainActor (Int) -> Void
    /// `false` at the ends of a sequence that isn't a circle.
    var hasPrevious = true
    var hasNext = true
  }

  private let scroller: Widget
  private let back: Widget

  /// - Parameters:
  ///   - width: the greatest width of the content, in pixels.
  ///   - siblings: the pages that Alt with an arrow key opens. Without siblings, Alt and the left arrow leave the page.
  ///   - onBack: called when the user wants to leave the page.
  init(_ content: Widget, width: Int = columnWidth, siblings: Siblings? = nil, onBack: @escaping @MainActor () -> Void)
  {
    back = iconButton("go-previous-symbolic", name: tr("Back"), action: onBack)
    let bar = line(spacing: 4, back.hexpand().halign(.start))
    if let siblings {
      bar.append(
        iconButton("go-up-symbolic", name: siblings.previous) { siblings.onMove(-1) }.sensitive(siblings.hasPrevious),
        iconButton("go-down-symbolic", name: siblings.next) { siblings.onMove(1) }.sensitive(siblings.hasNext))
    }
    scroller = scrolled(clamp(content.margin(top: 4, bottom: 28, start: 18, end: 18), width: width))
    widget = column(clamp(bar.margin(top: 6, bottom: 2, start: 10, end: 10)), scroller)
    widget.onKey { press in
      switch press.key {
      case .escape: onBack()
      case .left where press.modifiers == .alt:
        if siblings?.hasPrevious != false { siblings.map { $0.onMove(-1) } ?? onBack() }
      case .right where press.modifiers == .alt && siblings != nil:
        if siblings?.hasNext == true { siblings?.onMove(1) }
      default: return false
      }
      return true
    }
    widget.keeps(self)
  }

  func focus() { back.focus() }

  /// Calls `handler` when the content is scrolled to its end.
  func onEnd(_ handler: @escaping @MainActor () -> Void) { scroller.onScrolledToEnd(handler) }
}
