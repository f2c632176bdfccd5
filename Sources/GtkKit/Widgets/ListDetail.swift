import CGtk

/// A list and the page of one of its items, which slides in over the list. Going back, also by a swipe, returns to the
/// list. Libadwaita 1.4 deprecates `AdwLeaflet`.
@MainActor public final class ListDetail {
  /// Shows the list or the page.
  public let widget: Widget = adw_leaflet_new()

  /// Whether the list is shown, and not a page.
  public var isListShown: Bool { adw_leaflet_get_visible_child(leaflet) == list }

  /// Called when the list is shown again.
  public var onReturn: (@MainActor () -> Void)?

  private let list: Widget
  private let page = bin()
  private var leaflet: OpaquePointer { widget.cast() }

  public init(list: Widget) {
    self.list = list
    adw_leaflet_set_can_unfold(leaflet, 0)
    adw_leaflet_set_can_navigate_back(leaflet, 1)
    adw_leaflet_append(leaflet, list)
    adw_leaflet_append(leaflet, page)
    page.concealed(true)
    widget.onChange(of: "visible-child") { [weak self] in self?.visibleChildChanged() }
    widget.onChange(of: "child-transition-running") { [weak self] in self?.dropLeftPage() }
    widget.keeps(self)
  }

  /// Shows a page in place of the list or of the previous page.
  public func open(_ content: Widget) {
    // The order matters: showing the page ends a running transition, which drops the previous page.
    adw_leaflet_set_visible_child(leaflet, page)
    page.setChild(content)
  }

  /// Returns to the list.
  public func back() {
    adw_leaflet_set_visible_child(leaflet, list)
  }

  /// Called after the visible child has changed, by `open`, `back` or a swipe.
  private func visibleChildChanged() {
    // The leaflet hides the other child visually, but not from screen readers.
    list.concealed(!isListShown)
    page.concealed(isListShown)
    if isListShown { onReturn?() }
  }

  private func dropLeftPage() {
    guard adw_leaflet_get_child_transition_running(leaflet) == 0, isListShown else { return }
    page.setChild(nil)
  }
}
