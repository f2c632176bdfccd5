import ArgumentParser
import EventStore
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

struct OutboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: tr("List the entries that the server does not have."),
    discussion: tr(
      "The exit code is 7 if many entries are missing on the server and you have not decided what to do, and 8 if the server rejected entries."
    ) + "\n\n"
      + Examples([
        ("trunkctl outbox", tr("list waiting, rejected and local-only entries")),
        ("trunkctl outbox --retry", tr("send the rejected entries again")),
        ("trunkctl outbox --keep-here", tr("keep the rejected entries on this computer only")),
        ("trunkctl outbox --export rejected.json", tr("write all listed entries into a file")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Argument(help: ArgumentHelp(tr("The client IDs of the entries; all entries by default.")))
  var ids: [String] = []

  @Flag(help: ArgumentHelp(tr("Send rejected entries again.")))
  var retry = false

  @Flag(
    help: ArgumentHelp(tr("Keep rejected entries on this computer only; they are no longer reported as a problem.")))
  var keepHere = false

  @Option(help: ArgumentHelp(tr("Write the entries into a file that Trunk can import."), valueName: "file"))
  var export: String?

  @Flag(help: Files.forceHelp)
  var force = false

  func validate() throws {
    if retry && keepHere { throw ValidationError(tr("Use either --retry or --keep-here.")) }
  }

  @MainActor
  func run() async throws {
    let accountModel = try await options.signedIn(fullDisk: retry || keepHere ? .fails : .opensForReading)
    let chosen = try await chosen(accountModel)
    if let export {
      let now = WallClock.system.now()
      let entries = if let chosen { chosen } else { try await accountModel.outbox.entries() }
      let events = entries.map(\.event)
      try Files.write(ExportFile.encode(events, exportedAt: now), to: export, replacing: force)
      if export == "-" { return }
    }
    let report = retry ? try await accountModel.outbox.retry(chosen) : nil
    Output.writeMessage(about: report?.removal)
    if keepHere { try await accountModel.outbox.keepLocalOnly(chosen) }
    let (outbox, state) = (try await accountModel.outbox.entries(), SyncState(try await accountModel.outbox.figures()))
    if options.json {
      Output.write(JSON.object([.init("outbox", .array(outbox.map(OutboxCommand.json)))] + state.members))
    } else {
      let garden = accountModel.model.garden
      if !outbox.isEmpty {
        Output.write(Table(rows: outbox.map { OutboxCommand.row($0, in: garden) }).lines(indent: 0))
      }
      // Don't repeat the failure's message.
      if outbox.isEmpty, state.failure == nil {
        Output.write(state.lines(now: WallClock.system.now(), in: garden.zone))
      }
    }
    if let problem = report?.problem { throw problem }
    if let failure = state.failure { throw failure }
  }

  /// The entries that the user named; `nil` if none were named.
  @MainActor
  private func chosen(_ accountModel: AccountModel) async throws -> [UnsentEntry]? {
    guard !ids.isEmpty else { return nil }
    let outbox = try await accountModel.outbox.entries()
    return try ids.map { id in
      guard let entry = outbox.first(where: { $0.event.clientID?.hasSameBytes(as: id) == true }) else {
        throw Failure(.notFound, tr("No entry of the outbox has the ID “{id}”.", ["id": Output.safe(id)]))
      }
      return entry
    }
  }

  private static func json(_ entry: UnsentEntry) -> JSON {
    // Scripts know rejected entries as `refused`.
    var members: [JSON.Member] = [
      .init("type", .string(entry.event.type)), .init("bytes", .number(entry.item.size)),
      .init("attempts", .number(entry.item.attempts)), .init("refused", .bool(entry.item.state != .pending)),
      .init("localOnly", .bool(entry.item.state == .localOnly)),
    ]
    if let id = entry.event.clientID { members.append(.init("clientId", .string(id))) }
    if let answer = entry.item.lastAnswer { members.append(.init("answer", .string(answer))) }
    if entry.item.state != .pending { members.append(.init("reason", .string(entry.reason))) }
    return JSON.object(members)
  }

  private static func row(_ entry: UnsentEntry, in garden: Garden) -> [String] {
    let description = entry.description(in: garden)
    // The reason comes first: the rest is for troubleshooting.
    let reason = entry.item.state == .pending ? [] : [entry.reason]
    return [
      description.title, description.time ?? "", description.state, dotted(reason + entry.details),
    ]
  }
}
