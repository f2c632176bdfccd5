import ArgumentParser
import Garden
import Gardening
import Localization
import Sync

struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: tr("Send what waits, and fetch what is new."),
    discussion: Examples([
      ("trunkctl sync", tr("once, now")),
      ("trunkctl sync --full", tr("fetch everything again")),
      ("trunkctl sync --upload", tr("take this computer’s garden along, after signing in")),
    ]).text)

  @OptionGroup var options: CommonOptions

  @Flag(help: ArgumentHelp(tr("Fetch all entries of the server again.")))
  var full = false

  @Flag(help: ArgumentHelp(tr("Also bring the garden of this computer into the account.")))
  var upload = false

  @MainActor
  func run() async throws {
    let synchroniser = try await options.signedIn()
    if upload { try await synchroniser.uploadLocalEvents() }
    try await SyncCommand.report(synchroniser, json: options.json, full: full)
  }

  /// Syncs and tells what came of it.
  /// - Parameter login: by which somebody has just signed in; `nil` where nobody has.
  @MainActor
  static func report(
    _ synchroniser: Synchroniser, json: Bool, full: Bool = false, login: Login? = nil
  ) async throws {
    let report = try await full ? synchroniser.downloadEverything() : synchroniser.syncNow()
    if let problem = report.problem { throw problem }
    let figures = try await synchroniser.figures()
    let refused = figures.rejected
    let leftBehind = await login?.leftBehind(synchroniser)
    let restorable = await login?.restorable(synchroniser)
    if json {
      var members: [JSON.Member] = [
        .init("mode", .string(report.mode.rawValue)), .init("pulled", .number(report.pulled)),
        .init("pushed", .number(report.pushed)), .init("pending", .number(figures.pending)),
        .init("refused", .number(refused)),
      ]
      if let leftBehind { members.append(.init("leftBehind", .number(leftBehind))) }
      if let restorable { members.append(.init("restorable", .number(restorable))) }
      return Output.write(JSON.object(members))
    }
    if login != nil { Output.write(tr("Signed in.")) }
    Output.write(
      trn("{n} entry came, {sent} sent.", "{n} entries came, {sent} sent.", report.pulled, ["sent": "\(report.pushed)"])
    )
    if refused > 0 {
      Output.write(
        trn(
          "{n} entry was refused: see “trunkctl outbox”.", "{n} entries were refused: see “trunkctl outbox”.", refused))
    }
    if let restorable, restorable > 0 { Output.write(Output.paragraphs(Restore.offer(restorable), indent: 0)) }
    guard let leftBehind, leftBehind > 0 else { return }
    let words = trn(
      "{n} entry was written on this computer before you signed in. It stays here, apart from the account’s garden, and is shown again after signing out. “trunkctl sync --upload” brings it along.",
      "{n} entries were written on this computer before you signed in. They stay here, apart from the account’s garden, and are shown again after signing out. “trunkctl sync --upload” brings them along.",
      leftBehind)
    Output.write(Output.paragraphs(words, indent: 0))
  }
}
