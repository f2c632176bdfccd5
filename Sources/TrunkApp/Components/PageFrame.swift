import GtkKit
import Localization

/// A page over a view: a bar with a button that leads back, and content that scrolls.
final class PageFrame {
  let widget: Widget

  /// The pages beside a page, which Alt+↑ and Alt+↓ open.
  struct Siblings {
    /// `nil` at the ends of a sequence that isn't a circle.
    let above, below: Sibling?

    /// Two buttons that open the pages.
    var buttons: Widget {
      func arrow(_ icon: String, _ sibling: Sibling?) -> Widget {
        iconButton(icon, name: sibling?.name ?? "") { sibling?.open() }.visible(sibling != nil)
      }
      return line(spacing: 4, arrow("go-up-symbolic", above), arrow("go-down-symbolic", below))
    }
  }

  struct Sibling {
    /// The name of the button.
    let name: String
    let open: @MainActor () -> Void

    init(_ name: String, open: @escaping @MainActor () -> Void) { (self.name, self.open) = (name, open) }
  }

  private let scroller: Widget
  private let back: Widget

  /// - Parameters:
  ///   - header: stays above the content.
  ///   - width: the greatest width of the content, in pixels.
  ///   - showsSiblings: whether the bar has the buttons that open the pages beside; otherwise the content has them.
  ///   - onBack: called when the user wants to go back; `nil` if the page was not opened.
  init(
    _ content: Widget, below header: Widget? = nil, width: Int = columnWidth, siblings: Siblings? = nil,
    showsSiblings: Bool = true,
    onBack: (@MainActor () -> Void)?
  ) {
    back = iconButton("go-previous-symbolic", name: tr("Back")) { onBack?() }.visible(onBack != nil)
    let bar = line(spacing: 4, back.hexpand().halign(.start))
    if let siblings, showsSiblings { bar.append(siblings.buttons) }
    scroller = scrolled(clamp(content.margin(top: 4, bottom: 28, start: 18, end: 18), width: width))
    widget = column(clamp(bar.margin(top: 6, bottom: 2, start: 10, end: 10)))
    if let header { widget.append(clamp(header.margin(start: 18, end: 18), width: width)) }
    widget.append(scroller)
    widget.onKey { press in
      guard let siblings, press.modifiers == .alt else { return false }
      switch press.key {
      case .up: siblings.above?.open()
      case .down: siblings.below?.open()
      default: return false
      }
      return true
    }
    widget.keeps(self)
  }

  func focus() {
    if !back.focus() { scroller.focusFirst() }
  }

  /// Scrolls the content until a part of it is visible.
  func scroll(to part: Widget) { scroller.scroll(to: part) }

  /// Calls `handler` when the content is scrolled to its end.
  func onEnd(_ handler: @escaping @MainActor () -> Void) { scroller.onScrolledToEnd(handler) }
}
