import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The page of one entry: its date, question, whole text and subject, and buttons for the entries before and after it.
final class EntryPage {
  let widget: Widget

  private let context: WindowContext
  /// The entries to page through, newest first.
  private let items: [TimelineItem]
  private var index: Int
  private let onBack: @MainActor () -> Void
  private let back: Widget
  private var earlier: Widget?
  private var later: Widget?
  private let date = label("", "title-3")
  private let question = paragraph("", "question", selectable: true)
  private let text = paragraph("", "journal", selectable: true)
  private let about = paragraph("", "hint")
  private let page: Widget
  private let subject = button("", "link", command: "win.sprout::").halign(.start)
  private var loading: Task<Void, Never>?

  /// - Parameters:
  ///   - items: entries, newest first.
  ///   - index: the entry to show first.
  ///   - onBack: called when the user wants to leave the page.
  init(
    _ context: WindowContext, _ items: [TimelineItem], at index: Int, onBack: @escaping @MainActor () -> Void
  ) {
    (self.context, self.items, self.index, self.onBack) = (context, items, index, onBack)
    back = iconButton("go-previous-symbolic", name: tr("Back"), action: onBack)
    let content = column(spacing: 12, date, question, text, about, subject)
    let bar = line(spacing: 4, back.hexpand().halign(.start))
    page = scrolled(clamp(content.margin(top: 4, bottom: 28, start: 18, end: 18), width: 640))
    widget = column(clamp(bar.margin(top: 6, bottom: 2, start: 10, end: 10)), page)
    let earlier = iconButton("go-down-symbolic", name: tr("Earlier entry")) { [weak self] in self?.move(1) }
    let later = iconButton("go-up-symbolic", name: tr("Later entry")) { [weak self] in self?.move(-1) }
    bar.append(later, earlier)
    (self.earlier, self.later) = (earlier, later)
    widget.onKey { [weak self] press in
      let hasAlt = press.modifiers.contains(.alt)
      switch press.key {
      case .escape: onBack()
      case .left where hasAlt: self?.move(1)
      case .right where hasAlt: self?.move(-1)
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
  }

  private func show() {
    let item = items[index]
    later?.sensitive(index > 0)
    earlier?.sensitive(index + 1 < items.count)
    loading?.cancel()
    loading = Task {
      do {
        let entries = try await context.model.entries([item])
        if let entry = entries.first, !Task.isCancelled { show(entry) }
      } catch {
        if !Task.isCancelled { context.tell(error) }
      }
    }
  }

  private func show(_ entry: TimelineEntry) {
    let garden = context.model.garden
    let question = entry.question ?? ""
    date.setText(Formats.dateAndTime(entry.item.instant, in: garden.zone))
    self.question.visible(!question.isEmpty).setText(question)
    text.setText(EntryTexts.text(of: entry))
    text.css("placeholder", when: entry.text.trimmed.isEmpty)
    about.setText(EntryTexts.about(entry, in: garden))
    page.scrollToTop()
    showSubject(of: entry.item, garden)
  }

  /// Sets the link to the sprout of an entry, or to the twig of a reflection.
  private func showSubject(of item: TimelineItem, _ garden: Garden) {
    let sprout = item.sproutID.flatMap { garden.sprout(id: $0) }
    subject.visible(sprout != nil || item.twig != nil)
    if let sprout {
      subject.setText(tr("Open “{title}”", ["title": clamped(sprout.title, to: 60)]))
      subject.action("win.sprout", target: sprout.id)
    } else if let twig = item.twig {
      subject.setText(tr("Open “{title}”", ["title": garden.label(of: twig)]))
      subject.action("win.twig", target: twig.id)
    }
  }
}
