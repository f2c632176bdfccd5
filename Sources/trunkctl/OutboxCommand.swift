import ArgumentParser
import Garden
import GardenStore
import Gardening
import Localization

struct OutboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: tr("List the entries that the server does not have."),
    discussion: tr(
      "It ends with code 7 if the server has lost many entries and you have not decided about it, and with code 8 if the server rejected entries."
    ) + "\n\n"
      + Examples([
        ("trunkctl outbox", tr("what waits, what was rejected, and what stays here")),
        ("trunkctl outbox --retry", tr("sends the rejected ones again")),
        ("trunkctl outbox --keep-here", tr("leaves the rejected ones on this computer only")),
        ("trunkctl outbox --export rejected.json", tr("writes all entries of the list into a file")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Argument(help: ArgumentHelp(tr("Only these entries, by their client IDs; without any, all.")))
  var ids: [String] = []

  @Flag(help: ArgumentHelp(tr("Send rejected entries again.")))
  var retry = false

  @Flag(
    help: ArgumentHelp(tr("Keep rejected entries on this computer only; they are no longer reported as a problem.")))
  var keepHere = false

  @Option(help: ArgumentHelp(tr("Write the entries into a file that Trunk can import."), valueName: "file"))
  var export: String?

  func validate() throws {
    if retry && keepHere { throw ValidationError(tr("Use either --retry or --keep-here.")) }
  }

  @MainActor
  func run() async throws {
    let synchroniser = try await options.signedIn()
    let chosen = try await chosen(synchroniser)
    if let export {
      let now = Clock.system.now()
      let entries = if let chosen { chosen } else { try await synchroniser.outbox() }
      let events = entries.map(\.event)
      try Files.write(ExportFile.encode(events, exportedAt: now), to: export)
      if export == "-" { return }
    }
    if retry { try await synchroniser.retry(chosen) }
    if keepHere { try await synchroniser.keepHere(chosen) }
    let (outbox, state) = (try await synchroniser.outbox(), SyncState(try await synchroniser.figures()))
    if options.json {
      Output.write(JSON.object([.init("outbox", .array(outbox.map(OutboxCommand.json)))] + state.members))
    } else {
      if !outbox.isEmpty { Output.write(Table(rows: outbox.map(OutboxCommand.row)).lines(indent: 0)) }
      // What the failure says is not said twice.
      if outbox.isEmpty, state.failure == nil { Output.write(state.lines(in: Clock.system.zone())) }
    }
    if let failure = state.failure { throw failure }
  }

  /// The entries that were named; `nil` if none was.
  @MainActor
  private func chosen(_ synchroniser: Synchroniser) async throws -> [Waiting]? {
    guard !ids.isEmpty else { return nil }
    let outbox = try await synchroniser.outbox()
    return try ids.map { id in
      guard let waiting = outbox.first(where: { $0.event.clientID == id }) else {
        throw Failure(.notFound, tr("No entry of the outbox has the ID “{id}”.", ["id": Output.safe(id)]))
      }
      return waiting
    }
  }

  private static func json(_ waiting: Waiting) -> JSON {
    var members: [JSON.Member] = [
      .init("type", .string(waiting.event.type)), .init("bytes", .number(waiting.item.size)),
      .init("attempts", .number(waiting.item.attempts)), .init("refused", .bool(waiting.item.state != .waiting)),
      .init("localOnly", .bool(waiting.item.state == .localOnly)),
    ]
    if let id = waiting.event.clientID { members.append(.init("clientId", .string(id))) }
    if let answer = waiting.item.lastAnswer { members.append(.init("answer", .string(answer))) }
    return JSON.object(members)
  }

  private static func row(_ waiting: Waiting) -> [String] {
    let state =
      switch waiting.item.state {
      case .waiting: tr("waits")
      case .rejected: tr("rejected")
      case .localOnly: tr("stays here")
      }
    return [
      waiting.event.type, waiting.event.instant?.description ?? "",
      trn("tried {n} time", "tried {n} times", waiting.item.attempts), state, waiting.answer ?? "",
    ]
  }
}
