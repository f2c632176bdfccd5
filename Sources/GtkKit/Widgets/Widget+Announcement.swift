import CGtk
import CShim
import Glibc

// What screen readers say of a change that the focus doesn't lead to, such as an error or what can be undone.
//
// GTK can announce a text from version 4.14 on. With an older one, the text is added to the description of the widget
// that has the focus, because screen readers say each change of that one, and only of that one. That waits until the
// focus has settled and was read; otherwise the text would be read with it, and again as a change.

@MainActor extension Widget {
  /// Lets screen readers say a text once, wherever the focus is in this widget's window.
  public func announce(_ text: String) {
    guard !text.isEmpty, let window = gtk_widget_get_root(self)?.widget else { return }
    if let gtkAnnounce {
      return gtkAnnounce((window.focusedWidget?.described ?? window).cast(), clamped(text), mediumPriority)
    }
    Announcements.waiting.append(text)
    let reference = WeakReference(window)
    Announcements.delay = Timeout.after(milliseconds: Announcements.settlingTime) {
      let text = Announcements.waiting.joined(separator: " ")
      Announcements.waiting = []
      reference.widget?.focusedWidget?.described.describe(announcing: text)
    }
  }

  /// Moves the focus to this widget and lets screen readers say a text with its name.
  /// - Returns: whether it has the focus now.
  @discardableResult
  public func focus(saying text: String) -> Bool {
    // The description changes before the focus moves, so that it is said only once.
    if gtkAnnounce == nil { describe(announcing: text) }
    defer { if gtkAnnounce != nil { announce(text) } }
    return focus()
  }

  /// Sets the accessible description, which a screen reader adds to the name.
  @discardableResult
  public func accessibleDescription(_ description: String) -> Widget {
    let description = clamped(description)
    g_object_set_data_full(cast(), descriptionKey, g_strdup(description), g_free)
    // An announcement stays until the focus leaves.
    if g_object_get_data(cast(), announcementKey) == nil { trunk_accessible_description(self, description) }
    return self
  }

  /// Tells screen readers the description before this widget gets the focus. By itself, GTK 4.8 does so right after the
  /// first focus, with which it is already read.
  func reportDescription() {
    guard g_object_get_data(cast(), descriptionKey) != nil, !hasFocus else { return }
    // From the first change of such a property on, GTK reports what happens to a widget. Orca 43 would then not read a
    // text view that gets the focus.
    if !takesLetters { focusable(!isFocusable).focusable(!isFocusable) }
    if g_object_get_data(cast(), announcementKey) == nil { trunk_accessible_description(self, ownDescription) }
  }

  /// The accessible description without an announcement.
  private var ownDescription: String {
    g_object_get_data(cast(), descriptionKey).map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
  }

  /// The widget that has the accessible description: an entry, and not the text inside it.
  private var described: Widget {
    if isA(gtk_text_get_type()), let entry = parent { entry } else { self }
  }

  /// Adds a text to the description until the focus leaves this widget.
  private func describe(announcing text: String) {
    if g_object_get_data(cast(), announcementKey) == nil {
      g_object_set_data(cast(), announcementKey, address)
      followLeaving()
    } else {
      // The same text again is a change too.
      trunk_accessible_description(self, "")
    }
    trunk_accessible_description(self, [clamped(text), ownDescription].filter { !$0.isEmpty }.joined(separator: " "))
  }

  /// Ends announcements when the focus leaves this widget.
  private func followLeaving() {
    guard g_object_get_data(cast(), leavingKey) == nil else { return }
    g_object_set_data(cast(), leavingKey, address)
    onFocus { [self] isInside in
      guard !isInside, g_object_get_data(cast(), announcementKey) != nil else { return }
      g_object_set_data(cast(), announcementKey, nil)
      trunk_accessible_description(self, ownDescription)
    }
  }
}

/// Announcements that wait until the focus was read.
@MainActor private enum Announcements {
  static var waiting: [String] = []
  static var delay: Timeout?
  /// How long Orca needs at most to read where the focus is, in milliseconds.
  static let settlingTime = 300
}

/// GTK's own announcement; `nil` before GTK 4.14, whose headers don't declare it.
private let gtkAnnounce = dlsym(nil, "gtk_accessible_announce").map {
  unsafeBitCast($0, to: (@convention(c) (OpaquePointer, UnsafePointer<CChar>, CInt) -> Void).self)
}
/// `GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM`: after what is being read.
private let mediumPriority: CInt = 1

private let descriptionKey = "trunk-description"
private let announcementKey = "trunk-announcement"
private let leavingKey = "trunk-leaving"
