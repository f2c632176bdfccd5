import EventStore
import GtkKit
import Localization
import TrunkKit

/// The journals of other programs whose pages are here, each with a button that removes it. Hidden without any.
final class EarlierJournals {
  let widget: Widget
  weak var window: (any DialogParent)?

  private let context: WindowContext
  private let list = boxedList()
  private lazy var loader = Loader(context, for: widget)
  private var shown: [PageSourceSummary] = []

  init(_ context: WindowContext) {
    self.context = context
    widget = settingsGroup(
      tr("Earlier journals"),
      note: tr("Pages of other programs. They are never sent to a server: another computer imports the same file."),
      list)
    widget.visible(false).keeps(self)
  }

  func render() {
    loader.load { [model = context.model] in
      try await model.pageSources()
    } show: { [weak self] sources in
      self?.show(sources)
    }
  }

  private func show(_ sources: [PageSourceSummary]) {
    guard sources != shown else { return }
    shown = sources
    widget.visible(!sources.isEmpty)
    for row in list.children { list.remove(row) }
    for summary in sources {
      let name = summary.source.name
      let remove = button(tr("Remove…"), "flat") { [weak self] in self?.remove(summary) }
      remove.valign(.center).accessibleName(tr("Remove “{name}”…", ["name": clamped(name, to: oneLineLimit)]))
      let about = dotted(
        [summary.source.program, trn("{n} page", "{n} pages", summary.pages)]
          + (summary.days.map { [Formats.days($0)] } ?? []))
      list.append(row(clamped(name, to: oneLineLimit), about, end: remove).subtitleLines(0))
    }
  }

  private func remove(_ summary: PageSourceSummary) {
    let context = context
    context.attempt(in: window?.foot) { [weak self, window] in
      let name = clamped(summary.source.name, to: oneLineLimit)
      let answer = await ask(
        over: window?.widget ?? context.window, tr("Remove “{name}”?", ["name": name]),
        trn(
          "{n} page is overwritten on this computer. Trunk makes and checks a backup first, which still has it. Importing the journal again brings it back.",
          "{n} pages are overwritten on this computer. Trunk makes and checks a backup first, which still has them. Importing the journal again brings them back.",
          summary.pages),
        [Answer("keep", tr("Cancel")), Answer("remove", tr("Remove"), .destructive)])
      guard answer == "remove" else { return }
      let (count, backup) = try await context.model.removePages(of: summary.source)
      let foot = window?.foot.isOnScreen == true ? window?.foot : context.foot
      foot?.show(
        trn(
          "Removed {n} page of “{name}”. The backup “{path}” still has it.",
          "Removed {n} pages of “{name}”. The backup “{path}” still has them.", count,
          ["name": name, "path": Folders.displayed(backup)]))
      self?.render()
    }
  }
}
