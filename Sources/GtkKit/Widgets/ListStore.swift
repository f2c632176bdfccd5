import CGtk
import CShim

/// A list of Swift values that GTK's list widgets can show.
@MainActor public final class ListStore<Item> {
  /// The `GListModel`.
  public var model: OpaquePointer { reference.object }

  /// How many items there are.
  public var count: Int { Int(g_list_model_get_n_items(model)) }

  private let reference = Reference(adopting: g_list_store_new(trunk_type_box()))
  /// The list view that shows the items.
  fileprivate var view: WeakReference?

  /// Creates an empty list.
  public init() {}

  /// Creates a list of these items.
  public convenience init(_ items: [Item]) {
    self.init()
    replace(0..<0, with: items)
  }

  /// The item at a position, which must exist.
  public subscript(position: Int) -> Item {
    guard let box = g_list_model_get_item(model, guint(position)) else {
      preconditionFailure("a list of \(count) items has none at \(position)")
    }
    defer { g_object_unref(box) }
    return ItemBox<Item>.item(in: OpaquePointer(box))
  }

  /// All items in order.
  public var items: [Item] { (0..<count).map { self[$0] } }

  /// Adds an item at the end.
  public func append(_ item: Item) { append([item]) }

  /// Adds items at the end in a single change.
  public func append(_ items: [Item]) { replace(count..<count, with: items) }

  /// Replaces a range of items in a single change. If the row with the focus is gone afterwards, another row gets the
  /// focus, as `focusRow` chooses it.
  public func replace(_ range: Range<Int>, with items: [Item]) {
    let hadFocus = view?.widget?.containsFocus == true
    var boxes: [gpointer?] = items.map { UnsafeMutableRawPointer(ItemBox.make($0)) }
    g_list_store_splice(model, guint(range.lowerBound), guint(range.count), &boxes, guint(boxes.count))
    boxes.forEach { g_object_unref($0) }
    // GTK itself moves the focus from a row that is gone only when it draws the window, to the nearest link or button.
    if hadFocus, let list = view?.widget, !list.containsFocus { list.focusRow() }
  }

  /// Replaces all items.
  public func replaceAll(with items: [Item]) {
    replace(0..<count, with: items)
  }
}

extension ListStore where Item: Equatable {
  /// Makes the list equal to `items`. Equal items at both ends stay, so that scroll position and focus are kept.
  public func update(to items: [Item]) {
    let old = self.items
    let start = zip(old, items).prefix { $0 == $1 }.count
    let most = min(old.count, items.count) - start
    let end = zip(old.reversed(), items.reversed()).prefix(most).prefix { $0 == $1 }.count
    guard start + end < max(old.count, items.count) else { return }
    replace(start..<(old.count - end), with: Array(items[start..<(items.count - end)]))
  }
}

/// One row of a list view. A few dozen rows are created and reused for different items.
@MainActor public protocol ListRow: AnyObject {
  /// The type of the items it shows.
  associatedtype Item
  /// The row's content, which never changes its identity.
  var widget: Widget { get }
  /// Shows an item and returns the row's accessible name.
  func show(_ item: Item) -> String
}

/// Marks a row of a list view, such as the one whose page is open beside the list.
@MainActor public final class RowMark<Item> {
  private let style: String
  private let isSelection: Bool
  private var rows: [Widget: Item] = [:]
  private var isMarked: @MainActor (Item) -> Bool = { _ in false }

  /// - Parameters:
  ///   - style: the style class of a marked row.
  ///   - isSelection: whether screen readers present a marked row as selected.
  public init(_ style: String, isSelection: Bool = true) {
    (self.style, self.isSelection) = (style, isSelection)
  }

  /// Marks the rows whose items fulfil a condition, also those that are scrolled into view later.
  public func mark(where isMarked: @escaping @MainActor (Item) -> Bool) {
    self.isMarked = isMarked
    for (row, item) in rows { show(item, in: row) }
  }

  fileprivate func bind(_ row: Widget, to item: Item) {
    rows[row] = item
    show(item, in: row)
  }

  fileprivate func unbind(_ row: Widget) { rows[row] = nil }

  private func show(_ item: Item, in row: Widget) {
    let isMarked = isMarked(item)
    row.css(style, when: isMarked)
    if isSelection { trunk_accessible_selected(row, isMarked.gboolean) }
  }
}

/// A list that creates widgets only for visible rows; put it into `scrolled`.
/// - Parameters:
///   - activate: called by a click or Enter.
///   - canActivate: whether a row that shows this item can be pressed. Other rows, such as headings, don't take the
///     focus, and the keys move over them.
///   - marks: mark some of the rows.
@MainActor public func listView<Row: ListRow>(
  _ store: ListStore<Row.Item>, name: String, row makeRow: @escaping @MainActor () -> Row,
  activate: (@MainActor (Row.Item) -> Void)? = nil,
  canActivate: @escaping @MainActor (Row.Item) -> Bool = { _ in true }, marks: [RowMark<Row.Item>] = []
) -> Widget {
  let factory = rowFactory(
    row: makeRow, canActivate: { activate != nil && canActivate($0) }, isReadOnly: activate == nil, marks: marks)
  let selection = gtk_no_selection_new(g_object_ref(store.model.address).map { OpaquePointer($0) })
  let view: Widget = gtk_list_view_new(selection?.cast(), factory.cast())
  store.view = WeakReference(view)
  if let activate {
    gtk_list_view_set_single_click_activate(view.cast(), 1)
    view.onPosition("activate") { activate(store[$0]) }
    view.onKey(capture: true) { press in press.modifiers.isEmpty && view.moveOverHeadings(press.key) }
  }
  return view.accessibleName(name).css("rows")
}

/// Creates the rows of a list and shows items in them.
/// - Parameter isReadOnly: whether no row can be pressed. The rows then take the focus all the same, so that screen
///   readers read them.
@MainActor private func rowFactory<Row: ListRow>(
  row makeRow: @escaping @MainActor () -> Row, canActivate: @escaping @MainActor (Row.Item) -> Bool, isReadOnly: Bool,
  marks: [RowMark<Row.Item>]
) -> OpaquePointer {
  let factory: OpaquePointer = gtk_signal_list_item_factory_new().cast()
  factory.onObject("setup") { item in
    guard let item else { return }
    let row = makeRow()
    // The list item retains the row, so the address is valid as long as the item is bound.
    let address = Unmanaged.passRetained(row).toOpaque()
    g_object_set_data_full(item.cast(), rowKey, address, releaseHandler)
    gtk_list_item_set_child(item, row.widget)
    // The item lives as long as its row is in the list.
    g_object_set_data(row.widget.cast(), itemKey, item.address)
  }
  factory.onObject("bind") { item in
    guard let item, let address = g_object_get_data(item.cast(), rowKey),
      let box = gtk_list_item_get_item(item)
    else { return }
    let row = Unmanaged<Row>.fromOpaque(address).takeUnretainedValue()
    let content = ItemBox<Row.Item>.item(in: OpaquePointer(box))
    let name = row.show(content)
    let isActivatable = canActivate(content)
    gtk_list_item_set_activatable(item, isActivatable.gboolean)
    // The focus goes to the widget around the row, which has no accessible name.
    let place = gtk_widget_get_parent(row.widget)?.accessibleName(name).offersActivation(isActivatable)
    place?.focusable(isActivatable || isReadOnly)
    if let place { for mark in marks { mark.bind(place, to: content) } }
  }
  if !marks.isEmpty {
    factory.onObject("unbind") { item in
      let content: Widget? = item.flatMap { gtk_list_item_get_child($0) }
      if let place = content?.parent { for mark in marks { mark.unbind(place) } }
    }
  }
  return factory
}

@MainActor extension Widget {
  /// Scrolls a list view until an item is visible.
  public func scrollToItem(_ position: Int) {
    ensurePage()
    gtk_widget_activate_action_variant(self, "list.scroll-to-item", g_variant_new_uint32(guint(position)))
  }

  /// Scrolls a list view until an item is visible, and focuses its row.
  /// - Returns: whether the row has the focus.
  @discardableResult
  public func focusItem(_ position: Int) -> Bool {
    scrollToItem(position)
    return children.first { $0.positionInList == position }?.focus() ?? false
  }

  /// Focuses the row of this list view that last had the focus. Without one, focuses the first row that takes it,
  /// unless the list is scrolled: that would move it.
  /// - Returns: whether a row has the focus.
  @discardableResult
  public func focusRow() -> Bool {
    ensurePage()
    focus()
    // Instead of a heading, GTK focuses the list itself.
    if containsFocus, focusedChild?.isFocusable == true { return true }
    let place = gtk_scrollable_get_vadjustment(cast()).map { gtk_adjustment_get_value($0) } ?? 0
    return place == 0 && (children.first(where: \.isFocusable)?.focus() ?? false)
  }

  /// Gives the page of this list view a height. GTK 4.8 divides by it when an item gets the focus or is scrolled to.
  /// Until a list with items is laid out, it is 0, and the list would lose its place as soon as items are added above.
  private func ensurePage() {
    guard let adjustment = gtk_scrollable_get_vadjustment(cast()), gtk_adjustment_get_page_size(adjustment) == 0 else {
      return
    }
    gtk_adjustment_set_page_size(adjustment, 1)
  }

  /// The position of the first row that can be seen in this list view; `nil` without rows. It is right after a frame
  /// was painted.
  public var topPosition: Int? {
    children.first { row in
      var (x, y) = (0.0, 0.0)
      let height = Double(gtk_widget_get_height(row))
      return row.isMapped && gtk_widget_translate_coordinates(row, self, 0, height, &x, &y) != 0 && y > 1
    }?.positionInList
  }

  /// The position of this row of a list view.
  private var positionInList: Int? {
    let item = children.first.flatMap { g_object_get_data($0.cast(), itemKey) }
    return item.map { Int(gtk_list_item_get_position(OpaquePointer($0))) }
  }

  /// Moves the focus over headings, which don't take it: GTK would stop at them.
  fileprivate func moveOverHeadings(_ key: KeyPress.Key) -> Bool {
    // These are the rows in sight and about a hundred above and below them.
    let rows = children
    guard let focused = focusedChild, let index = rows.firstIndex(of: focused) else { return false }
    let page = Int(gtk_widget_get_height(self) - gtk_widget_get_height(focused))
    switch key {
    case .up: return focus(rowAbove: rows[..<index], by: 0)
    case .pageUp: return focus(rowAbove: rows[..<index], by: page)
    case .down: return row(in: rows[(index + 1)...], by: 0)?.focus() ?? false
    case .pageDown: return row(in: rows[(index + 1)...], by: page)?.focus() ?? false
    case .home:
      scrollToItem(0)
      return children.first(where: \.isFocusable).map { focus(rowBelowHeading: $0) } ?? false
    default: return false
    }
  }

  /// The first row that takes the focus beyond a distance in pixels, otherwise the last one that takes it.
  private func row(in rows: some Sequence<Widget>, by distance: Int) -> Widget? {
    var (passed, found): (Int, Widget?) = (0, nil)
    for row in rows {
      if found != nil, passed >= distance { break }
      // Rows out of sight have no size yet.
      passed += row.height(at: width)
      if row.isFocusable { found = row }
    }
    return found
  }

  private func focus(rowAbove rows: ArraySlice<Widget>, by distance: Int) -> Bool {
    if let next = row(in: rows.reversed(), by: distance) { return focus(rowBelowHeading: next) }
    // Only the first heading is above: shows it.
    rows.last?.positionInList.map(scrollToItem)
    return !rows.isEmpty
  }

  /// Focuses a row and shows the heading right above it, which the keys can't reach.
  private func focus(rowBelowHeading row: Widget) -> Bool {
    guard row.focus() else { return false }
    if let heading: Widget = gtk_widget_get_prev_sibling(row), !heading.isFocusable {
      heading.positionInList.map(scrollToItem)
    }
    return true
  }
}

/// A list of any length in the width of a page, with its scroll bar at the edge of the window.
@MainActor public func scrolledList(_ list: Widget, width: Int = columnWidth) -> Widget {
  let clamp: Widget = adw_clamp_scrollable_new()
  adw_clamp_scrollable_set_maximum_size(clamp.cast(), gint(width))
  adw_clamp_scrollable_set_tightening_threshold(clamp.cast(), gint(width))
  adw_clamp_scrollable_set_child(clamp.cast(), list)
  return scrolled(clamp)
}

/// Makes a list view, inside `scrolled`, one stop of the Tab key. Up and down move between its rows, left and right
/// inside a row; a list view has no keys for that.
@MainActor public func tabStop(_ list: Widget, in scrolled: Widget) -> Widget {
  list.onKey(capture: true) { press in
    guard press.modifiers.isEmpty else { return false }
    switch press.key {
    case .left: return list.moveInsideRow(GTK_DIR_LEFT)
    case .right: return list.moveInsideRow(GTK_DIR_RIGHT)
    default: return false
    }
  }
  return tabStop(scrolled)
}

@MainActor extension Widget {
  /// Moves the focus to the next button or link of the focused row of this list, or from the first one back to the row.
  @discardableResult
  public func moveInsideRow(_ direction: GtkDirectionType) -> Bool {
    guard let row = focusedChild else { return false }
    let isBack = direction == (gtk_widget_get_direction(row) == GTK_TEXT_DIR_RTL ? GTK_DIR_RIGHT : GTK_DIR_LEFT)
    // The links of a label react only to the Tab key.
    let next = isBack ? GTK_DIR_TAB_BACKWARD : GTK_DIR_TAB_FORWARD
    if row.hasFocus { return !isBack && gtk_widget_child_focus(row, next) != 0 }
    return gtk_widget_child_focus(row, next) != 0 || (isBack && gtk_widget_grab_focus(row) != 0)
  }
}

private let rowKey = "trunk-row"
private let itemKey = "trunk-list-item"

/// Holds the value that a `TrunkBox` points to.
private final class ItemBox<Item> {
  let item: Item

  init(_ item: Item) { self.item = item }

  /// Creates a box for the list store; the caller owns one reference.
  static func make(_ item: Item) -> OpaquePointer {
    trunk_box_new(Unmanaged.passRetained(ItemBox(item)).toOpaque(), releaseHandler)
  }

  static func item(in box: OpaquePointer) -> Item {
    Unmanaged<ItemBox>.fromOpaque(trunk_box_content(box)).takeUnretainedValue().item
  }
}
