import GtkKit
import Localization
import TrunkKit
import TrunkPrint

/// Saves and prints books for a window, one at a time.
final class BookOutput {
  /// Shows how much of a file is made, and cancels it.
  let progress: Widget

  private let window: DialogWindow
  private let work: FileWork
  private let action: BusyAction

  /// - Parameter form: what can't be used until a file is made.
  init(_ context: WindowContext, for window: DialogWindow, form: Widget) {
    (self.window, work) = (window, FileWork(for: window.widget))
    progress = FileProgress(work).widget
    action = BusyAction(context, foot: window.foot, form: form, isOpen: { [window] in window.isOpen })
  }

  /// Saves a book where the user chooses.
  /// - Parameters:
  ///   - book: is asked for the book to save.
  ///   - done: called with the paths of the saved files: the pages, then the cover if it is a separate one.
  func save(
    _ format: BookFormat, on size: PaperSize, for edition: BookEdition = .screen,
    _ book: @escaping () async throws -> JournalBook?, done: @escaping ([String]) -> Void
  ) {
    run(book) { [self] book in
      let path = await chooseFile(
        .save(name: book.fileName(format)), over: window.widget, title: tr("Save the Book"), accept: tr("Save"))
      guard let path else { return }
      let paths = edition.paths(path)
      // The desktop's dialog has asked about the first one.
      for path in paths.dropFirst() where GardenModel.replaces(path) {
        guard await mayReplace(path) else { return }
      }
      let files = try await work.run { try book.files(format, on: size.paper, for: edition, progress: $0) }
      // A book that is too thin for a cover is one file.
      let saved = Array(zip(files, paths))
      for (content, path) in saved { try GardenModel.write(content, to: path) }
      done(saved.map(\.1))
    }
  }

  /// Prints a book.
  /// - Parameters:
  ///   - size: another one can be chosen in the desktop's dialog.
  ///   - done: called unless the user cancelled.
  func print(
    on size: PaperSize, for edition: BookEdition = .printer, _ book: @escaping () async throws -> JournalBook?,
    done: @escaping () -> Void = {}
  ) {
    run(book) { [self] book in
      let isBooklet = edition == .booklet
      var painter = BookPainter(try await BookPages.made(book, on: size.paper, for: edition))
      let isPrinted = try await printPages(
        over: window.widget, name: book.title, paper: isBooklet ? size.sheetName : size.printerName,
        isFolded: isBooklet
      ) { width, height in
        // Printers round the size of their paper.
        if abs(width - painter.sheet.width) > 1 || abs(height - painter.sheet.height) > 1 {
          let paper = Paper(width: isBooklet ? width / 2 : width, height: height)
          painter = BookPainter(BookPages(book, on: paper, for: edition))
        }
        return painter.sides.count
      } draw: {
        painter.draw(side: $0, on: $1)
      }
      if isPrinted { done() }
    }
  }

  private func run(
    _ book: @escaping () async throws -> JournalBook?, _ body: @escaping @MainActor (JournalBook) async throws -> Void
  ) {
    action.run(keeping: window.widget) { [self] in
      guard let book = try await book() else { return }
      guard !book.entries.isEmpty else {
        window.foot.show(tr("There are no entries to export."))
        return
      }
      do { try await body(book) } catch is CancellationError { window.foot.show(tr("Cancelled.")) }
    }
  }

  private func mayReplace(_ path: String) async -> Bool {
    await ask(
      over: window.widget, tr("Replace the cover?"),
      tr("“{path}” already exists. Replacing it overwrites its content.", ["path": path]),
      [Answer("keep", tr("Cancel")), Answer("replace", tr("Replace"), .destructive)]) == "replace"
  }
}
