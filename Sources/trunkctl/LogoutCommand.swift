import ArgumentParser
import Garden
import GardenStore
import Gardening
import Glibc
import Localization
import Sync

struct Logout: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Sign out; the garden of the account leaves this computer, and a copy of it is kept."),
    discussion: tr(
      "What waits is sent first, and every entry is compared with the server. If the server lacks some, they are listed and nothing is done unless you say what to do with them. Without an answer from the server you are signed out all the same. In every case a copy of the garden is kept; “trunkctl restore” reads it after the next login."
    ) + "\n\n"
      + Examples([
        ("trunkctl logout", tr("sends what waits, compares, then signs out")),
        ("trunkctl logout --upload-again", tr("sends what the server lacks again")),
        ("trunkctl logout --keep-copy", tr("keeps what the server lacks in the copy only")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Flag(help: ArgumentHelp(tr("Send what the server lacks again, then sign out if it has everything.")))
  var uploadAgain = false

  @Flag(help: ArgumentHelp(tr("Sign out although the server lacks entries; they are in the copy.")))
  var keepCopy = false

  @Flag(help: ArgumentHelp(tr("Afterwards ask whether to delete all copies and backups of this garden.")))
  var deleteCopies = false

  @MainActor
  func run() async throws {
    let synchroniser = try await options.signedIn()
    var comparison = try await synchroniser.compareWithServer()
    if uploadAgain, !comparison.missing.isEmpty { comparison = try await synchroniser.sendAgain(comparison) }
    guard comparison.missing.isEmpty || keepCopy else { return try await refuse(comparison, synchroniser) }
    let account = synchroniser.account?.userID
    let missing = try await synchroniser.entries(comparison)
    let staying = await synchroniser.wordsOfWhatStays(isComplete: comparison.isComplete)
    let result = try await synchroniser.signOut(after: comparison)
    if options.json {
      Output.write(
        JSON.object([
          .init("signedOut", .bool(true)), .init("checked", .bool(comparison.problem == nil)),
          .init("missing", .array(missing.map(\.record))), .init("copy", .string(result.copy.path)),
        ]))
    } else {
      Output.write(tr("Signed out."))
      if let problem = comparison.problem { Output.write(Logout.uncheckedWords(problem)) }
      Output.write(tr("A copy of this garden is in “{file}”.", ["file": result.copy.path]))
      if let staying { Output.write(Output.paragraphs(staying, indent: 0)) }
    }
    if deleteCopies, let account { try askAboutCopies(of: account, comparison) }
  }

  private static func uncheckedWords(_ problem: SyncProblem) -> String {
    tr("The server couldn’t be checked: {reason}", ["reason": plainWords(problem)])
  }

  /// Lists what the server lacks, and ends with a code of its own.
  @MainActor
  private func refuse(_ comparison: ServerComparison, _ synchroniser: Synchroniser) async throws {
    let entries = try await synchroniser.entries(comparison)
    if options.json {
      Output.write(
        JSON.object([
          .init("signedOut", .bool(false)), .init("checked", .bool(comparison.problem == nil)),
          .init("missing", .array(entries.map(\.record))),
        ]))
    } else {
      Output.write(MissingEntry.table(entries))
    }
    let unchecked = comparison.problem.map { Logout.uncheckedWords($0) + "\n" } ?? ""
    throw Failure(
      .missing,
      unchecked
        + trn(
          "{n} entry on this computer is not on the server. Nothing was removed, and you are still signed in.",
          "{n} entries on this computer are not on the server. Nothing was removed, and you are still signed in.",
          entries.count) + "\n"
        + tr("Send them again with --upload-again, or sign out with --keep-copy: then they are in the copy only."))
  }

  /// Copies are deleted only after a word was typed for it, and never if they may be the only ones.
  private func askAboutCopies(of account: String, _ comparison: ServerComparison) throws {
    guard comparison.isComplete else {
      return Output.complain(tr("The copies stay: the server may not have everything that is in them."))
    }
    // Translators: the word that has to be typed before copies are deleted.
    let word = tr("delete")
    Output.complain(
      tr(
        "Delete all backups and copies of this garden on this computer for good? Type “{word}” to delete them:",
        ["word": word]))
    guard readLine()?.trimmed == word[...] else { return Output.complain(tr("Nothing was deleted.")) }
    try Synchroniser.deleteCopies(of: account)
    Output.complain(tr("The copies are deleted."))
  }
}

extension MissingEntry {
  /// What scripts are told of an entry.
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
    case .lost: "lost"
    }
  }

  private static let most = 50

  /// A line for each of the first entries: type, date, why it is missing, first words.
  static func table(_ entries: [MissingEntry]) -> [String] {
    let rows = entries.prefix(most).map { entry in
      [entry.event.type, entry.event.instant?.description ?? "", entry.words, entry.event.journalText.first ?? ""]
    }
    let rest = entries.count - rows.count
    let more = rest > 0 ? [trn("… and {n} more", "… and {n} more", rest)] : []
    return Table(rows: rows, endsInExcerpt: true).lines(indent: 0) + more
  }
}
