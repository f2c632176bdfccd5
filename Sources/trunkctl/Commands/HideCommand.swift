import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct HideCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hide",
    abstract: tr("Hide an entry on this computer."),
    discussion: tr(
      "What was saved can’t be deleted. A hidden entry is no longer shown, found or printed on this computer; backups, full exports and your other devices still have it, and “trunkctl log --json” prints it. Without an entry, lists the hidden ones."
    ) + "\n\n"
      + Examples([
        ("trunkctl hide \"bar nine\"", tr("the entry with these words")),
        ("trunkctl hide --undo \"bar nine\"", tr("show it again")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Argument(help: ArgumentHelp(tr("Words of the entry, or its client_id from “trunkctl log --json”.")))
  var entry: String?

  @Flag(help: ArgumentHelp(tr("Show a hidden entry again.")))
  var undo = false

  func validate() throws {
    if undo, entry == nil { throw ValidationError(tr("Which entry? Give some of its words.")) }
  }

  @MainActor
  func run() async throws {
    let model = try await options.openExisting()
    guard let entry else { return list(try await events(model, hidden: true), model) }
    let found = try event(entry, among: try await events(model, hidden: undo), model.garden)
    try await model.setHidden(!undo, entry: found.seq)
    if options.json {
      return Output.write(
        .record(("entry", model.garden.record(of: found.event)), ("hidden", .bool(!undo))))
    }
    let summary = ["entry": HideCommand.row(found.event, model.garden).prefix(2).joined(separator: "  ")]
    Output.write(undo ? tr("Shown again: {entry}", summary) : tr("Hidden on this computer: {entry}", summary))
  }
}

extension HideCommand {
  /// The entries that are hidden or not, newest first.
  @MainActor
  private func events(_ model: GardenModel, hidden isHidden: Bool) async throws -> [LoggedEvent] {
    var filter = TimelineFilter()
    filter.showsMilestones = false
    let seqs = model.garden.timeline(filter).map(\.seq).filter { model.hidden.contains($0) == isHidden }
    return try await model.events(seqs: seqs)
  }

  @MainActor
  private func list(_ events: [LoggedEvent], _ model: GardenModel) {
    if options.json {
      return Output.write(.record(("hidden", .array(events.map { model.garden.record(of: $0.event) }))))
    }
    guard !events.isEmpty else { return Output.write(tr("No entry is hidden on this computer.")) }
    Output.write(
      Table(rows: events.map { HideCommand.row($0.event, model.garden) }, endsInExcerpt: true).lines(indent: 0))
  }

  /// The entry with this id, or the only one with these words.
  /// - Throws: a `Failure` that lists the candidates if several match.
  private func event(_ wanted: String, among events: [LoggedEvent], _ garden: Garden) throws -> LoggedEvent {
    if let named = events.first(where: { $0.event.clientID == wanted }) { return named }
    let words = String(wanted.trimmed).folded
    let found =
      words.isEmpty ? [] : events.filter { $0.event.journalText.joined(separator: "\n").folded.contains(words) }
    if found.count == 1 { return found[0] }
    let name = ["words": Output.safe(wanted)]
    guard !found.isEmpty else {
      throw Failure(
        .notFound,
        undo ? tr("No hidden entry contains “{words}”.", name) : tr("No entry contains “{words}”.", name))
    }
    let rows = found.prefix(10).map { [$0.event.clientID ?? ""] + HideCommand.row($0.event, garden) }
    throw Failure(
      .notFound,
      trn(
        "{n} entry contains “{words}”. Give more words, or the id:",
        "{n} entries contain “{words}”. Give more words, or the id:", found.count, name)
        + "\n" + Table(rows: rows, endsInExcerpt: true).lines().joined(separator: "\n"))
  }

  /// The time, the subject and the words of an entry.
  private static func row(_ event: Event, _ garden: Garden) -> [String] {
    [
      garden.time(of: event).map(Formats.dateAndTime) ?? "", Output.safe(event.summary(in: garden)).clipped(to: 60),
      event.journalText.joined(separator: " "),
    ]
  }
}
