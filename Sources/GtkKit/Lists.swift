import CGtk
import CShim

/// A list of Swift values that GTK's list widgets can show.
@MainActor public final class ListStore<Item> {
  /// The `GListModel`.
  public var model: OpaquePointer { reference.object }

  /// How many items there are.
  public var count: Int { Int(g_list_model_get_n_items(model)) }

  private let reference = Reference(adopting: g_list_store_new(trunk_type_box()))

  /// An empty list.
  public init() {}

  /// A list of these items.
  public convenience init(_ items: [Item]) {
    self.init()
    replace(0..<0, with: items)
  }

  /// The item at a position that must exist.
  public subscript(position: Int) -> Item {
    guard let box = g_list_model_get_item(model, guint(position)) else {
      preconditionFailure("a list of \(count) items has none at \(position)")
    }
    defer { g_object_unref(box) }
    return ItemBox<Item>.item(in: OpaquePointer(box))
  }

  /// All items in order.
  public var items: [Item] { (0..<count).map { self[$0] } }

  /// Adds at the end.
  public func append(_ item: Item) {
    replace(count..<count, with: [item])
  }

  /// Exchanges a stretch of the list in one change.
  public func replace(_ range: Range<Int>, with items: [Item]) {
    var boxes: [gpointer?] = items.map { UnsafeMutableRawPointer(ItemBox.make($0)) }
    g_list_store_splice(model, guint(range.lowerBound), guint(range.count), &boxes, guint(boxes.count))
    boxes.forEach { g_object_unref($0) }
  }

  /// Exchanges all of the list.
  public func replaceAll(with items: [Item]) {
    replace(0..<count, with: items)
  }
}

extension ListStore where Item: Equatable {
  /// Makes the list equal to `items`, leaving what is the same at both ends, so that scrolling and focus
  /// stay.
  public func update(to items: [Item]) {
    let old = self.items
    let start = zip(old, items).prefix { $0 == $1 }.count
    let most = min(old.count, items.count) - start
    let end = zip(old.reversed(), items.reversed()).prefix(most).prefix { $0 == $1 }.count
    guard start + end < max(old.count, items.count) else { return }
    replace(start..<(old.count - end), with: Array(items[start..<(items.count - end)]))
  }
}

/// One row of a list view, made a few dozen times and shown again and again with other items.
@MainActor public protocol ListRow: AnyObject {
  /// The kind of value it shows.
  associatedtype Item
  /// What is on the screen; the same for the row's whole life.
  var widget: Widget { get }
  /// Shows an item and returns what a screen reader says for the whole row.
  func show(_ item: Item) -> String
}

/// A list that makes widgets only for the rows in sight; put it into `scrolled`.
/// - Parameters:
///   - activate: called by a click or Enter.
///   - canActivate: whether a row that shows this item can be pressed.
@MainActor public func listView<Row: ListRow>(
  _ store: ListStore<Row.Item>, name: String, row makeRow: @escaping @MainActor () -> Row,
  activate: (@MainActor (Row.Item) -> Void)? = nil,
  canActivate: @escaping @MainActor (Row.Item) -> Bool = { _ in true }
) -> Widget {
  let factory: OpaquePointer = gtk_signal_list_item_factory_new().cast()
  factory.onObject("setup") { item in
    guard let item else { return }
    let row = makeRow()
    // The list item keeps the row, so the address is good as long as it is bound.
    let address = Unmanaged.passRetained(row).toOpaque()
    g_object_set_data_full(item.cast(), rowKey, address, releaseHandler)
    gtk_list_item_set_child(item, row.widget)
  }
  factory.onObject("bind") { item in
    guard let item, let address = g_object_get_data(item.cast(), rowKey),
      let box = gtk_list_item_get_item(item)
    else { return }
    let row = Unmanaged<Row>.fromOpaque(address).takeUnretainedValue()
    let content = ItemBox<Row.Item>.item(in: OpaquePointer(box))
    let name = row.show(content)
    let isActivatable = activate != nil && canActivate(content)
    gtk_list_item_set_activatable(item, isActivatable.gboolean)
    // The focus is on the widget around the row, which has no name of its own.
    gtk_widget_get_parent(row.widget)?.named(name).offersActivation(isActivatable)
  }
  let selection = gtk_no_selection_new(g_object_ref(store.model.address).map { OpaquePointer($0) })
  let view: Widget = gtk_list_view_new(selection?.cast(), factory.cast())
  if let activate {
    gtk_list_view_set_single_click_activate(view.cast(), 1)
    view.onPosition("activate") { activate(store[$0]) }
  }
  return view.named(name).css("rows")
}

/// A list of any length, in the width of a page, with its scroll bar at the edge of the window.
@MainActor public func scrolledList(_ list: Widget, width: Int = 736) -> Widget {
  let clamp: Widget = adw_clamp_scrollable_new()
  adw_clamp_scrollable_set_maximum_size(clamp.cast(), gint(width))
  adw_clamp_scrollable_set_tightening_threshold(clamp.cast(), gint(width))
  adw_clamp_scrollable_set_child(clamp.cast(), list)
  return scrolled(clamp)
}

private let rowKey = "trunk-row"

/// A value behind the pointer that a `TrunkBox` carries.
private final class ItemBox<Item> {
  let item: Item

  init(_ item: Item) { self.item = item }

  /// A new box for the list store; the caller owns one reference.
  static func make(_ item: Item) -> OpaquePointer {
    trunk_box_new(Unmanaged.passRetained(ItemBox(item)).toOpaque(), releaseHandler)
  }

  static func item(in box: OpaquePointer) -> Item {
    Unmanaged<ItemBox>.fromOpaque(trunk_box_content(box)).takeUnretainedValue().item
  }
}
