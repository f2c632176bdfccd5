import GtkKit
import Localization

/// A page over a view: a bar with a button that leads back, and content that scrolls.
final class PageFrame {
  let widget: Widget

  /// The pages beside a page, which two buttons and Alt+↑ and Alt+↓ open.
  final class Siblings {
    /// Opens a page; `nil` if there is none, as at the ends of a list.
    var above: (@MainActor () -> Void)? { didSet { show() } }
    var below: (@MainActor () -> Void)? { didSet { show() } }

    /// Hidden without pages beside. At an end, one of them is insensitive: if it were gone, the other one would come
    /// under the pointer.
    let buttons: Widget
    private var up = bin(), down = bin()

    /// - Parameters:
    ///   - above: the name of the button that opens the page above.
    ///   - below: that of the other one.
    ///   - areTimes: whether the page below is an earlier time; the buttons then point to the left and to the right.
    init(above: String, below: String, areTimes: Bool = false) {
      buttons = line(spacing: 4)
      up = iconButton(areTimes ? "go-next-symbolic" : "go-up-symbolic", name: above) { [weak self] in self?.above?() }
      down = iconButton(areTimes ? "go-previous-symbolic" : "go-down-symbolic", name: below) { [weak self] in
        self?.below?()
      }
      if areTimes { buttons.append(down, up) } else { buttons.append(up, down) }
      buttons.keeps(self)
      show()
    }

    private func show() {
      buttons.visible(above != nil || below != nil)
      up.sensitive(above != nil)
      down.sensitive(below != nil)
    }
  }

  private let heading: Widget
  private let scroller: Widget

  /// - Parameters:
  ///   - heading: the label in the content that gets the focus when the page opens, so that screen readers read it.
  ///   - header: stays above the content.
  ///   - width: the greatest width of the content, in pixels.
  ///   - showsSiblings: whether the bar has the buttons that open the pages beside; otherwise the content has them.
  ///   - onBack: called when the user wants to go back; `nil` if the page was not opened.
  init(
    _ content: Widget, heading: Widget, below header: Widget? = nil, width: Int = columnWidth,
    siblings: Siblings? = nil, showsSiblings: Bool = true,
    onBack: (@MainActor () -> Void)?
  ) {
    self.heading = heading.selectable().css("page-heading")
    let back = iconButton("go-previous-symbolic", name: tr("Back")) { onBack?() }.visible(onBack != nil)
    let bar = line(spacing: 4, back.hexpand().halign(.start))
    if let siblings, showsSiblings { bar.append(siblings.buttons) }
    scroller = scrolled(clamp(content.margin(top: 4, bottom: 28, start: 18, end: 18), width: width))
    widget = column(clamp(bar.margin(top: 6, bottom: 2, start: 10, end: 10)))
    if let header { widget.append(clamp(header.margin(start: 18, end: 18), width: width)) }
    widget.append(scroller)
    widget.onKey { press in
      guard let siblings, press.modifiers == .alt else { return false }
      switch press.key {
      case .up: siblings.above?()
      case .down: siblings.below?()
      default: return false
      }
      return true
    }
    widget.keeps(self)
  }

  func focus() {
    if !heading.focus() { scroller.focusFirst() }
  }

  /// Scrolls the content until a part of it is visible.
  func scroll(to part: Widget) { scroller.scroll(to: part) }

  /// Calls `handler` when the content is scrolled to its end.
  func onEnd(_ handler: @escaping @MainActor () -> Void) { scroller.onScrolledToEnd(handler) }
}
