import CPango

/// A painted picture that can be shown again without painting it again. Another thread may paint it, but only one may
/// show it.
public final class Snapshot: Sendable {
  // The compiler can't know that this is safe: nothing paints on it after `init`, a task hands it over to the thread
  // that shows it, and cairo counts references to surfaces atomically, so any thread may release it. Showing it counts
  // references within pixman, which are not atomic.
  private nonisolated(unsafe) let surface: OpaquePointer

  /// - Parameters:
  ///   - scale: the number of the screen's pixels per unit.
  ///   - paint: paints on a cairo context.
  public init(width: Double, height: Double, scale: Double, paint: (OpaquePointer) -> Void) {
    let (pixelsX, pixelsY) = (Int32((width * scale).rounded(.up)), Int32((height * scale).rounded(.up)))
    // If this fails, cairo returns an error object rather than NULL, and painting on it has no effect.
    surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, pixelsX, pixelsY)
    cairo_surface_set_device_scale(surface, scale, scale)
    let context: OpaquePointer = cairo_create(surface)
    paint(context)
    cairo_destroy(context)
  }

  deinit { cairo_surface_destroy(surface) }

  /// Shows the picture with its top left corner at a point, scaled by `scale`.
  /// - Parameter opacity: 0…1.
  public func show(on cairo: OpaquePointer, x: Double, y: Double, scale: Double, opacity: Double = 1) {
    cairo_save(cairo)
    cairo_translate(cairo, x, y)
    cairo_scale(cairo, scale, scale)
    cairo_set_source_surface(cairo, surface, 0, 0)
    cairo_pattern_set_filter(cairo_get_source(cairo), scale == 1 ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_BILINEAR)
    cairo_paint_with_alpha(cairo, opacity)
    cairo_restore(cairo)
  }
}
