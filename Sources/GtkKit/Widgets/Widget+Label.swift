import CGtk
import CShim

// Properties of labels, named after those of GTK.
@MainActor extension Widget {
  /// Sets where the text is in a wider label: 0 at the start, 1 at the end.
  @discardableResult
  public func xalign(_ position: Float) -> Widget {
    gtk_label_set_xalign(cast(), position)
    return self
  }

  /// Aligns the lines of a text with each other.
  @discardableResult
  public func justify(_ justification: GtkJustification) -> Widget {
    gtk_label_set_justify(cast(), justification)
    return self
  }

  /// Centres the lines of a label.
  @discardableResult
  public func centred() -> Widget {
    justify(.center).xalign(0.5)
  }

  /// Sets where the lines of a paragraph break.
  @discardableResult
  public func wrapMode(_ mode: PangoWrapMode) -> Widget {
    gtk_label_set_wrap_mode(cast(), mode)
    return self
  }

  /// Shows no hyphen where a long word is broken: in a path, it would look like a part of the name.
  @discardableResult
  public func withoutHyphens() -> Widget {
    let attributes = pango_attr_list_new()
    defer { pango_attr_list_unref(attributes) }
    pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
    gtk_label_set_attributes(cast(), attributes)
    return self
  }

  /// The text of a label, without its markup.
  public var labelText: String { String(cString: gtk_label_get_text(cast())) }

  /// Marks places in the text of a label, as the search does in its results.
  /// - Parameter places: returns the places in a text: ranges of bytes of UTF-8.
  public func highlight(_ places: (String) -> [Range<Int>]) {
    let attributes = pango_attr_list_new()
    defer { pango_attr_list_unref(attributes) }
    for place in places(labelText) {
      for (color, make) in [
        (MatchColors.paper, pango_attr_background_new), (MatchColors.ink, pango_attr_foreground_new),
      ] {
        var value = PangoColor()
        guard pango_color_parse(&value, color) != 0, let mark = make(value.red, value.green, value.blue) else {
          continue
        }
        (mark.pointee.start_index, mark.pointee.end_index) = (guint(place.lowerBound), guint(place.upperBound))
        pango_attr_list_insert(attributes, mark)
      }
    }
    gtk_label_set_attributes(cast(), attributes)
  }

  /// Sets where a text that doesn't fit is cut.
  @discardableResult
  public func ellipsize(_ mode: PangoEllipsizeMode) -> Widget {
    gtk_label_set_ellipsize(cast(), mode)
    return self
  }

  /// Sets the number of lines after which an ellipsized paragraph is cut.
  @discardableResult
  public func lines(_ most: Int) -> Widget {
    gtk_label_set_lines(cast(), gint(most))
    return self
  }

  /// Requests at most the width of this many characters; the label still fills what it gets.
  @discardableResult
  public func maxChars(_ count: Int) -> Widget {
    gtk_label_set_max_width_chars(cast(), gint(count))
    return self
  }

  /// Requests the width of this many characters.
  @discardableResult
  public func widthChars(_ count: Int) -> Widget {
    gtk_label_set_width_chars(cast(), gint(count))
    return self
  }

  /// Calls `handler` with the address of a link in the label's markup when the user opens it.
  @discardableResult
  public func onLink(_ handler: @escaping @MainActor (String) -> Void) -> Widget {
    onTextQuestion("activate-link") { address in
      handler(address)
      return true
    }
    return self
  }

  /// Presents a label, all of whose text is one link, as a link to screen readers, which can open it. In a row, they
  /// would otherwise press the row.
  @discardableResult
  public func readAsLink(onOpen: @escaping @MainActor () -> Void) -> Widget {
    trunk_accessible_role(self, GTK_ACCESSIBLE_ROLE_LINK)
    return offersActivation(activate: onOpen)
  }

  /// Sets whether the text can be selected.
  @discardableResult
  public func selectable(_ isSelectable: Bool = true) -> Widget {
    gtk_label_set_selectable(cast(), isSelectable.gboolean)
    return self
  }
}

/// The colours of what a search has found, readable on every page.
public enum MatchColors {
  public static let paper = "#f8dfa0"
  public static let ink = "#2b1a12"
}
