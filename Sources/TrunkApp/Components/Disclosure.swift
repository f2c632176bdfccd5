import GtkKit

/// A quiet link that shows something below it, and hides it again.
final class Disclosure {
  /// The link.
  let link: Widget

  /// Whether the content is shown.
  var isOpen = false {
    didSet {
      content.visible(isOpen)
      show()
    }
  }

  /// Whether there is anything to show.
  var isShown = true {
    didSet {
      link.visible(isShown)
      content.visible(isShown && isOpen)
    }
  }

  /// Called when the user has opened the content.
  var onOpen: (() -> Void)?

  private let content: Widget
  private let text = label("")
  private let arrow = icon("pan-end-symbolic")
  private var title: String

  init(_ title: String, _ content: Widget) {
    (self.title, self.content) = (title, content)
    link = contentButton(line(spacing: 3, text, arrow)).css("text-button", "link", "flush").halign(.start)
    content.visible(false)
    link.on("clicked") { [weak self] in
      guard let self else { return }
      isOpen.toggle()
      guard isOpen else { return }
      // It may have opened below what is visible.
      content.scrollIntoView()
      onOpen?()
    }
    show()
    link.keeps(self)
  }

  /// Changes the text of the link.
  func setTitle(_ title: String) {
    self.title = title
    show()
  }

  private func show() {
    text.setText(title)
    arrow.setIcon(isOpen ? "pan-down-symbolic" : "pan-end-symbolic")
    link.accessibleName(title)
    link.expanded(isOpen)
  }
}
