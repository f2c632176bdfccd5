import EventStore
import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The page of one entry: its leaf on the shoot of its sprout, its date, whole text, and links to its question, sprout,
/// leaf and twig, and a button that hides it. An earlier page has its title, text, tags and source. Buttons lead to the
/// lines before and after it.
final class EntryPage {
  let widget: Widget

  private let context: WindowContext
  /// The entries and pages to page through, newest first.
  private let lines: [JournalLine]
  private var index: Int
  /// Whether another line takes the place of the one that was read.
  private var isMoving = false
  private let query: SearchQuery?
  private let onBack: @MainActor () -> Void
  /// Called with the entry that is shown in place of another one.
  var onMove: ((JournalLine) -> Void)?
  private var earlier: Widget?
  private var later: Widget?
  private let shoot = SproutSign(width: 200, height: 84)
  private let date = label("", "title-3", "page-heading").selectable()
  private let question = TextLink("win.find")
  private let title = paragraph("", "page-title", selectable: true)
  private let text = paragraph("", "journal", selectable: true)
  private let result = paragraph("", "hint")
  private let source = paragraph("", "hint")
  private let hide = button("", "link", "flush") {}.halign(.start)
  private let remove = button(tr("Remove This Page…"), "link", "flush") {}.halign(.start)
  /// Leads from a result of the search to the lines around it.
  private let inJournal = button(tr("Show in the Journal"), "link", "flush") {}.halign(.start)
  private let page: Widget
  private let sprout = TextLink("win.sprout")
  private let leaf = TextLink("win.leaf")
  private let twig = TextLink("win.twig")
  /// The hidden entries, as they are shown.
  private var hidden: Set<Int64>
  private lazy var loader = Loader(context, for: widget)

  /// - Parameters:
  ///   - lines: entries and pages, newest first.
  ///   - index: the entry to show first.
  ///   - query: the search whose matches are marked.
  ///   - onBack: called when the user wants to leave the page.
  init(
    _ context: WindowContext, _ lines: [JournalLine], at index: Int, finding query: SearchQuery? = nil,
    onBack: @escaping @MainActor () -> Void
  ) {
    (self.context, self.lines, self.index, self.query, self.onBack) = (context, lines, index, query, onBack)
    hidden = context.model.hidden
    question.widget.css("question").tooltip(tr("All entries with this question"))
    let subject = wrapping(spacing: 10, lineSpacing: 0, sprout.widget, leaf.widget, twig.widget)
    shoot.widget.halign(.fill)
    let content = column(
      spacing: 12, shoot.widget, date, question.widget, title, text, column(spacing: 2, result, subject),
      column(spacing: 8, source, inJournal.visible(query != nil), remove, hide)
    ).css("text-page")
    let back = iconButton("go-previous-symbolic", name: tr("Back"), action: onBack)
    let bar = line(spacing: 4, back.hexpand().halign(.start))
    page = scrolled(clamp(content.margin(top: 4, bottom: 28, start: 18, end: 18), width: 640))
    widget = column(clamp(bar.margin(top: 6, bottom: 2, start: 10, end: 10)), page)
    let earlier = iconButton("go-down-symbolic", name: tr("Earlier entry")) { [weak self] in self?.move(1) }
    let later = iconButton("go-up-symbolic", name: tr("Later entry")) { [weak self] in self?.move(-1) }
    bar.append(later, earlier)
    (self.earlier, self.later) = (earlier, later)
    widget.onKey { [weak self] press in
      guard press.modifiers == .alt else { return false }
      switch press.key {
      case .down: self?.move(1)
      case .up: self?.move(-1)
      default: return false
      }
      return true
    }
    remove.on("clicked") { [weak self] in self?.removePage() }
    hide.on("clicked") { [weak self] in self?.toggleHidden() }
    widget.keeps(self)
    date.setText(Formats.dateAndTime(lines[index]))
    show()
    context.follow(widget) { [weak self] in self?.showIfHidden() }
  }

  /// Moves the focus to the date, which screen readers then read.
  func focus() { date.focus() }

  /// The places in a text that the search has found.
  private func found(in text: String) -> [Range<Int>] { query?.marks(in: text) ?? [] }

  private func move(_ step: Int) {
    guard lines.indices.contains(index + step) else { return }
    index += step
    isMoving = true
    show()
    onMove?(lines[index])
  }

  private func show() {
    let line = lines[index]
    switch line {
    case .item(let item): inJournal.action("win.entry", target: "\(item.seq)")
    case .page(let page): inJournal.action("win.page", target: "\(page.id)")
    }
    later?.sensitive(index > 0)
    earlier?.sensitive(index + 1 < lines.count)
    loader.load { [model = context.model] in
      try await model.texts(of: [line])
    } show: { [weak self] texts in
      self?.date.setText(Formats.dateAndTime(line))
      switch texts.first {
      case .entry(let entry): self?.show(entry)
      case .page(let line, let stored): self?.show(stored, line)
      case nil: break
      }
      self?.announceMove()
    }
  }

  /// Tells screen readers about the line that is shown now, because the focus doesn't move.
  private func announceMove() {
    if isMoving { widget.announce([date, title, text].filter(\.isVisible).map(\.labelText).joined(separator: ", ")) }
    isMoving = false
  }

  /// Renders the entry again if it was hidden or unhidden.
  private func showIfHidden() {
    guard context.model.hidden != hidden else { return }
    hidden = context.model.hidden
    show()
  }

  private func toggleHidden() {
    guard case .item(let item) = lines[index] else { return }
    context.setHidden(!hidden.contains(item.seq), entry: item.seq, keeping: widget)
  }

  /// - Parameter isPage: whether an earlier page is shown, and no entry.
  private func showParts(isPage: Bool) {
    for part in [shoot.widget, question.widget, result, sprout.widget, leaf.widget, twig.widget] where isPage {
      part.visible(false)
    }
    for part in [title, source, remove] { part.visible(isPage) }
    hide.visible(!isPage)
    page.scrollToTop()
  }

  private func show(_ stored: StoredPage, _ line: PageLine) {
    let page = stored.page
    showParts(isPage: true)
    title.visible(!page.title.isEmpty).setText(page.title)
    text.visible(!page.text.isEmpty || page.title.isEmpty).css("placeholder", when: page.text.isEmpty)
    text.showReading(page.text.isEmpty ? tr("Without words") : page.text)
    for part in [title, text] { part.highlight(found) }
    var facts = [stored.about]
    if !page.tags.isEmpty {
      facts.append(tr("Tags: {tags}", ["tags": page.tags.map(isolated).joined(separator: ", ")]))
    }
    if page.pictures > 0, !page.hasOnlyPictures {
      facts.append(
        trn(
          "{n} picture was not imported. It stays in the journal of the other program.",
          "{n} pictures were not imported. They stay in the journal of the other program.", page.pictures))
    }
    source.setText(facts.joined(separator: "\n"))
  }

  private func removePage() {
    guard case .page(let line) = lines[index] else { return }
    let context = context
    context.attempt(keeping: widget) { [self] in
      let answer = await ask(
        over: context.window, tr("Remove this page?"),
        tr("Its words are overwritten, and importing the journal again doesn’t bring it back. Backups still have it."),
        [Answer("keep", tr("Cancel")), Answer("remove", tr("Remove"), .destructive)])
      guard answer == "remove" else { return }
      try await context.model.removePage(line.id)
      context.foot.show(tr("Removed."))
      onBack()
    }
  }

  private func show(_ entry: TimelineEntry) {
    let garden = context.model.garden
    let question = entry.question ?? ""
    showParts(isPage: false)
    self.question.widget.visible(!question.isEmpty)
    self.question.show(question, target: SearchQuery.phrase(question))
    text.visible(true).showReading(EntryTexts.text(of: entry)).highlight(found)
    text.css("placeholder", when: entry.text.trimmed.isEmpty)
    // An entry without words has nothing to hide.
    hide.visible(entry.isHidden || !entry.text.trimmed.isEmpty || !question.isEmpty)
    hide.setText(entry.isHidden ? tr("Show") : tr("Hide This Entry"))
    result.setText(entry.item.result.map { tr("Harvested: {result}", ["result": Formats.result($0)]) } ?? "")
    result.visible(entry.item.result != nil)
    showSubject(of: entry, garden)
  }

  /// Sets the links to the sprout, the leaf and the twig of an entry; a reflection has only a twig.
  private func showSubject(of entry: TimelineEntry, _ garden: Garden) {
    let sprout = entry.item.sproutID.flatMap { garden.sprout(id: $0) }
    shoot.widget.visible(sprout != nil)
    if let sprout {
      let position = sprout.waterings.firstIndex { garden.journal[Int($0)].seq == entry.item.seq }
      shoot.show(sprout, marked: position, in: garden, now: context.model.now)
    }
    let leaf = sprout.flatMap { garden.leaf(id: $0.leafID) }.flatMap { $0.name.isEmpty ? nil : $0 }
    self.sprout.widget.visible(sprout != nil)
    self.sprout.show(clamped(sprout?.title ?? "", to: oneLineLimit), target: sprout?.id)
    self.leaf.widget.visible(leaf != nil)
    self.leaf.show(tr("Leaf “{name}”", ["name": clamped(leaf?.name ?? "", to: 200)]), target: leaf?.id)
    let place = entry.item.twig.map { garden.path(ofTwig: $0.id) } ?? entry.twigLabel ?? ""
    twig.widget.visible(!place.isEmpty)
    twig.show(place, target: entry.item.twig?.id)
  }
}
