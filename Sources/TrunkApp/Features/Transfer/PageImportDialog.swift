import EventStore
import GtkKit
import Localization
import PageFormats
import Synchronization
import TrunkKit

/// Reads the journal of another program, previews the pages that it would bring, and imports them in one transaction.
final class PageImportDialog {
  private let context: WindowContext
  private let path: String
  private let window: DialogWindow
  private weak var parent: (any DialogParent)?
  /// What the dialog shows now: the progress, a question, the preview, or why the journal can't be read.
  private let content = bin()
  private let action: Widget
  private lazy var loader = Loader(context, for: window.widget, in: window.foot)
  private var progress = ImportProgress()
  private var timer: Timeout?
  private var orders: [Character: DayMonthOrder] = [:]
  private var skipsBareTags = false
  private var preview: PagePreview?

  /// How often the progress is shown, in milliseconds.
  private static let interval = 200

  /// - Parameter path: a file or a folder.
  init(_ context: WindowContext, _ path: String, over parent: (any DialogParent)?) {
    let parent = parent?.isOpen == true ? parent : nil
    (self.context, self.path, self.parent) = (context, path, parent)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    window = DialogWindow(
      over: parent?.widget ?? (context.foot.isOnScreen ? context.window : nil), title: tr("Import"),
      closeTitle: tr("Cancel"), width: 560,
      content: column(spacing: 12, paragraph(isolated(name), "semibold").tooltip(path), content))
    action = window.addActionButton("", "suggested-action") {}
    action.visible(false).on("clicked") { [weak self] in self?.importPages() }
    window.widget.on("destroy") { [weak self] in
      self?.progress.cancel()
      self?.timer = nil
    }
    window.widget.keeps(self)
    read()
  }

  func present() { window.present() }

  private func read() {
    let (progress, path, folder, now) = (ImportProgress(), path, context.model.folder, context.model.now)
    let (orders, skipsBareTags) = (orders, skipsBareTags)
    self.progress = progress
    showProgress { trn("Reading: {n} entry", "Reading: {n} entries", $0.done) }
    loader.load {
      do {
        return .success(
          try await GardenModel.pagePreview(
            of: path, for: folder, orders: orders, skipsBareTags: skipsBareTags, now: now,
            isCancelled: { progress.isCancelled }, progress: { progress.update($0, of: 0) }))
      } catch { return .failure(error) }
    } show: { [weak self] (result: Result<PagePreview, any Error>) in
      guard let self else { return }
      timer = nil
      switch result {
      case .success(let preview): show(preview)
      case .failure(let error): showProblem(userMessage(for: error))
      }
    }
  }

  private func show(_ preview: PagePreview) {
    self.preview = preview
    if let question = preview.found.question { return ask(question) }
    let count = preview.plan.new.count + preview.plan.changed.count
    action.visible(count > 0)
    action.setButtonText(trn("Import {n}", "Import {n}", count))
    show(
      PageImportPreview(context, preview, skipsBareTags: skipsBareTags) { [weak self] in
        self?.skipsBareTags = $0
        self?.read()
      }.widget)
    // The content may have had the focus.
    if count > 0 { action.focus() }
  }

  private func ask(_ question: DayMonthQuestion) {
    func answer(_ date: String, _ order: DayMonthOrder) -> Widget {
      row(date, end: icon("go-next-symbolic")) { [weak self] in
        self?.orders[question.separator] = order
        self?.read()
      }
    }
    let list = boxedList(
      answer(Formats.day(question.dayFirst.day), .dayFirst), answer(Formats.day(question.monthFirst.day), .monthFirst))
    show(
      column(
        spacing: 12,
        paragraph(
          tr("The dates of this journal can be read in two ways. Which day is “{date}”?", ["date": question.example])),
        list))
    list.focusFirst()
  }

  private func showProblem(_ message: String) {
    action.visible(false)
    window.closeTitle = tr("Close")
    show(paragraph(message))
  }

  private func show(_ widget: Widget) {
    content.setChild(widget)
    window.scrollToTop()
    window.fit()
  }

  private func showProgress(_ text: @escaping (ImportProgress.Count) -> String) {
    action.visible(false)
    let (status, bar) = (paragraph(""), progressBar())
    let place = column(spacing: 12, status, bar)
    func show(_ count: ImportProgress.Count) {
      status.setText(text(count))
      bar.visible(count.all > 0).setFraction(Double(count.done) / Double(max(count.all, 1)))
    }
    show(progress.count)
    self.show(place)
    timer = Timeout.every(milliseconds: PageImportDialog.interval) { [weak self] in
      guard let self else { return false }
      show(progress.count)
      return true
    }
  }
}

extension PageImportDialog {
  private func importPages() {
    guard let preview, window.isOpen else { return }
    let (context, window, progress) = (context, window, ImportProgress())
    let foot = parent?.isOpen == true ? parent?.foot : nil
    self.progress = progress
    showProgress { count in
      count.all > 0
        ? tr("Importing {n} of {all}", ["n": localized(count.done), "all": localized(count.all)]) : tr("Importing…")
    }
    context.attempt(in: foot, onError: { if window.isOpen { window.close() } }) {
      let plan = try await context.model.importPages(preview.journal) { progress.update($0, of: $1) }
      if window.isOpen { window.close() }
      let shown = foot?.isOnScreen == true ? foot : context.foot
      guard let plan else {
        shown?.show(PageReadError.cancelled.message)
        return
      }
      let newest = plan.new.map(\.date.day).max().map { day in
        (
          tr("Open in Journal"),
          { @MainActor in context.window.activate("win.month", target: String("\(day)".prefix(7))) }
        )
      }
      shown?.show(PageImportDialog.message(plan), button: shown === context.foot ? newest : nil)
    }
  }

  private static func message(_ plan: PagePlan) -> String {
    let new = trn("{n} earlier page was imported.", "{n} earlier pages were imported.", plan.new.count)
    let changed = trn("{n} page was replaced.", "{n} pages were replaced.", plan.changed.count)
    return [plan.new.isEmpty ? nil : new, plan.changed.isEmpty ? nil : changed].compactMap(\.self)
      .joined(separator: " ")
  }
}

/// How far another thread has come, and whether it is to stop.
nonisolated private final class ImportProgress: Sendable {
  typealias Count = (done: Int, all: Int)

  private let state = Mutex((count: (done: 0, all: 0), isCancelled: false))

  var count: Count { state.withLock { $0.count } }
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func cancel() { state.withLock { $0.isCancelled = true } }

  /// - Returns: whether to continue.
  @discardableResult
  func update(_ done: Int, of all: Int) -> Bool {
    state.withLock { state in
      state.count = (done, all)
      return !state.isCancelled
    }
  }
}
