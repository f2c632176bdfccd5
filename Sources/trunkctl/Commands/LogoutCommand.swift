import ArgumentParser
import EventStore
import Glibc
import Localization
import SyncEngine
import TrunkAccount
import TrunkKit
import TrunkModel

struct LogoutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout",
    abstract: tr("Sign out. This removes the account’s garden from this computer and keeps a copy of it."),
    discussion: tr(
      "Unsent entries are sent first, and every entry is compared with the server. If the server lacks entries, they are listed and you stay signed in, unless you choose what to do with them. If the server can’t be reached, only unsent and rejected entries count as missing. A copy of the garden is always kept; “trunkctl restore” reads it after the next login."
    ) + "\n\n"
      + Examples([
        ("trunkctl logout", tr("send unsent entries, compare, then sign out")),
        ("trunkctl logout --upload-again", tr("send again the entries that the server lacks")),
        ("trunkctl logout --keep-copy", tr("keep missing entries only in the copy")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Flag(help: ArgumentHelp(tr("Send again the entries that the server lacks, then sign out if it has everything.")))
  var uploadAgain = false

  @Flag(help: ArgumentHelp(tr("Sign out even if the server lacks entries; they are in the copy.")))
  var keepCopy = false

  @Flag(help: ArgumentHelp(tr("Afterwards ask whether to delete all copies and backups of this garden.")))
  var deleteCopies = false

  @MainActor
  func run() async throws {
    let accountModel = try await options.signedIn()
    var comparison = try await accountModel.signOut.compare()
    if uploadAgain, !comparison.missing.isEmpty { comparison = try await accountModel.signOut.sendAgain(comparison) }
    guard keepCopy || (comparison.missing.isEmpty && !comparison.hasUnsentProfile) else {
      return try await reportMissing(comparison, accountModel)
    }
    let account = accountModel.account?.userID
    let missing = try await accountModel.signOut.entries(of: comparison)
    let staying = await accountModel.localUpload.noticeForSignOut(isComplete: comparison.isComplete)
    let besides = account.flatMap { CopyMessages.filesThatStay(account: $0, secondFolder: Settings().backupFolder) }
    let result = try await accountModel.signOut.run(after: comparison, surveysCopies: deleteCopies)
    if options.json {
      Output.write(
        JSON.object([
          .init("signedOut", .bool(true)), .init("checked", .bool(comparison.problem == nil)),
          .init("missing", .array(missing.map(\.record))), .init("copy", .string(result.copy.path)),
          .init("changed", .bool(result.hasChanged)), .init("removed", .bool(result.remains == nil)),
        ]))
    } else {
      Output.write(tr("Signed out."))
      if let problem = comparison.problem { Output.write(LogoutCommand.uncheckedMessage(problem)) }
      Output.write(tr("A copy of this garden is in “{file}”.", ["file": result.copy.path]))
      if let message = result.changeMessage { Output.write(message) }
      if let besides { Output.write(Output.paragraphs(besides, indent: 0)) }
      if let staying { Output.write(Output.paragraphs(staying, indent: 0)) }
    }
    for message in [result.removalMessage, result.sessionMessage].compactMap(\.self) { Output.writeMessage(message) }
    if let account, let copies = result.copies { try askAboutCopies(copies, of: account) }
  }

  private static func uncheckedMessage(_ problem: SyncProblem) -> String {
    tr("The server couldn’t be checked: {reason}", ["reason": userMessage(for: problem)])
  }

  /// Lists what the server lacks, and ends with exit code 7.
  @MainActor
  private func reportMissing(_ comparison: ServerComparison, _ accountModel: AccountModel) async throws {
    let entries = try await accountModel.signOut.entries(of: comparison)
    if options.json {
      Output.write(
        JSON.object([
          .init("signedOut", .bool(false)), .init("checked", .bool(comparison.problem == nil)),
          .init("missing", .array(entries.map(\.record))), .init("unsentProfile", .bool(comparison.hasUnsentProfile)),
        ]))
    } else {
      Output.write(MissingEntry.table(entries, in: accountModel.model.garden))
    }
    let unchecked = comparison.problem.map { LogoutCommand.uncheckedMessage($0) + "\n" } ?? ""
    guard !entries.isEmpty else {
      throw Failure(
        .missing,
        unchecked
          + tr(
            "Your name, time zone or reminders were changed on this computer, and the server doesn’t have the change.")
          + " " + tr("Nothing was removed, and you are still signed in. --keep-copy signs out without the change."))
    }
    throw Failure(
      .missing,
      unchecked
        + trn(
          "{n} entry on this computer is not on the server. Nothing was removed, and you are still signed in.",
          "{n} entries on this computer are not on the server. Nothing was removed, and you are still signed in.",
          entries.count) + "\n"
        + tr("Send them again with --upload-again, or sign out with --keep-copy: then they are in the copy only."))
  }

  /// Deletes copies only after the user has typed a word for it, and never if they hold entries that the server may
  /// lack.
  @MainActor
  private func askAboutCopies(_ copies: Result<DeletableCopies, UndeletableCopies>, of account: String) throws {
    let deletable: DeletableCopies
    switch copies {
    case .success(let found): deletable = found
    case .failure(let reason): return Output.writeMessage(reason.message)
    }
    // Translators: the word that has to be typed before copies are deleted.
    let word = tr("delete")
    let question = CopyMessages(account: account, deletable: deletable, secondFolder: Settings().backupFolder).question
    for line in question { Output.writeMessage(line) }
    Output.writeMessage(tr("Type “{word}” to delete them:", ["word": word]))
    guard readLine()?.trimmed == word[...] else { return Output.writeMessage(tr("Nothing was deleted.")) }
    try AccountSignOut.delete(deletable, of: account)
    Output.writeMessage(tr("The copies and backups are deleted."))
  }
}

extension MissingEntry {
  /// The JSON record of an entry.
  var record: JSON {
    var members: [JSON.Member] = [.init("type", .string(event.type)), .init("reason", .string(reasonCode))]
    if let id = event.clientID { members.append(.init("clientId", .string(id))) }
    if let instant = event.instant { members.append(.init("timestamp", .string(instant.description))) }
    if let text = event.journalText.first { members.append(.init("text", .string(text))) }
    return .object(members)
  }

  private var reasonCode: String {
    switch reason {
    case .unsent: "unsent"
    case .rejected: "rejected"
    case .localOnly: "localOnly"
    case .lost: "lost"
    }
  }

  private static let most = 50

  /// One line for each of the first entries: what it is, its date, why the server lacks it, and its first words.
  static func table(_ entries: [MissingEntry], in garden: Garden) -> [String] {
    let rows = entries.prefix(most).map { entry in
      let description = entry.description(in: garden)
      return [description.title, description.time ?? "", description.state, description.text ?? ""]
    }
    let rest = entries.count - rows.count
    let more = rest > 0 ? [trn("… and {n} more", "… and {n} more", rest)] : []
    return Table(rows: rows, endsInExcerpt: true).lines(indent: 0) + more
  }
}
