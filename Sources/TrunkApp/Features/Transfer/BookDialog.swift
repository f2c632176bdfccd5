import GtkKit
import Localization
import TrunkKit
import TrunkModel
import TrunkPrint

/// Exports a part of the journal for reading, or prints it.
final class BookDialog {
  /// A part of the journal to choose.
  struct Part {
    let title: String
    let selection: BookSelection
  }

  private let context: WindowContext
  private let dialog: DialogWindow
  private let parts: [Part]
  private var part = 0
  private var format = BookFormat.pdf
  private var paper = PaperSize.a5
  private let output: BookOutput
  private let hint = paragraph("", "hint")
  private let papers: Widget
  /// Whether earlier pages are included.
  private var includesPages = false
  private lazy var loader = Loader(context, for: dialog.widget, in: dialog.foot)

  private static let formats: [BookFormat] = [.pdf, .html, .markdown]

  /// - Parameters:
  ///   - filter: the filter of the list that opens the dialog. Unless it is empty, its entries are the first part to
  ///     choose.
  ///   - pages: the earlier pages that a search has found with them; `nil` without a search.
  convenience init(
    _ context: WindowContext, listing filter: TimelineFilter = TimelineFilter(), found pages: Set<Int64>? = nil
  ) {
    var selection = BookSelection(filter: filter)
    selection.foundPages = pages
    let listed = Part(title: tr("Current list"), selection: selection)
    let everything = Part(title: tr("The whole journal"), selection: BookSelection())
    let years = Set(context.model.garden.timeline().filter(\.isEntry).map(\.time.day.year)).sorted(by: >)
    self.init(
      context,
      parts: (filter.isEmpty ? [] : [listed]) + [everything]
        + years.map { Part(title: "\($0)", selection: BookSelection(years: $0...$0)) })
  }

  /// The story of a sprout, or of its whole leaf if it has others.
  convenience init(_ context: WindowContext, aboutSprout id: String) {
    let garden = context.model.garden
    var parts = [Part(title: tr("This sprout"), selection: BookSelection(sprout: id))]
    if let leaf = garden.sprout(id: id).flatMap({ garden.leaf(id: $0.leafID) }) {
      let name = clamped(leaf.name, to: oneLineLimit)
      parts.append(Part(title: tr("The leaf “{name}”", ["name": name]), selection: BookSelection(leaf: leaf.id)))
    }
    self.init(context, parts: parts)
  }

  /// The story of a leaf.
  convenience init(_ context: WindowContext, aboutLeaf leaf: Leaf) {
    let title = tr("The leaf “{name}”", ["name": clamped(leaf.name, to: oneLineLimit)])
    self.init(context, parts: [Part(title: title, selection: BookSelection(leaf: leaf.id))])
  }

  private init(_ context: WindowContext, parts: [Part]) {
    (self.context, self.parts) = (context, parts)
    let (content, form) = (column(spacing: 18), column(spacing: 18))
    dialog = DialogWindow(
      over: context.window, title: tr("Export Journal"), closeTitle: tr("Cancel"), width: 440, content: content)
    papers = column(spacing: 6)
    output = BookOutput(context, for: dialog, form: form)
    let part = dropDown(name: tr("Content"), parts.map(\.title)) { [weak self] in self?.part = $0 }
    let titles = [tr("Book (PDF)"), tr("Web page"), tr("Markdown")]
    let format = Segments(name: tr("Format"), titles, selected: 0)
    format.onSelect = { [weak self] in self?.choose(BookDialog.formats[$0]) }
    let paper = Segments(name: tr("Paper"), PaperSize.allCases.map(\.title), selected: 0)
    paper.onSelect = { [weak self] in self?.paper = PaperSize.allCases[$0] }
    papers.append(label(tr("Paper"), "caption-title"), paper.widget)
    let pages = boxedList(
      switchRow(
        tr("Earlier pages"), tr("From the journals of other programs."), isOn: false
      ) { [weak self] in
        self?.includesPages = $0
      }
    ).visible(false)
    form.append(
      column(spacing: 6, label(tr("Content"), "caption-title"), part),
      column(spacing: 6, label(tr("Format"), "caption-title"), format.widget, hint), papers, pages,
      button(tr("Print…")) { [weak self] in self?.print() }.halign(.start))
    content.append(form, output.progress)
    dialog.addActionButton(tr("Save…"), "suggested-action") { [weak self] in self?.save() }
    choose(.pdf)
    dialog.widget.keeps(self)
    // The story of a sprout or a leaf has no pages.
    guard parts.contains(where: { $0.selection.sprout == nil && $0.selection.leaf == nil }) else { return }
    loader.load { [model = context.model] in
      try await model.countPages()
    } show: { [dialog] count in
      pages.visible(count > 0)
      dialog.fit()
    }
  }

  func present() { dialog.present() }

  private func choose(_ format: BookFormat) {
    self.format = format
    papers.visible(format == .pdf)
    switch format {
    case .pdf: hint.setText(tr("With a title page, and dates in the margin."))
    case .html: hint.setText(tr("One file for any browser, light or dark."))
    case .markdown: hint.setText(tr("Plain text for editors and notes."))
    }
  }
}

extension BookDialog {
  private func book() async throws -> JournalBook {
    var selection = parts[part].selection
    selection.includesPages = includesPages
    return try await context.model.book(selection, author: context.accountModel.profile.name)
  }

  private func save() {
    output.save(format, on: paper, book) { [self] paths in
      if dialog.isOpen { dialog.close() }
      context.foot.showSaved(paths)
    }
  }

  private func print() {
    output.print(on: paper, book) { [dialog] in if dialog.isOpen { dialog.close() } }
  }
}
