import CPango

/// A picture or document that is drawn with cairo and is encoded as a file.
public final class Surface {
  public enum Format: String, CaseIterable, Sendable {
    case svg, png, pdf
  }

  /// cairo couldn't create, draw or encode the picture.
  public struct Failure: Error, CustomStringConvertible {
    /// cairo's message, in English.
    public let description: String
  }

  /// The context that draws on this surface, for cairo's and Pango's functions.
  public let cairo: OpaquePointer

  private let surface: OpaquePointer
  private let format: Format
  /// What cairo has written so far; it keeps a pointer to this object until the surface is finished.
  private let output = Output()

  /// Creates an empty surface.
  /// - Parameters:
  ///   - width: the width in pixels for PNG, otherwise in points (1/72 inch).
  ///   - height: the height in the same unit.
  public init(_ format: Format, width: Double, height: Double) throws(Failure) {
    let sink = Unmanaged.passUnretained(output).toOpaque()
    let created =
      switch format {
      case .svg: cairo_svg_surface_create_for_stream(write, sink, width, height)
      case .pdf: cairo_pdf_surface_create_for_stream(write, sink, width, height)
      case .png: cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width.rounded()), Int32(height.rounded()))
      }
    // If this fails, cairo returns an error object rather than NULL.
    guard let created, let context = cairo_create(created) else { throw Failure(CAIRO_STATUS_NO_MEMORY) }
    (self.format, surface, cairo) = (format, created, context)
    try check()
  }

  deinit {
    // A finished surface no longer writes to `output`.
    cairo_surface_finish(surface)
    cairo_destroy(cairo)
    cairo_surface_destroy(surface)
  }

  /// Ends a page of a PDF. Later drawing appears on the next page.
  public func showPage() { cairo_show_page(cairo) }

  /// Sets the title that PDF readers show.
  public func setTitle(_ title: String) {
    if format == .pdf { cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title) }
  }

  /// Sets the author that PDF readers show.
  public func setAuthor(_ author: String) {
    if format == .pdf { cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_AUTHOR, author) }
  }

  /// Adds an entry to the table of contents that PDF readers show beside the pages.
  /// - Parameters:
  ///   - page: the number of the page, from 1.
  ///   - parent: an entry that contains this one.
  /// - Returns: the entry, for entries below it.
  @discardableResult
  public func addOutline(_ title: String, page: Int, below parent: Int32? = nil) -> Int32 {
    guard format == .pdf else { return CAIRO_PDF_OUTLINE_ROOT }
    return cairo_pdf_surface_add_outline(
      surface, parent ?? CAIRO_PDF_OUTLINE_ROOT, title, "page=\(page) pos=[0 0]", CAIRO_PDF_OUTLINE_FLAG_OPEN)
  }

  /// Ends the drawing and returns the file. Nothing can be drawn afterwards.
  public func finish() throws(Failure) -> [UInt8] {
    try check()
    if format == .png {
      let status = cairo_surface_write_to_png_stream(surface, write, Unmanaged.passUnretained(output).toOpaque())
      guard status == CAIRO_STATUS_SUCCESS else { throw Failure(status) }
    }
    cairo_surface_finish(surface)
    let status = cairo_surface_status(surface)
    guard status == CAIRO_STATUS_SUCCESS else { throw Failure(status) }
    return output.bytes
  }

  private func check() throws(Failure) {
    for status in [cairo_surface_status(surface), cairo_status(cairo)] where status != CAIRO_STATUS_SUCCESS {
      throw Failure(status)
    }
  }
}

extension Surface.Failure {
  fileprivate init(_ status: cairo_status_t) {
    description = cairo_status_to_string(status).map { String(cString: $0) } ?? "cairo error \(status.rawValue)"
  }
}

private final class Output {
  var bytes: [UInt8] = []
}

private let write: cairo_write_func_t = { output, data, length in
  guard let output, let data else { return CAIRO_STATUS_WRITE_ERROR }
  Unmanaged<Output>.fromOpaque(output).takeUnretainedValue().bytes
    .append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
  return CAIRO_STATUS_SUCCESS
}
