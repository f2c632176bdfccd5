import CGtk
import CShim

// The builders that views consist of. Text is shown as it is. Only `AdwActionRow` and similar widgets need escaping,
// and the builders do that.

/// Arranges children vertically.
@MainActor public func column(spacing: Int = 0, _ children: Widget...) -> Widget {
  let box: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, gint(spacing))
  children.forEach { gtk_box_append(box.cast(), $0) }
  return box
}

/// Arranges children horizontally.
@MainActor public func line(spacing: Int = 0, _ children: Widget...) -> Widget {
  let box: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, gint(spacing))
  children.forEach { gtk_box_append(box.cast(), $0) }
  return box
}

/// Arranges children horizontally and wraps them into lines. Those that `expand` share the remaining width.
/// - Parameters:
///   - lineSpacing: the space between lines; `nil` is the same as between children.
///   - reserve: the least width that a child that expands gets on a line with others, in pixels at the usual text
///     size. Rows with the same reserve then have their lines broken at the same place, however short their texts are.
@MainActor public func wrapping(
  spacing: Int = 8, lineSpacing: Int? = nil, reserve: Int = 0, _ children: Widget...
) -> Widget {
  let box: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
  children.forEach { gtk_box_append(box.cast(), $0) }
  trunk_wrap_children(
    box, gint(spacing), gint(lineSpacing ?? spacing), gint((Double(reserve) * textScale).rounded()))
  return box
}

/// Arranges two widgets beside each other where there is room, else the second one below the first.
/// - Parameters:
///   - width: from which they are beside each other, in pixels.
///   - firstWidth: the most that the first one gets beside the second one, in pixels.
///   - height: the least height beside each other, in pixels. A first widget that scrolls does so only there.
@MainActor public func besideOrBelow(
  _ first: Widget, _ second: Widget, width: Int, firstWidth: Int, height: Int
) -> Widget {
  let box: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
  gtk_box_append(box.cast(), first)
  gtk_box_append(box.cast(), second)
  trunk_lay_out_beside(box, gint(width), gint(firstWidth), gint(height))
  return box
}

/// A vertical box that screen readers present as one named group.
@MainActor public func group(_ name: String, spacing: Int = 0, _ children: Widget...) -> Widget {
  let box: Widget = trunk_group_new(gint(spacing))
  children.forEach { gtk_box_append(box.cast(), $0) }
  return box.accessibleName(name)
}

/// A single-line text, cut with an ellipsis if it is too wide.
@MainActor public func label(_ text: String, _ classes: String...) -> Widget {
  let label: Widget = gtk_label_new(oneLine(text))
  gtk_label_set_ellipsize(label.cast(), PANGO_ELLIPSIZE_END)
  gtk_label_set_xalign(label.cast(), 0)
  classes.forEach { gtk_widget_add_css_class(label, $0) }
  return label.concealIfEmpty()
}

/// A text that wraps at words if possible, otherwise within a word. It can be selectable.
@MainActor public func paragraph(_ text: String, _ classes: String..., selectable: Bool = false) -> Widget {
  let label: Widget = gtk_label_new(clamped(text))
  gtk_label_set_wrap(label.cast(), 1)
  gtk_label_set_wrap_mode(label.cast(), PANGO_WRAP_WORD_CHAR)
  gtk_label_set_natural_wrap_mode(label.cast(), GTK_NATURAL_WRAP_NONE)
  gtk_label_set_xalign(label.cast(), 0)
  gtk_label_set_selectable(label.cast(), selectable.gboolean)
  classes.forEach { gtk_widget_add_css_class(label, $0) }
  return label.concealIfEmpty()
}

/// A section's heading, with a quieter note after it and an optional widget at the end, which yields to the heading.
@MainActor public func sectionHeader(_ title: String, note: String = "", end: Widget? = nil) -> Widget {
  let heading = label(title, "section-title")
  let texts = line(spacing: 10, heading, label(note, "hint", "section-note").hexpand())
  guard let end else { return texts.css("section-header") }
  heading.ellipsize(.none)
  return wrapping(spacing: 10, lineSpacing: 0, texts.hexpand(), end).css("section-header")
}

@MainActor extension Widget {
  /// Changes the title of a `sectionHeader`.
  public func setHeading(_ title: String) {
    headingTexts.first?.setText(title)
  }

  /// Changes the note next to the title of a `sectionHeader`.
  public func setNote(_ note: String) {
    headingTexts.dropFirst().first?.setText(note)
  }

  /// The title and the note of a `sectionHeader`.
  private var headingTexts: [Widget] { children.first.map { $0.children.isEmpty ? children : $0.children } ?? [] }
}

/// The greatest width of a view's content, in pixels, with a margin of 18 at each side.
public let columnWidth = 736

/// Limits a view's width on a wide window and centres it.
@MainActor public func clamp(_ child: Widget, width: Int = columnWidth) -> Widget {
  let clamp: Widget = adw_clamp_new()
  adw_clamp_set_child(clamp.cast(), child)
  clamp.setClamp(width: width)
  return clamp
}

@MainActor extension Widget {
  /// Changes the greatest width of a `clamp`, in pixels. Up to it, the child takes all of the width.
  public func setClamp(width: Int) {
    adw_clamp_set_maximum_size(cast(), gint(width))
    adw_clamp_set_tightening_threshold(cast(), gint(width))
  }
}

/// A header bar with a title, or with a widget in its place.
@MainActor public func headerBar(
  title: Widget? = nil, start: [Widget] = [], end: [Widget] = []
) -> Widget {
  let bar: Widget = adw_header_bar_new()
  adw_header_bar_set_title_widget(bar.cast(), title)
  start.forEach { adw_header_bar_pack_start(bar.cast(), $0) }
  end.forEach { adw_header_bar_pack_end(bar.cast(), $0) }
  return bar
}

/// An icon from the icon theme. It is decorative and hidden from screen readers.
@MainActor public func icon(_ name: String, size: Int = 16) -> Widget {
  let image: Widget = trunk_image_new(GTK_ACCESSIBLE_ROLE_PRESENTATION)
  gtk_image_set_from_icon_name(image.cast(), name)
  return image.css("grows-icon-\(size)")
}

@MainActor extension Widget {
  /// Shows another icon in an `icon`.
  public func setIcon(_ name: String) {
    gtk_image_set_from_icon_name(cast(), name)
  }
}

/// A bar that fills from the start, without a number. It is decorative: what contains it has the number in its name.
@MainActor public func progressBar() -> Widget {
  trunk_progress_bar_new(GTK_ACCESSIBLE_ROLE_PRESENTATION)
}

@MainActor extension Widget {
  /// Sets how far a `progressBar` is filled, from 0 to 1.
  public func setFraction(_ fraction: Double) {
    gtk_progress_bar_set_fraction(cast(), fraction)
  }
}

/// A thin separator line.
@MainActor public func rule() -> Widget {
  gtk_separator_new(GTK_ORIENTATION_HORIZONTAL)
}

/// The content of an empty list, always with a hint at what to do next.
@MainActor public func emptyState(
  icon: String, title: String, hint: String, button: Widget? = nil
) -> Widget {
  let content = column(
    spacing: 10, GtkKit.icon(icon, size: 48).css("wood"),
    paragraph(title, "title-3").centred(), paragraph(hint, "hint").centred())
  if let button { content.append(button.halign(.center).margin(top: 6)) }
  return content.css("empty-state").valign(.center).halign(.center)
}
