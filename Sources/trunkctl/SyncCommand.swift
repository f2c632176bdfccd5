import ArgumentParser
import Garden
import GardenStore
import Gardening
import Localization
import Sync

struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: tr("Send what waits, and fetch what is new."),
    discussion: tr(
      "It ends with code 7 if the server has lost many entries and you have not decided about it, and with code 8 if the server rejected entries."
    ) + "\n\n"
      + Examples([
        ("trunkctl sync", tr("once, now")),
        ("trunkctl sync --full", tr("fetch everything again")),
        ("trunkctl sync --upload", tr("take this computer’s garden along, after signing in")),
        ("trunkctl sync --keep-mine", tr("upload again what the server has lost")),
        ("trunkctl sync --follow-server", tr("remove here what the server has lost")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Flag(help: ArgumentHelp(tr("Fetch all entries of the server again.")))
  var full = false

  @Flag(help: ArgumentHelp(tr("Also bring the garden of this computer into the account.")))
  var upload = false

  @Flag(help: ArgumentHelp(tr("Upload again what the server has lost.")))
  var keepMine = false

  @Flag(help: ArgumentHelp(tr("Remove here what the server has lost. A backup is written first.")))
  var followServer = false

  func validate() throws {
    if keepMine && followServer { throw ValidationError(tr("Use either --keep-mine or --follow-server.")) }
  }

  @MainActor
  func run() async throws {
    let synchroniser = try await options.signedIn()
    if upload { try await synchroniser.uploadLocalEvents() }
    if keepMine || followServer { try await decide(keepMine ? .keepMine : .followServer, synchroniser) }
    try await SyncCommand.report(synchroniser, json: options.json, full: full)
  }

  /// Decides about a remote loss that is known, or that a sync finds now.
  @MainActor
  private func decide(_ answer: RemoteLoss.Answer, _ synchroniser: Synchroniser) async throws {
    if try await synchroniser.figures().remoteLoss == nil {
      if let problem = try await synchroniser.syncNow().problem { throw problem }
    }
    guard try await synchroniser.figures().remoteLoss != nil else {
      throw Failure(.notFound, tr("The server has lost nothing: there is nothing to decide."))
    }
    try await synchroniser.answer(answer)
  }

  /// Syncs, and reports the result.
  /// - Parameter login: the command by which the user has just signed in; `nil` for others.
  /// - Throws: `Failure` if the server has lost or rejected entries, after the report.
  @MainActor
  static func report(
    _ synchroniser: Synchroniser, json: Bool, full: Bool = false, login: Login? = nil
  ) async throws {
    let report = try await full ? synchroniser.downloadEverything() : synchroniser.syncNow()
    if let problem = report.problem { throw problem }
    let state = SyncState(try await synchroniser.figures())
    let leftBehind = await login?.leftBehind(synchroniser)
    let restorable = await login?.restorable(synchroniser)
    if json {
      var members: [JSON.Member] = [
        .init("mode", .string(report.mode.rawValue)), .init("pulled", .number(report.pulled)),
        .init("pushed", .number(report.pushed)),
      ]
      members += state.members
      if let leftBehind { members.append(.init("leftBehind", .number(leftBehind))) }
      if let restorable { members.append(.init("restorable", .number(restorable))) }
      Output.write(JSON.object(members))
    } else {
      if login != nil { Output.write(tr("Signed in.")) }
      Output.write(
        trn(
          "{n} entry came, {sent} sent.", "{n} entries came, {sent} sent.", report.pulled, ["sent": "\(report.pushed)"])
      )
      if let restorable, restorable > 0 { Output.write(Output.paragraphs(Restore.offer(restorable), indent: 0)) }
      if let leftBehind, leftBehind > 0 { Output.write(Output.paragraphs(words(leftBehind), indent: 0)) }
    }
    if let failure = state.failure { throw failure }
  }

  private static func words(_ leftBehind: Int) -> String {
    trn(
      "{n} entry was written on this computer before you signed in. It stays here, apart from the account’s garden, and is shown again after signing out. “trunkctl sync --upload” brings it along.",
      "{n} entries were written on this computer before you signed in. They stay here, apart from the account’s garden, and are shown again after signing out. “trunkctl sync --upload” brings them along.",
      leftBehind)
  }
}
