import CGtk

/// A list and the page of one of its items, which slides in over the list, or is beside it. Going back, also by a
/// swipe, returns to the list. Libadwaita 1.4 deprecates `AdwLeaflet`.
@MainActor public final class ListDetail {
  /// Shows the list or the page.
  public let widget: Widget

  /// Whether the list is shown, and not a page.
  public var isListShown: Bool { adw_leaflet_get_visible_child(leaflet) == list }

  /// Called when the list is shown again.
  public var onReturn: (@MainActor () -> Void)?

  /// Whether the list and the page are side by side.
  public var isSplit = false {
    didSet {
      guard isSplit != oldValue else { return }
      limitWidths()
      adw_leaflet_set_can_unfold(leaflet, isSplit.gboolean)
      showPlaceholder()
      concealHidden()
    }
  }

  /// Creates the widget beside the list while no page is open.
  public var placeholder: (@MainActor () -> Widget?)?

  /// The clamp that limits the list's width beside a page.
  private let list: Widget
  private let page: Widget
  private let place = bin()
  /// The width of the page beside the list; `nil` if the list has its width instead.
  private let pageWidth: Int?
  private let panes: Widget = adw_leaflet_new()
  private var leaflet: OpaquePointer { panes.cast() }

  /// The widths that the list can have beside a page, in pixels.
  public static let listWidths = 400...480
  /// The width of the list beside a page, in pixels.
  public var listWidth = ListDetail.listWidths.lowerBound {
    didSet { if listWidth != oldValue { limitWidths() } }
  }
  /// The greatest width of the list and the page side by side, in pixels.
  public var splitWidth: Int { pageWidth == nil ? listWidth + columnWidth : ListDetail.anyWidth }
  /// More than any window has.
  private static let anyWidth = 20_000

  /// - Parameter pageWidth: the width of the page beside the list, which gets the rest; by default the list has
  ///   `listWidth`, and the page gets the rest.
  public init(list: Widget, pageWidth: Int? = nil) {
    (self.list, page, self.pageWidth) = (clamp(list), clamp(place.hexpand()), pageWidth)
    widget = clamp(panes)
    limitWidths()
    adw_leaflet_set_fold_threshold_policy(leaflet, ADW_FOLD_THRESHOLD_POLICY_MINIMUM)
    adw_leaflet_set_can_unfold(leaflet, 0)
    adw_leaflet_set_can_navigate_back(leaflet, 1)
    adw_leaflet_append(leaflet, self.list)
    adw_leaflet_append(leaflet, page)
    page.concealed(true)
    panes.onChange(of: "visible-child") { [weak self] in self?.visibleChildChanged() }
    panes.onChange(of: "child-transition-running") { [weak self] in self?.dropLeftPage() }
    widget.keeps(self)
  }

  /// Shows a page in place of the list or of the previous page. Beside the list, the focus stays there.
  public func open(_ content: Widget) {
    // The leaflet moves it to the page, which is about to be replaced.
    let focused = isSplit && list.containsFocus ? gtk_widget_get_root(list).flatMap { gtk_root_get_focus($0) } : nil
    // The order matters: showing the page ends a running transition, which drops the previous page.
    adw_leaflet_set_visible_child(leaflet, page)
    place.setChild(content)
    focused?.focus()
  }

  /// Replaces the widget beside the list by a new one, unless a page is open there.
  public func showPlaceholder() {
    if isSplit, isListShown { place.setChild(placeholder?()) }
  }

  /// Returns to the list.
  public func back() {
    adw_leaflet_set_visible_child(leaflet, list)
  }

  private func limitWidths() {
    let isPageFixed = isSplit && pageWidth != nil
    list.setClamp(width: isSplit && pageWidth == nil ? listWidth : ListDetail.anyWidth)
    list.hexpand(!isSplit || isPageFixed)
    page.setClamp(width: isPageFixed ? pageWidth ?? 0 : ListDetail.anyWidth)
    page.hexpand(!isPageFixed).size(width: isPageFixed ? pageWidth ?? -1 : -1).css("side-page", when: isPageFixed)
    widget.setClamp(width: isSplit ? splitWidth : ListDetail.anyWidth)
  }

  /// Called after the visible child has changed, by `open`, `back` or a swipe.
  private func visibleChildChanged() {
    concealHidden()
    // Beside the list, nothing slides away.
    showPlaceholder()
    if isListShown { onReturn?() }
  }

  /// The leaflet hides the other child visually, but not from screen readers.
  private func concealHidden() {
    list.concealed(!isSplit && !isListShown)
    page.concealed(!isSplit && isListShown)
  }

  private func dropLeftPage() {
    guard !isSplit, adw_leaflet_get_child_transition_running(leaflet) == 0, isListShown else { return }
    place.setChild(nil)
  }
}
