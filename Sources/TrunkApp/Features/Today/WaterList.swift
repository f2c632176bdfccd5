import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The section of Today with the sprouts to water, and those that were watered today with what was written.
final class WaterList {
  let widget: Widget
  let rows = SproutRows()

  private let context: WindowContext
  private let upcoming = button(tr("Upcoming Harvests"), "link", "flush", command: "win.upcoming")
  private let header: Widget
  /// The question about the sprout that was planted on the garden's first day.
  private let question = row("", "").subtitleLines(2)
  private let questions: WaterQuestions
  private let loader, questionLoader: Loader
  /// The first sentences of today's entries, by their numbers; empty if there is none.
  private var words: [Int64: String] = [:]
  /// The hidden entries when they were read.
  private var hidden: Set<Int64> = []
  /// The sprout that the question is about.
  private var asked: ExactID?

  init(_ context: WindowContext) {
    self.context = context
    questions = WaterQuestions(context)
    header = sectionHeader(trc("noun", "Water"), end: upcoming)
    rows.list.accessibleName(trc("noun", "Water"))
    rows.list.append(question.activatable().offersActivation().css("asks").visible(false))
    widget = column(spacing: 8, header, rows.widget)
    loader = Loader(context, for: widget)
    questionLoader = Loader(context, for: widget)
    widget.keeps(self)
  }

  func show(_ garden: Garden, _ now: Instant) {
    if context.model.hidden != hidden { (hidden, words) = (context.model.hidden, [:]) }
    let left = garden.waterLeft(at: now)
    let today = context.model.today(resting: context.settings.restDays)
    // Ready sprouts are in the section above. Resting ones can be watered, too.
    let due = (today.due + today.resting).map { sprout in
      let kind = left > 0 && today.resting.isEmpty ? "due" : "dry"
      return SproutRows.Item(sprout: sprout, kind: kind, note: lastWatered(sprout, garden, now)) {
        guard left > 0 else { return label("") }
        return button(tr("Water"), "water", command: "win.water::" + sprout.id)
          .accessibleName(tr("Water “{title}”", ["title": sprout.title]))
      }
    }
    let written = today.watered.map { garden.watering(of: $0, onDayOf: now) }
    let done = zip(today.watered, written).map { sprout, entry in
      SproutRows.Item(
        sprout: sprout, kind: "done", note: tr("watered today"), words: entry.flatMap { words[$0.seq] } ?? ""
      ) { label("") }
    }
    rows.show(due + done, in: garden, now: now)
    header.setNote(note(garden, now, isDue: !due.isEmpty, isDone: !done.isEmpty))
    upcoming.visible(!garden.firstDays(at: now).isFirst && !garden.upcoming(at: now).isEmpty)
    // Below several rows, it would seem to be about the last one.
    let isAlone = due.count == 1 && done.isEmpty
    showQuestion(isAlone && garden.firstDays(at: now).isFirst ? today.due.first : nil)
    loadWords(of: written.compactMap(\.self), in: garden)
  }

  /// Reads what was written today, and shows it when it is there.
  private func loadWords(of entries: [JournalEntry], in garden: Garden) {
    let missing = garden.items(entries.filter { $0.hasWords && words[$0.seq] == nil })
    guard !missing.isEmpty else { return }
    loader.load { [model = context.model] in
      try await model.entries(missing)
    } show: { [weak self] read in
      guard let self else { return }
      // An entry that has left the log isn't read, and must not be asked for again.
      for item in missing { words[item.seq] = "" }
      for entry in read {
        let sentence = OwnWords.firstSentences(of: entry.text)
        words[entry.item.seq] = sentence.isEmpty ? "" : tr("“{text}”", ["text": sentence])
      }
      show(context.model.garden, context.model.now)
    }
  }

  /// - Parameter sprout: the sprout that it is about; `nil` hides it.
  private func showQuestion(_ sprout: Sprout?) {
    let id = sprout.map { ExactID($0.id) }
    guard id != asked else { return }
    asked = id
    question.visible(false)
    guard let sprout else { return }
    question.action("win.water", target: sprout.id)
    questionLoader.load { [questions] in
      try await questions.load()
      return questions.chooseToday(about: sprout.id)
    } show: { [weak self] text in
      guard let self, asked == id else { return }
      question.setRow(text, tr("A few words are plenty"), titleLines: 0)
      question.visible(true)
    }
  }

  private func note(_ garden: Garden, _ now: Instant, isDue: Bool, isDone: Bool) -> String {
    if !isDue && !isDone {
      return garden.growing.isEmpty
        ? tr("nothing is growing; press N to plant") : tr("nothing else is growing; press N to plant")
    }
    if garden.waterLeft(at: now) == 0 {
      return tr(
        "all used; more {time}",
        ["time": Formats.moment(garden.zone.nextReset(after: now), now: now, in: garden.zone)])
    }
    guard isDue else { return tr("everything is watered today") }
    if let rest = context.rest {
      return tr("resting until {date}", ["date": Formats.dayAndYear(rest.last, today: context.today)])
    }
    return ""
  }

  private func lastWatered(_ sprout: Sprout, _ garden: Garden, _ now: Instant) -> String {
    guard let last = garden.lastWatered(sprout, at: now) else {
      return garden.firstDays(at: now).isFirst
        ? tr("harvest from {date}", ["date": Formats.dayAndYear(sprout.harvestDue, now: now, in: garden.zone)])
        : tr("planted {when}", ["when": Formats.ago(sprout.plantedAt.day, today: context.today)])
    }
    return tr("last watered {when}", ["when": Formats.ago(last.day, today: context.today)])
  }
}
