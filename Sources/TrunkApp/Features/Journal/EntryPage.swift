import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The page of one entry: its leaf on the shoot of its sprout, its date, whole text, and links to its question, sprout,
/// leaf and twig. Buttons lead to the entries before and after it.
final class EntryPage {
  let widget: Widget

  private let context: WindowContext
  /// The entries to page through, newest first.
  private let items: [TimelineItem]
  private var index: Int
  private let onBack: @MainActor () -> Void
  /// Called with the entry that is shown in place of another one.
  var onMove: ((TimelineItem) -> Void)?
  private let back: Widget
  private var earlier: Widget?
  private var later: Widget?
  private let shoot = SproutSign(width: 200, height: 84)
  private let date = label("", "title-3")
  private let question = TextLink("win.find")
  private let text = paragraph("", "journal", selectable: true)
  private let result = paragraph("", "hint")
  private let page: Widget
  private let sprout = TextLink("win.sprout")
  private let leaf = TextLink("win.leaf")
  private let twig = TextLink("win.twig")
  private lazy var loader = Loader(context, for: widget)

  /// - Parameters:
  ///   - items: entries, newest first.
  ///   - index: the entry to show first.
  ///   - onBack: called when the user wants to leave the page.
  init(
    _ context: WindowContext, _ items: [TimelineItem], at index: Int, onBack: @escaping @MainActor () -> Void
  ) {
    (self.context, self.items, self.index, self.onBack) = (context, items, index, onBack)
    back = iconButton("go-previous-symbolic", name: tr("Back"), action: onBack)
    question.widget.css("question").tooltip(tr("All entries with this question"))
    let subject = wrapping(spacing: 10, lineSpacing: 0, sprout.widget, leaf.widget, twig.widget)
    shoot.widget.halign(.fill)
    let content = column(
      spacing: 12, shoot.widget, date, question.widget, text, column(spacing: 2, result, subject)
    ).css("text-page")
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
    widget.keeps(self)
    show()
  }

  func focus() { back.focus() }

  private func move(_ step: Int) {
    guard items.indices.contains(index + step) else { return }
    index += step
    show()
    onMove?(items[index])
  }

  private func show() {
    let item = items[index]
    later?.sensitive(index > 0)
    earlier?.sensitive(index + 1 < items.count)
    loader.load { [model = context.model] in
      try await model.entries([item])
    } show: { [weak self] entries in
      if let entry = entries.first { self?.show(entry) }
    }
  }

  private func show(_ entry: TimelineEntry) {
    let garden = context.model.garden
    let question = entry.question ?? ""
    date.setText(Formats.dateAndTime(entry.item.time))
    self.question.widget.visible(!question.isEmpty)
    self.question.show(question, target: SearchQuery.phrase(question))
    text.setText(EntryTexts.text(of: entry))
    text.css("placeholder", when: entry.text.trimmed.isEmpty)
    result.setText(entry.item.result.map { tr("Harvested: {result}", ["result": Formats.result($0)]) } ?? "")
    result.visible(entry.item.result != nil)
    page.scrollToTop()
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
