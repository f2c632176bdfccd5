import CGtk

/// The part of a text's context menu for a misspelt word: similar words, and a way to add it to the dictionary.
@MainActor final class SpellMenu {
  var onReplace: (@MainActor (String) -> Void)?
  var onAdd: (@MainActor () -> Void)?

  private let texts: SpellMenuTexts
  private let menu = Reference(adopting: g_menu_new())
  private let actions = Reference(adopting: g_simple_action_group_new())
  /// The word whose menu this is.
  private var word: String?

  init(texts: SpellMenuTexts) {
    self.texts = texts
    actions.object.addAction("replace", target: { [weak self] in self?.onReplace?($0) })
    actions.object.addAction("add") { [weak self] in self?.onAdd?() }
  }

  func attach(to view: Widget) {
    gtk_widget_insert_action_group(view, "spelling", actions.object)
    gtk_text_view_set_extra_menu(view.cast(), menu.object.cast())
    view.onSecondaryPress { x, y in view.placeCursor(x: x, y: y) }
  }

  /// Offers to add a word. Its similar words follow with `show`.
  /// - Returns: `false` if its menu is already there.
  func offer(similarTo word: String) -> Bool {
    guard word != self.word else { return false }
    self.word = word
    fill([.item(texts.add, action: "spelling.add")])
    return true
  }

  func show(_ suggestions: [String], for word: String) {
    // The cursor may be at another word by now.
    guard word == self.word else { return }
    // An action that doesn't exist makes an item that can't be chosen.
    let similar: [MenuEntry] =
      suggestions.isEmpty
      ? [.item(texts.noSuggestions, action: "spelling.none")]
      : suggestions.map { .item($0, action: "spelling.replace", target: $0) }
    fill([.section(similar), .section([.item(texts.add, action: "spelling.add")])])
  }

  func clear() {
    guard word != nil else { return }
    word = nil
    fill([])
  }

  private func fill(_ entries: [MenuEntry]) {
    g_menu_remove_all(menu.object)
    append(entries, to: menu.object)
  }
}

extension Widget {
  /// Moves the cursor of a text view to a point, unless something is selected.
  @MainActor fileprivate func placeCursor(x: Double, y: Double) {
    guard let buffer = gtk_text_view_get_buffer(cast()), gtk_text_buffer_get_has_selection(buffer) == 0 else { return }
    var (left, top): (gint, gint) = (0, 0)
    gtk_text_view_window_to_buffer_coords(cast(), GTK_TEXT_WINDOW_WIDGET, gint(x), gint(y), &left, &top)
    var place = GtkTextIter()
    gtk_text_view_get_iter_at_location(cast(), &place, left, top)
    gtk_text_buffer_place_cursor(buffer, &place)
  }
}
