import GtkKit

/// A choice of a few: parts side by side where they fit, a list to pick from where they do not.
final class Segments {
  /// Whichever of the two fits.
  let widget: Widget = adw_squeezer_new()

  /// The choice that is taken, counted from 0. Setting it does not call `onSelect`.
  var selected: Int {
    didSet {
      parts?.selected = selected
      if let list { gtk_drop_down_set_selected(list.cast(), guint(clamping: selected)) }
    }
  }

  /// Called with what the user took.
  var onSelect: ((Int) -> Void)?

  private weak var parts: Choice?
  private var list: Widget?

  /// - Parameter name: what a screen reader says for the group.
  init(name: String, _ titles: [String], selected: Int) {
    self.selected = selected
    let parts = Choice(.segments, name: name, titles, selected: selected) { [weak self] in self?.take($0) }
    let list = dropDown(name: name, titles, selected: selected) { [weak self] in self?.take($0) }
    (self.parts, self.list) = (parts, list)
    adw_squeezer_set_homogeneous(widget.cast(), 0)
    adw_squeezer_add(widget.cast(), parts.widget.expand())
    adw_squeezer_add(widget.cast(), list.expand())
    widget.keeps(self)
  }

  private func take(_ position: Int) {
    guard position != selected else { return }
    selected = position
    onSelect?(position)
  }
}
