import CPango
import VectorGraphics

/// Measures and draws short texts of a line or a few.
public final class Lettering {
  public struct Style: Equatable, Sendable {
    /// The height of the font, in the unit of the drawing: pixels or points.
    public var size: Double
    public var isBold: Bool
    public var isItalic: Bool
    /// The font family, for example `Serif`; `nil` for the font of the widget, or a sans-serif one.
    public var family: String?

    public init(size: Double, isBold: Bool = false, isItalic: Bool = false, family: String? = nil) {
      (self.size, self.isBold, self.isItalic, self.family) = (size, isBold, isItalic, family)
    }
  }

  private let context: OpaquePointer

  /// - Parameter context: a `PangoContext`, for example a widget's; `nil` for the default fonts.
  public init(context: OpaquePointer? = nil) {
    if let context {
      g_object_ref(UnsafeMutableRawPointer(context))
      self.context = context
    } else {
      self.context = pango_font_map_create_context(pango_cairo_font_map_get_default())
      let font = pango_font_description_from_string("Sans")
      pango_context_set_font_description(self.context, font)
      pango_font_description_free(font)
    }
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(context)) }

  /// The size of a text.
  /// - Parameters:
  ///   - maxWidth: a longer text is wrapped, and its last line ends with an ellipsis.
  ///   - lines: the greatest number of lines.
  public func measure(
    _ text: String, _ style: Style, maxWidth: Double? = nil, lines: Int = 1
  ) -> (width: Double, height: Double) {
    withLayout(text, style, maxWidth, lines) { layout in
      var (inked, logical) = (PangoRectangle(), PangoRectangle())
      pango_layout_get_extents(layout, &inked, &logical)
      return (Double(logical.width) / Double(PANGO_SCALE), Double(logical.height) / Double(PANGO_SCALE))
    }
  }

  /// Draws a text with its top left corner at a point.
  /// - Parameters:
  ///   - halo: a colour around the letters, so that they can be read over other shapes.
  ///   - alignment: of lines of different widths: -1 on the left, 0 in the middle, 1 on the right.
  public func draw(
    _ text: String, _ style: Style, at point: Point, color: Color, halo: Color? = nil, maxWidth: Double? = nil,
    lines: Int = 1, alignment: Double = -1, on cairo: OpaquePointer
  ) {
    withLayout(text, style, maxWidth, lines) { layout in
      var point = point
      if lines > 1 {
        // A layout with a width aligns its lines within it.
        var (inked, logical) = (PangoRectangle(), PangoRectangle())
        pango_layout_set_alignment(
          layout, alignment < 0 ? PANGO_ALIGN_LEFT : alignment > 0 ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_CENTER)
        pango_layout_get_extents(layout, &inked, &logical)
        point.x -= Double(logical.x) / Double(PANGO_SCALE)
      }
      cairo_move_to(cairo, point.x, point.y)
      if let halo {
        pango_cairo_layout_path(cairo, layout)
        cairo_set_source_rgba(cairo, halo.red, halo.green, halo.blue, halo.alpha)
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
        cairo_set_line_width(cairo, style.size * 0.3)
        cairo_stroke(cairo)
        cairo_move_to(cairo, point.x, point.y)
      }
      cairo_set_source_rgba(cairo, color.red, color.green, color.blue, color.alpha)
      pango_cairo_show_layout(cairo, layout)
      cairo_new_path(cairo)
    }
  }

  private func withLayout<Value>(
    _ text: String, _ style: Style, _ maxWidth: Double?, _ lines: Int, _ body: (OpaquePointer) -> Value
  ) -> Value {
    let layout: OpaquePointer = pango_layout_new(context)
    defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
    let font = pango_font_description_copy(pango_context_get_font_description(context))
    defer { pango_font_description_free(font) }
    pango_font_description_set_absolute_size(font, style.size * Double(PANGO_SCALE))
    if style.isBold { pango_font_description_set_weight(font, PANGO_WEIGHT_SEMIBOLD) }
    if style.isItalic { pango_font_description_set_style(font, PANGO_STYLE_ITALIC) }
    if let family = style.family { pango_font_description_set_family(font, family) }
    pango_layout_set_font_description(layout, font)
    pango_layout_set_single_paragraph_mode(layout, 1)
    pango_layout_set_text(layout, text, Int32(text.utf8.count))
    if let maxWidth {
      pango_layout_set_width(layout, Int32(maxWidth * Double(PANGO_SCALE)))
      pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
      if lines > 1 {
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        // A negative height is a number of lines.
        pango_layout_set_height(layout, -Int32(lines))
      }
    }
    return body(layout)
  }
}
