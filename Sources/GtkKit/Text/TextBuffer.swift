import CGtk

// Positions in a buffer are counted in Unicode scalars, as in GTK.
@MainActor extension UnsafeMutablePointer<GtkTextBuffer> {
  /// The whole text.
  var text: String {
    var (start, end) = (GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_bounds(self, &start, &end)
    guard let text = gtk_text_buffer_get_text(self, &start, &end, 0) else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// The position of the cursor.
  var cursor: Int {
    var cursor = GtkTextIter()
    gtk_text_buffer_get_iter_at_mark(self, &cursor, gtk_text_buffer_get_insert(self))
    return Int(gtk_text_iter_get_offset(&cursor))
  }

  /// The selected range; empty at the cursor if nothing is selected.
  var selection: Range<Int> {
    var (start, end) = (GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_selection_bounds(self, &start, &end)
    return Int(gtk_text_iter_get_offset(&start))..<Int(gtk_text_iter_get_offset(&end))
  }

  /// The ranges that have a tag, in order.
  func ranges(of tag: UnsafeMutablePointer<GtkTextTag>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var iter = GtkTextIter()
    gtk_text_buffer_get_start_iter(self, &iter)
    var start = gtk_text_iter_starts_tag(&iter, tag) != 0 ? 0 : nil
    while gtk_text_iter_forward_to_tag_toggle(&iter, tag) != 0 {
      let place = Int(gtk_text_iter_get_offset(&iter))
      if let begun = start { ranges.append(begun..<place) }
      start = gtk_text_iter_starts_tag(&iter, tag) != 0 ? place : nil
    }
    return ranges
  }

  /// Adds a tag to these ranges, and removes it everywhere else.
  func set(_ tag: UnsafeMutablePointer<GtkTextTag>, on ranges: [Range<Int>]) {
    guard self.ranges(of: tag) != ranges else { return }
    var (start, end) = (GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_bounds(self, &start, &end)
    gtk_text_buffer_remove_tag(self, tag, &start, &end)
    for range in ranges {
      (start, end) = iterators(of: range)
      gtk_text_buffer_apply_tag(self, tag, &start, &end)
    }
  }

  /// Replaces a part of the text, as one step that can be undone.
  func replace(_ range: Range<Int>, with text: String) {
    var (start, end) = iterators(of: range)
    gtk_text_buffer_begin_user_action(self)
    gtk_text_buffer_delete(self, &start, &end)
    gtk_text_buffer_insert(self, &start, text, -1)
    gtk_text_buffer_end_user_action(self)
  }

  private func iterators(of range: Range<Int>) -> (GtkTextIter, GtkTextIter) {
    var (start, end) = (GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_iter_at_offset(self, &start, gint(clamping: range.lowerBound))
    gtk_text_buffer_get_iter_at_offset(self, &end, gint(clamping: range.upperBound))
    return (start, end)
  }
}
