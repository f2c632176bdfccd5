import ArgumentParser
import EventStore
import Localization
import SyncEngine
import TrunkAccount
import TrunkKit
import TrunkModel

struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: tr("Send unsent entries and fetch new ones."),
    discussion: tr(
      "The exit code is 7 if many entries are missing on the server and you have not decided what to do, and 8 if the server rejected entries."
    ) + "\n\n"
      + Examples([
        ("trunkctl sync", tr("sync once, now")),
        ("trunkctl sync --full", tr("fetch everything again")),
        ("trunkctl sync --upload", tr("after signing in, also upload this computer’s garden")),
        ("trunkctl sync --keep-mine", tr("upload again what the server has lost")),
        ("trunkctl sync --follow-server", tr("remove here what the server has lost")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Flag(help: ArgumentHelp(tr("Fetch all entries from the server again.")))
  var full = false

  @Flag(help: ArgumentHelp(tr("Also add this computer’s garden to the account.")))
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
    let accountModel = try await options.signedIn()
    try await accountModel.model.endTerminalUndoWindows()
    let uploaded = upload ? try await accountModel.localUpload.run() : nil
    let decision: SyncReport? =
      if keepMine || followServer { try await carryOut(keepMine ? .uploadAgain : .followServer, accountModel) } else {
        nil
      }
    try await SyncCommand.report(accountModel, json: options.json, full: full, finished: decision, uploaded)
  }

  /// Carries out a decision about a remote loss that is recorded or that a sync finds now.
  @MainActor
  private func carryOut(
    _ decision: RemoteLoss.Decision, _ accountModel: AccountModel
  ) async throws -> SyncReport {
    if try await accountModel.outbox.figures().remoteLoss == nil {
      let report = try await accountModel.sync()
      Output.writeMessage(about: report.removal)
      if let problem = report.problem { throw problem }
    }
    guard try await accountModel.outbox.figures().remoteLoss != nil else {
      throw Failure(.notFound, tr("The server has lost nothing: there is nothing to decide."))
    }
    return try await accountModel.sync(.decision(decision))
  }

  /// Syncs, and reports the result.
  /// - Parameters:
  ///   - login: the login command that ran before; `nil` for other commands.
  ///   - finished: the report of a sync that has just ended, which replaces a new one.
  ///   - uploaded: the result of adding this computer's garden; `nil` if that was not requested.
  /// - Throws: `Failure` if the server has lost or rejected entries, after the report.
  @MainActor
  static func report(
    _ accountModel: AccountModel, json: Bool, full: Bool = false, login: LoginCommand? = nil,
    finished: SyncReport? = nil,
    _ uploaded: UploadResult? = nil
  ) async throws {
    let report: SyncReport =
      if let finished { finished } else { try await accountModel.sync(full ? .allRows : .newRows) }
    if let difference = report.clockDifference { Output.writeMessage(difference.message()) }
    if let problem = report.problem {
      Output.writeMessage(about: report.removal)
      throw problem
    }
    let result = SyncResult(
      report: report, state: SyncState(try await accountModel.outbox.figures()), uploaded: uploaded,
      isLogin: login != nil, leftBehind: await login?.leftBehind(accountModel),
      restorable: await login?.restorable(accountModel))
    if json { Output.write(JSON.object(result.members)) } else { result.write() }
    if let failure = result.state.failure { throw failure }
  }
}

/// What a sync reports to the user.
private struct SyncResult {
  let report: SyncReport
  let state: SyncState
  /// The result of adding this computer's garden; `nil` if that was not requested.
  let uploaded: UploadResult?
  let isLogin: Bool
  /// What stays in this computer's garden.
  let leftBehind: LocalContents?
  let restorable: RestoreOffer?

  var members: [JSON.Member] {
    var members: [JSON.Member] = [
      .init("mode", .string(report.mode.rawValue)), .init("pulled", .number(report.pulled)),
      .init("pushed", .number(report.pushed)), .init("removed", .number(report.removal?.count ?? 0)),
      .init("replaced", .number(report.removal?.replaced ?? 0)),
      .init("backup", report.removal.map { .string($0.backup) } ?? .null),
      .init("clockAhead", .number(Int(report.clockDifference?.seconds ?? 0))),
    ]
    members += state.members
    if let uploaded { members.append(.init("conflicts", .number(uploaded.conflicts.count))) }
    if let leftBehind {
      members.append(.init("leftBehind", .number(leftBehind.entries)))
      members.append(.init("draftsLeftBehind", .number(leftBehind.drafts)))
    }
    if let restorable { members += RestoreCommand.members(restorable) }
    return members
  }

  func write() {
    if isLogin { Output.write(tr("Signed in.")) }
    Output.write(
      trn(
        "{n} entry received, {sent} sent.", "{n} entries received, {sent} sent.", report.pulled,
        ["sent": localized(report.pushed)])
    )
    if let removal = report.removal { Output.write(Output.paragraphs(removal.terminalMessage, indent: 0)) }
    if let uploaded { Output.write(uploaded.conflictLines) }
    if let restorable, !restorable.isEmpty {
      Output.write(Output.paragraphs(RestoreCommand.message(restorable), indent: 0))
    }
    if let leftBehind, !leftBehind.isEmpty {
      Output.write(Output.paragraphs(SyncResult.leftBehindMessage(leftBehind), indent: 0))
    }
  }

  private static func leftBehindMessage(_ leftBehind: LocalContents) -> String {
    guard leftBehind.entries > 0 else {
      return trn(
        "You began {n} text on this computer before you signed in. It stays here and is shown again after signing out. “trunkctl sync --upload” adds it to the account’s garden.",
        "You began {n} texts on this computer before you signed in. They stay here and are shown again after signing out. “trunkctl sync --upload” adds them to the account’s garden.",
        leftBehind.drafts)
    }
    return trn(
      "You wrote {n} entry on this computer before you signed in. It stays here, separate from the account’s garden, and is shown again after signing out. “trunkctl sync --upload” adds it to the account.",
      "You wrote {n} entries on this computer before you signed in. They stay here, separate from the account’s garden, and are shown again after signing out. “trunkctl sync --upload” adds them to the account.",
      leftBehind.entries)
  }
}

extension UploadResult {
  /// The message about local entries that the account has with another text; both texts stay readable.
  fileprivate var conflictLines: [String] {
    guard !conflicts.isEmpty else { return [] }
    let start = trn(
      "{n} entry on this computer is in the account with a different text. The account’s text stays:",
      "{n} entries on this computer are in the account with a different text. The account’s texts stay:",
      conflicts.count)
    return [start] + conflicts.flatMap { $0.lines(other: tr("on this computer")) }
      + [tr("“trunkctl log --superseded” lists the other texts again.")]
  }
}
