import CGtk
import VectorGraphics

// What the style sheet says about a widget. GTK 4.10 deprecates `GtkStyleContext`.
@MainActor extension Widget {
  /// A named colour of the style sheet, for example `wood`; the text colour if it is undefined.
  public func color(_ name: String) -> Color {
    let context = gtk_widget_get_style_context(self)
    var color = GdkRGBA()
    if gtk_style_context_lookup_color(context, name, &color) == 0 {
      gtk_style_context_get_color(context, &color)
    }
    return Color(color)
  }

  /// The text colour that the style sheet gives this widget.
  public var color: Color {
    var color = GdkRGBA()
    gtk_style_context_get_color(gtk_widget_get_style_context(self), &color)
    return Color(color)
  }

  /// How much of its width and height a window uses for its frame. It has a frame where no compositor draws shadows.
  var frame: (sides: Int, ends: Int) {
    let style = gtk_widget_get_style_context(self)
    var (padding, border) = (GtkBorder(), GtkBorder())
    gtk_style_context_get_padding(style, &padding)
    gtk_style_context_get_border(style, &border)
    return (
      Int(padding.left + padding.right + border.left + border.right),
      Int(padding.top + padding.bottom + border.top + border.bottom)
    )
  }
}

extension Color {
  fileprivate init(_ color: GdkRGBA) {
    self.init(
      red: Double(color.red), green: Double(color.green), blue: Double(color.blue), alpha: Double(color.alpha)
    )
  }
}
