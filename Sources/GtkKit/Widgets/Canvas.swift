import CGtk
import CShim
import VectorGraphics

@MainActor extension Widget {
  /// Requests a redraw before the next frame.
  public func redraw() {
    gtk_widget_queue_draw(self)
  }
}

/// The context for drawing a picture. Coordinates are pixels from the top left corner; angles are radians, clockwise
/// from the positive x axis. `fill` and `stroke` consume the current path.
@MainActor public struct Canvas {
  /// Gives access to cairo for everything that this type doesn't cover.
  public let cairo: OpaquePointer
  /// The drawn widget, the source of colours and fonts.
  public let widget: Widget
  /// The size in pixels.
  public let width, height: Double

  /// Draws everything that follows larger, from the top left corner.
  public func scale(by factor: Double) { cairo_scale(cairo, factor, factor) }

  public func move(_ x: Double, _ y: Double) { cairo_move_to(cairo, x, y) }
  public func line(_ x: Double, _ y: Double) { cairo_line_to(cairo, x, y) }
  public func close() { cairo_close_path(cairo) }

  public func curve(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ x: Double, _ y: Double) {
    cairo_curve_to(cairo, x1, y1, x2, y2, x, y)
  }

  /// Adds an arc, connected to the current path.
  public func arc(_ x: Double, _ y: Double, radius: Double, from start: Double = 0, to end: Double = 2 * .pi) {
    cairo_arc(cairo, x, y, radius, start, end)
  }

  /// Adds a full circle, not connected to the current path.
  public func circle(_ x: Double, _ y: Double, radius: Double) {
    cairo_new_sub_path(cairo)
    arc(x, y, radius: radius)
  }

  public func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    cairo_rectangle(cairo, x, y, width, height)
  }

  /// Adds a rectangle with round corners, not connected to the current path.
  public func rounded(_ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double) {
    cairo_new_sub_path(cairo)
    for (centerX, centerY, start) in [
      (x + width - radius, y + radius, -0.5), (x + width - radius, y + height - radius, 0),
      (x + radius, y + height - radius, 0.5), (x + radius, y + radius, 1.0),
    ] {
      arc(centerX, centerY, radius: radius, from: start * .pi, to: (start + 0.5) * .pi)
    }
    close()
  }

  /// Paints only inside this strip from now on.
  public func clip(x: Double, width: Double) {
    cairo_rectangle(cairo, x, 0, width, height)
    cairo_clip(cairo)
  }

  /// Paints `body` only inside this strip.
  public func clipped(x: Double, width: Double, _ body: () -> Void) {
    cairo_save(cairo)
    clip(x: x, width: width)
    body()
    cairo_restore(cairo)
  }

  /// Paints only inside the picture with round corners from now on.
  public func clipRounded(radius: Double) {
    cairo_new_path(cairo)
    rounded(0, 0, width, height, radius: radius)
    cairo_clip(cairo)
  }

  /// Fills the path; `keep` keeps it for a `stroke`.
  public func fill(_ color: Color, keep: Bool = false) {
    use(color)
    if keep { cairo_fill_preserve(cairo) } else { cairo_fill(cairo) }
  }

  /// Strokes the path with round caps.
  public func stroke(_ color: Color, width: Double, dash: [Double] = []) {
    use(color)
    cairo_set_line_width(cairo, width)
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
    cairo_set_dash(cairo, dash, gint(dash.count), 0)
    cairo_stroke(cairo)
  }

  /// Draws a line of text in the widget's font, scaled by `size`. The given point of the text's box (0 left or top, 0.5
  /// centre, 1 right or bottom) is at x, y. Returns its width and height.
  @discardableResult
  public func text(
    _ text: String, _ x: Double, _ y: Double, color: Color, size: Double = 1, bold: Bool = false,
    anchor: (x: Double, y: Double) = (0.5, 0.5), maxWidth: Double? = nil
  ) -> (width: Double, height: Double) {
    let layout: OpaquePointer = gtk_widget_create_pango_layout(widget, oneLine(text))
    defer { g_object_unref(layout.address) }
    let attributes = pango_attr_list_new()
    defer { pango_attr_list_unref(attributes) }
    pango_attr_list_insert(attributes, pango_attr_scale_new(size))
    if bold { pango_attr_list_insert(attributes, pango_attr_weight_new(PANGO_WEIGHT_SEMIBOLD)) }
    pango_layout_set_attributes(layout, attributes)
    if let maxWidth {
      pango_layout_set_width(layout, gint(maxWidth * Double(PANGO_SCALE)))
      pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
    }
    var (width, height): (gint, gint) = (0, 0)
    pango_layout_get_pixel_size(layout, &width, &height)
    use(color)
    cairo_move_to(cairo, x - Double(width) * anchor.x, y - Double(height) * anchor.y)
    pango_cairo_show_layout(cairo, layout)
    cairo_new_path(cairo)
    return (Double(width), Double(height))
  }

  private func use(_ color: Color) {
    cairo_set_source_rgba(cairo, color.red, color.green, color.blue, color.alpha)
  }
}

/// A drawing area; `onDraw` sets its content. Without a `name` it is decorative and hidden from screen readers.
@MainActor public func drawing(width: Int, height: Int, name: String? = nil) -> Widget {
  let role = name == nil ? GTK_ACCESSIBLE_ROLE_PRESENTATION : GTK_ACCESSIBLE_ROLE_IMG
  let area: Widget = trunk_drawing_area_new(role)
  gtk_drawing_area_set_content_width(area.cast(), gint(width))
  gtk_drawing_area_set_content_height(area.cast(), gint(height))
  if let name { area.accessibleName(name) }
  return area
}

/// A drawing that screen readers present as a slider, for example through marks of a picture.
@MainActor public func sliderDrawing(height: Int, name: String) -> Widget {
  let area: Widget = trunk_drawing_area_new(GTK_ACCESSIBLE_ROLE_SLIDER)
  gtk_drawing_area_set_content_height(area.cast(), gint(height))
  return area.accessibleName(name)
}

@MainActor extension Widget {
  /// Tells screen readers the value of a `sliderDrawing`, from 0 to `most`, and what it means.
  public func setSlider(_ value: Int, of most: Int, _ text: String) {
    trunk_accessible_value(self, Double(value), Double(most), clamped(text))
    accessibleDescription(text)
  }
}

/// A drawing that grows with the desktop's text scale; without a `name` it is decorative.
/// - Parameters:
///   - width: in pixels, at the usual scale.
///   - height: in pixels, at the usual scale.
@MainActor public func growingDrawing(width: Int, height: Int, name: String? = nil) -> Widget {
  drawing(width: width, height: height, name: name).css("grows-wide-\(width)", "grows-high-\(height)")
}

@MainActor extension Widget {
  /// Draws the picture of a `drawing` when its size, its colours or, after `redraw`, its content changes.
  @discardableResult
  public func onDraw(_ draw: @escaping @MainActor (Canvas) -> Void) -> Widget {
    gtk_drawing_area_set_draw_func(cast(), drawArea, HandlerBox.retained(draw), releaseHandler)
    return self
  }
}

private let drawArea: GtkDrawingAreaDrawFunc = { area, cairo, width, height, data in
  guard let area, let cairo, let data else { return }
  let handover = Handover((area: area, cairo: cairo))
  let draw = HandlerBox<@MainActor (Canvas) -> Void>.handler(at: data)
  MainActor.assumeIsolated {
    draw(
      Canvas(
        cairo: handover.value.cairo, widget: handover.value.area.widget, width: Double(width),
        height: Double(height)))
  }
}
