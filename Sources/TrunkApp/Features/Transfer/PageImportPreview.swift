import EventStore
import GtkKit
import Localization
import PageFormats
import TrunkKit
import TrunkModel

/// What an import of another program's journal would bring: how many pages from when to when, what is skipped and left
/// out, and examples as they will look.
final class PageImportPreview {
  let widget = column(spacing: 14)

  /// The number of skipped entries that are listed.
  private static let listed = 50

  /// - Parameter onSkip: called when the user decides whether entries that have only tags are left out.
  init(
    _ context: WindowContext, _ preview: PagePreview, skipsBareTags: Bool, onSkip: @escaping @MainActor (Bool) -> Void
  ) {
    let (found, plan) = (preview.found, preview.plan)
    let count = trn("{n} page", "{n} pages", preview.journal.pages.count)
    widget.append(
      paragraph(dotted([found.format.name, count] + (preview.days.map { [Formats.days($0)] } ?? []))),
      PageImportPreview.facts(
        (tr("New"), plan.new.count), (tr("Changed, will be replaced"), plan.changed.count),
        (tr("Already here"), plan.known), (tr("Removed by you, stay away"), plan.removed),
        (tr("The same words in another journal"), plan.doubled.count),
        (tr("Skipped"), found.skipped.count + found.unlistedSkips)))
    let skipped =
      found.skipped.map { ($0.what, $0.why.text) }
      + plan.doubled.map { doubled in
        (Formats.day(doubled.page.date.day), tr("the same words as in “{name}”", ["name": doubled.other.name]))
      }
    if !skipped.isEmpty { widget.append(PageImportPreview.list(skipped, unlisted: found.unlistedSkips)) }
    if found.bareTagPages > 0 || skipsBareTags {
      widget.append(
        boxedList(
          switchRow(
            tr("Leave out entries without words"), tr("They have only a mood or tags."), isOn: skipsBareTags,
            onChange: onSkip)))
    }
    if !preview.leftOut.isEmpty {
      widget.append(
        paragraph(tr("Left out: {list}.", ["list": preview.leftOut.joined(separator: ", ")]), "second"))
    }
    for note in found.notes { widget.append(paragraph(note.text, "second")) }
    addExamples(preview, in: context.model.garden.zone, context)
    widget.append(
      paragraph(
        tr(
          "Earlier pages lie beside your garden: they earn no soil, use no drops, and are never sent to a server. On another computer, import the same file there."
        ), "hint"))
    widget.keeps(self)
  }

  private func addExamples(_ preview: PagePreview, in zone: Zone, _ context: WindowContext) {
    let pages = preview.examples
    if pages.isEmpty { return }
    let rows = column(spacing: 16).css("card", "page-examples")
    for page in pages {
      let line = PageLine(id: 0, date: page.date, in: zone)
      let row = JournalRow(context) { _ in }
      let about = dotted([page.about(from: preview.found.format.name), Formats.month(line.day)])
      _ = row.show(.page(page, line, about: about, isFirstOfDay: true))
      rows.append(row.widget)
    }
    widget.append(column(spacing: 8, sectionHeader(tr("As they will look")), rows))
  }

  private static func facts(_ facts: (caption: String, count: Int)...) -> Widget {
    let rows = column().css("facts")
    for (index, fact) in facts.enumerated() where index == 0 || fact.count > 0 {
      let row = FactRow(fact.caption)
      row.show(localized(fact.count))
      rows.append(row.widget)
    }
    return rows
  }

  /// What is skipped and why, below a link that opens it.
  private static func list(_ skipped: [(what: String, why: String)], unlisted: Int) -> Widget {
    let rows = column(spacing: 6)
    for (what, why) in skipped.prefix(listed) {
      rows.append(column(paragraph(isolated(what)), paragraph(why, "hint")))
    }
    let others = skipped.count - listed + unlisted
    if others > 0 { rows.append(paragraph(trn("{n} more", "{n} more", others), "hint")) }
    let disclosure = Disclosure(tr("What is skipped, and why"), rows)
    return column(spacing: 6, disclosure.link, rows)
  }
}
