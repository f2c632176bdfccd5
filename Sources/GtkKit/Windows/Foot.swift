import CGtk
import CShim

/// The line below the content of a window. It shows, by priority: what has happened, such as an action that can be
/// undone; what needs the user; what is pointed at; a sentence about the page. It is always there, so that nothing
/// moves when it changes, and covers nothing. Screen readers say what has happened and what needs the user.
@MainActor public final class Foot {
  /// The content above the line.
  public let widget: Widget = column()

  /// Whether its window still exists. After that, the line can't be seen.
  public var isOnScreen: Bool { gtk_widget_get_root(widget) != nil }

  /// Something that needs the user. It stays until it is solved or put off.
  public struct Trouble {
    let text: String
    let buttons: [Widget]

    /// - Parameter buttons: what can be done about it.
    public init(_ text: String, buttons: [Widget]) { (self.text, self.buttons) = (text, buttons) }
  }

  /// What needs the user; `nil` if nothing does.
  public var trouble: Trouble? {
    didSet {
      showTrouble()
      if let text = trouble?.text, text != oldValue?.text { widget.announce(text) }
    }
  }

  /// What is pointed at, in one line; `nil` if nothing is.
  public var pointed: String? {
    didSet { if pointed != oldValue { showRest() } }
  }

  /// A sentence about the page.
  public var sentence = "" {
    didSet { if sentence != oldValue { showRest() } }
  }

  /// A link about the page, after the sentence; `nil` if there is none.
  public var link: Widget? {
    didSet {
      // Stays in its place while it is hidden, because nothing else keeps it.
      if let link { linkPlace.setChild(link) }
      showRest()
    }
  }

  private let closeName: String
  private let content = bin()
  private let bar: Widget = column(spacing: 0)
  private let rest = paragraph("")
  private let linkPlace = bin()
  private let restLine: Widget
  private let troublePlace = bin()
  /// The last one is shown. Earlier ones stay until they are dismissed, and reappear one after the other.
  private var messages: [FootMessage] = []
  // Work that was started in a window may finish and show a message after the window was closed.
  private let reference: Reference

  /// The least height of the line in pixels.
  public static let height = 42

  /// - Parameter closeName: the accessible name of the button that dismisses a message.
  public init(closeName: String) {
    self.closeName = closeName
    restLine = line(spacing: 12, rest.hexpand().valign(.center), linkPlace.valign(.center).halign(.end)).css(
      "foot-line")
    reference = Reference(retaining: widget)
    bar.css("foot").size(height: Foot.height).vexpand(false)
    showRest()
    for part in [restLine, troublePlace] { bar.append(part.vexpand()) }
    widget.append(content.vexpand(), bar)
    update()
  }

  /// The height of the line at a width, in pixels.
  func lineHeight(at width: Int) -> Int { bar.height(at: width) }

  /// Sets the content above the line.
  public func setContent(_ content: Widget) { self.content.setChild(content) }

  /// Shows a text, without markup, for some seconds. The time restarts when the pointer or the focus leaves the
  /// message. The new message replaces the current one, which reappears later only if its `seconds` are 0.
  ///
  /// - Parameters:
  ///   - seconds: 0 shows it until it is dismissed; by default it is shown for 5 seconds, or 8 if it undoes something.
  ///   - button: a title and an action; pressing the button also dismisses the message.
  ///   - keys: the keys that press the button, shown beside it.
  ///   - isUndo: whether the button undoes something that only this message can undo; `undo` then presses it.
  ///   - whenClosed: called when the user closes the message.
  @discardableResult
  public func show(
    _ text: String, seconds: Int? = nil, button: (title: String, action: @MainActor () -> Void)? = nil,
    keys: String? = nil, isUndo: Bool = false, whenClosed: @escaping @MainActor () -> Void = {}
  ) -> FootMessage {
    if let last = messages.last, last.seconds > 0 { end(last) }
    let message = FootMessage(self, text, seconds ?? (isUndo ? 8 : 5), button, keys: keys, closeName: closeName)
    if isUndo { message.undo = button?.action }
    message.whenClosed = whenClosed
    messages.append(message)
    bar.append(message.widget.vexpand())
    update()
    widget.announce([text, button?.title, keys].compactMap(\.self).joined(separator: ", "))
    return message
  }

  /// Presses the button of the current message if it undoes something.
  /// - Returns: whether it does.
  public func undo() -> Bool {
    guard let message = messages.last, let undo = message.undo else { return false }
    undo()
    message.dismiss()
    return true
  }

  fileprivate func end(_ message: FootMessage) {
    guard let position = messages.firstIndex(where: { $0 === message }) else { return }
    messages.remove(at: position)
    bar.remove(message.widget)
    update()
  }

  private func showTrouble() {
    troublePlace.setChild(
      trouble.map { trouble in
        let buttons = line(spacing: 6)
        for button in trouble.buttons { buttons.append(button) }
        return line(
          spacing: 12, paragraph(trouble.text, "trouble").hexpand().valign(.center), buttons.valign(.center)
        ).css("foot-line")
      })
    update()
  }

  private func showRest() {
    let text = pointed ?? sentence
    rest.setText(text)
    rest.visible(!text.isEmpty)
    // Without a sentence before it, the link is at the end too.
    linkPlace.visible(link != nil).hexpand(text.isEmpty)
    update()
  }

  private func update() {
    for message in messages { message.widget.visible(message === messages.last) }
    troublePlace.visible(messages.isEmpty && trouble != nil)
    restLine.visible(messages.isEmpty && trouble == nil)
    let isEmpty = restLine.isVisible && (pointed ?? sentence).isEmpty && link == nil
    bar.css("empty", when: isEmpty)
  }
}

/// A message about what has happened, which is visible or waits to be shown again.
@MainActor public final class FootMessage {
  fileprivate let widget: Widget
  /// 0 if it stays until it is dismissed.
  fileprivate let seconds: Int
  private var timeout: Timeout?
  private var isHovered = false { didSet { countDown() } }
  private var isFocused = false { didSet { countDown() } }
  private weak var foot: Foot?
  /// The action of a button that undoes something.
  fileprivate var undo: (@MainActor () -> Void)?
  fileprivate var whenClosed: @MainActor () -> Void = {}

  fileprivate init(
    _ foot: Foot, _ text: String, _ seconds: Int, _ button: (title: String, action: @MainActor () -> Void)?,
    keys: String?, closeName: String
  ) {
    self.foot = foot
    self.seconds = seconds
    widget = trunk_alert_new(6)
    widget.append(paragraph(text).hexpand().valign(.center))
    widget.css("message")
    if let (title, action) = button {
      widget.append(
        GtkKit.button(title) { [weak self] in
          action()
          self?.dismiss()
        }.leavesFocus().valign(.center))
    }
    if let keys { widget.append(droppable(label(keys, "keys")).valign(.center)) }
    let cross = iconButton("window-close-symbolic", name: closeName) { [weak self] in
      self?.whenClosed()
      self?.dismiss()
    }
    widget.append(cross.css("circular").leavesFocus().valign(.center))
    guard seconds > 0 else { return }
    widget.onPointer { [weak self] place in self?.isHovered = place != nil }
    widget.onFocus { [weak self] in self?.isFocused = $0 }
    countDown()
  }

  /// Starts the time again, or stops it while the pointer or focus is on the message, so that its buttons don't
  /// disappear.
  private func countDown() {
    timeout =
      isHovered || isFocused ? nil : Timeout.after(milliseconds: seconds * 1000) { [weak self] in self?.dismiss() }
  }

  /// Dismisses the message early.
  public func dismiss() {
    foot?.end(self)
  }
}

@MainActor extension Widget {
  /// Keeps the focus in the text field when this button is clicked.
  fileprivate func leavesFocus() -> Widget {
    gtk_widget_set_focus_on_click(self, 0)
    return self
  }
}
