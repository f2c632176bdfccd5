import CGtk

/// The printer or its driver failed.
public struct PrintError: Error, CustomStringConvertible {
  /// GTK's message, in the user's language.
  public let description: String
}

/// The destination of printed pages.
public enum PrintTarget: Sendable {
  /// The printer that the user chooses in the desktop's own dialog.
  case dialog
  /// A PDF file, without a question.
  case file(String)
}

/// Prints pages.
/// - Parameters:
///   - name: the title in the list of print jobs.
///   - paper: the size of the paper that the dialog suggests, by its name in PWG 5101.1, such as `iso_a5`.
///   - isFolded: whether the paper is wide, has pages on both sides and is turned on its short edge.
///   - pageCount: the number of pages on a paper of this width and height, in points.
///   - draw: draws a page, counted from 0, with a cairo context in points whose origin is a corner of the paper.
/// - Returns: `false` if the user cancelled.
/// - Throws: `PrintError`.
@MainActor public func printPages(
  over window: Widget, name: String, paper: String, isFolded: Bool = false, to target: PrintTarget = .dialog,
  pageCount: @escaping @MainActor (_ width: Double, _ height: Double) -> Int,
  draw: @escaping @MainActor (_ page: Int, _ cairo: OpaquePointer) -> Void
) async throws -> Bool {
  let operation = Reference(adopting: gtk_print_operation_new())
  let object = operation.object
  prepare(object, name: name, paper: paper, isFolded)
  object.onObject("begin-print") { context in
    guard let context else { return }
    let (width, height) = (gtk_print_context_get_width(context), gtk_print_context_get_height(context))
    gtk_print_operation_set_n_pages(object.cast(), gint(clamping: pageCount(width, height)))
  }
  object.onObjectAndNumber("draw-page") { context, page in
    guard let context, let cairo = gtk_print_context_get_cairo_context(context) else { return }
    draw(page, cairo)
  }
  let result = await run(object, over: window, to: target)
  return try withExtendedLifetime(operation) {
    guard result == GTK_PRINT_OPERATION_RESULT_ERROR else { return result == GTK_PRINT_OPERATION_RESULT_APPLY }
    var error: UnsafeMutablePointer<GError>?
    gtk_print_operation_get_error(object.cast(), &error)
    defer { g_clear_error(&error) }
    throw PrintError(description: error.map { String(cString: $0.pointee.message) } ?? name)
  }
}

@MainActor private func prepare(_ operation: OpaquePointer, name: String, paper: String, _ isFolded: Bool) {
  gtk_print_operation_set_job_name(operation.cast(), name)
  gtk_print_operation_set_unit(operation.cast(), GTK_UNIT_POINTS)
  // Trunk's pages include their margins.
  gtk_print_operation_set_use_full_page(operation.cast(), 1)
  gtk_print_operation_set_embed_page_setup(operation.cast(), 1)
  gtk_print_operation_set_allow_async(operation.cast(), 1)
  let setup = Reference(adopting: gtk_page_setup_new())
  let size = gtk_paper_size_new(paper)
  defer { gtk_paper_size_free(size) }
  gtk_page_setup_set_paper_size_and_default_margins(setup.object, size)
  if isFolded {
    gtk_page_setup_set_orientation(setup.object, GTK_PAGE_ORIENTATION_LANDSCAPE)
    let settings = Reference(adopting: gtk_print_settings_new())
    gtk_print_settings_set_orientation(settings.object, GTK_PAGE_ORIENTATION_LANDSCAPE)
    // On the short edge.
    gtk_print_settings_set_duplex(settings.object, GTK_PRINT_DUPLEX_VERTICAL)
    gtk_print_operation_set_print_settings(operation.cast(), settings.object)
  }
  gtk_print_operation_set_default_page_setup(operation.cast(), setup.object)
}

@MainActor private func run(
  _ operation: OpaquePointer, over window: Widget, to target: PrintTarget
) async -> GtkPrintOperationResult {
  await withCheckedContinuation { continuation in
    var waiting: CheckedContinuation<GtkPrintOperationResult, Never>? = continuation
    func end(_ result: GtkPrintOperationResult) {
      waiting?.resume(returning: result)
      waiting = nil
    }
    operation.onPosition("done") { end(GtkPrintOperationResult(rawValue: UInt32(truncatingIfNeeded: $0))) }
    var action = GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG
    if case .file(let path) = target {
      gtk_print_operation_set_export_filename(operation.cast(), path)
      action = GTK_PRINT_OPERATION_ACTION_EXPORT
    }
    let result = gtk_print_operation_run(operation.cast(), action, window.cast(), nil)
    // An operation that couldn't start never emits `done`.
    if result != GTK_PRINT_OPERATION_RESULT_IN_PROGRESS { end(result) }
  }
}
