import CPango
import VectorGraphics

/// Paints drawings with cairo.
public struct Painter {
  /// The cairo context, which must outlive the painter.
  private let cairo: OpaquePointer

  public init(_ cairo: OpaquePointer) { self.cairo = cairo }

  /// Paints a drawing, with each of its points at `offset` + `scale` × point.
  public func paint(_ drawing: Drawing, scale: Double = 1, offset: Point = Point(0, 0)) {
    cairo_save(cairo)
    defer { cairo_restore(cairo) }
    cairo_translate(cairo, offset.x, offset.y)
    cairo_scale(cairo, scale, scale)
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
    for mark in drawing.marks {
      trace(mark.path)
      if let fill = mark.fill {
        use(fill)
        if mark.stroke == nil { cairo_fill(cairo) } else { cairo_fill_preserve(cairo) }
      }
      if let stroke = mark.stroke {
        use(.color(stroke.color))
        cairo_set_line_width(cairo, stroke.width)
        cairo_stroke(cairo)
      }
    }
  }

  /// Paints everything in `body` with coarser edges and curves, which takes half as long.
  public func roughly(_ body: (Painter) -> Void) {
    cairo_save(cairo)
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_FAST)
    // In pixels; 0.1 otherwise.
    cairo_set_tolerance(cairo, 0.4)
    body(self)
    cairo_restore(cairo)
  }

  /// Paints everything in `body` larger or smaller, from the origin.
  public func scaled(by factor: Double, _ body: () -> Void) {
    cairo_save(cairo)
    cairo_scale(cairo, factor, factor)
    body()
    cairo_restore(cairo)
  }

  /// Paints a drawing as one translucent picture.
  /// - Parameter opacity: 0…1.
  public func paint(_ drawing: Drawing, scale: Double, offset: Point, opacity: Double) {
    if opacity >= 1 { return paint(drawing, scale: scale, offset: offset) }
    cairo_push_group(cairo)
    paint(drawing, scale: scale, offset: offset)
    cairo_pop_group_to_source(cairo)
    cairo_paint_with_alpha(cairo, opacity)
  }

  /// Paints everything in `body` with the origin at a point.
  /// - Parameter turn: clockwise, in radians.
  public func moved(by offset: Point, turn: Double = 0, _ body: () -> Void) {
    cairo_save(cairo)
    cairo_translate(cairo, offset.x, offset.y)
    cairo_rotate(cairo, turn)
    body()
    cairo_restore(cairo)
  }

  /// Makes everything that was painted so far more transparent.
  /// - Parameter opacity: the remaining opacity, 0…1.
  public func fade(to opacity: Double) {
    cairo_save(cairo)
    cairo_set_operator(cairo, CAIRO_OPERATOR_DEST_IN)
    cairo_set_source_rgba(cairo, 0, 0, 0, opacity)
    cairo_paint(cairo)
    cairo_restore(cairo)
  }

  private func trace(_ path: Path) {
    cairo_new_path(cairo)
    for element in path.elements {
      switch element {
      case .move(let point): cairo_move_to(cairo, point.x, point.y)
      case .line(let point): cairo_line_to(cairo, point.x, point.y)
      case .curve(let first, let second, let end):
        cairo_curve_to(cairo, first.x, first.y, second.x, second.y, end.x, end.y)
      case .close: cairo_close_path(cairo)
      }
    }
  }

  private func use(_ paint: Paint) {
    switch paint {
    case .color(let color): cairo_set_source_rgba(cairo, color.red, color.green, color.blue, color.alpha)
    case .radial(let center, let radius, let inner, let outer):
      use(cairo_pattern_create_radial(center.x, center.y, 0, center.x, center.y, radius), inner, outer)
    case .linear(let from, let to, let first, let last):
      use(cairo_pattern_create_linear(from.x, from.y, to.x, to.y), first, last)
    }
  }

  /// Uses a pattern that goes from one colour to another one.
  private func use(_ pattern: OpaquePointer?, _ first: Color, _ last: Color) {
    for (offset, color) in [(0.0, first), (1.0, last)] {
      cairo_pattern_add_color_stop_rgba(pattern, offset, color.red, color.green, color.blue, color.alpha)
    }
    cairo_set_source(cairo, pattern)
    cairo_pattern_destroy(pattern)
  }
}
