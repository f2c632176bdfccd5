import ArgumentParser
import EventStore
import Localization
import SyncEngine
import TrunkAccount
import TrunkKit
import TrunkModel

struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: tr("Restore entries that a copy of your signed-out garden has and the server lacks."),
    discussion: tr(
      "Each sign-out keeps a copy of the garden on this computer. This command compares the copies of the account that is signed in with the server, and sends what is missing under the same ids. For copies that you decided about earlier, it lists their content and asks. The copies stay."
    ) + "\n\n"
      + Examples([
        ("trunkctl restore --dry-run", tr("list what would be restored")),
        ("trunkctl restore", tr("restore it and send it")),
        ("trunkctl restore --decline", tr("leave it in the copies")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Flag(help: ArgumentHelp(tr("Only list what would be restored; nothing changes.")))
  var dryRun = false

  @Flag(help: ArgumentHelp(tr("Also restore from copies that you decided about earlier, without asking.")))
  var all = false

  @Flag(help: ArgumentHelp(tr("Restore nothing. The content of these copies is offered again only on request.")))
  var decline = false

  @Flag(help: ArgumentHelp(tr("Also read copies from the server’s earlier address, and confirm that it has moved.")))
  var moved = false

  /// The maximum number of listed entries.
  private static let most = 50

  func validate() throws {
    if decline && (all || dryRun) { throw ValidationError(tr("--decline can’t be combined with --all or --dry-run.")) }
  }

  @MainActor
  func run() async throws {
    let accountModel = try await options.signedIn()
    let report = try await accountModel.sync()
    Output.writeMessage(about: report.removal)
    if let problem = report.problem { throw problem }
    let copies = try await accountModel.copyRestore.copies(includesElsewhere: moved)
    let wanted = all ? copies.undecided + copies.decided : copies.undecided
    guard let offer = try await accountModel.copyRestore.offer(from: wanted, notices: copies.notices) else {
      throw Failure(.network, tr("Your garden is still downloading, so the copies can’t be compared yet."))
    }
    offer.notices.forEach(Output.writeMessage)
    if decline {
      try await accountModel.copyRestore.decline(offer)
      return Output.write(
        options.json
          ? Output.text(.object(RestoreCommand.members(offer))) : tr("Declined. Everything stays in the copies."))
    }
    var outcome = Outcome(copies: copies, notices: offer.notices)
    outcome.restored =
      dryRun
      ? Restored(
        events: offer.entryCount, superseded: offer.supersededCount, drafts: offer.draftCount,
        pages: offer.pageCount)
      : try await accountModel.copyRestore.restore(offer)
    if dryRun, !options.json { try list(offer, in: accountModel.model.garden) }
    if !all { outcome.earlier = try await earlier(copies, accountModel) }
    let last = dryRun ? nil : try await accountModel.sync()
    Output.writeMessage(about: last?.removal)
    outcome.pending = try await accountModel.outbox.figures().pending
    printSummary(outcome)
    if let problem = last?.problem { throw problem }
    try await askAboutEarlier(outcome, accountModel)
    let isUnreadable = copies.folderProblem != nil || copies.unreadable.count + offer.comparison.unreadable.count > 0
    if isUnreadable, copies.decided.isEmpty, offer.copies.count == offer.comparison.unreadable.count {
      throw Failure(.store, tr("No copy of this garden can be read."))
    }
  }

  /// Compares each copy that the user decided about earlier with the garden.
  private func earlier(
    _ copies: AccountCopies, _ accountModel: AccountModel
  ) async throws -> [(copy: VerifiedCopy, offer: RestoreOffer)] {
    var earlier: [(VerifiedCopy, RestoreOffer)] = []
    for copy in copies.decided {
      guard let offer = try await accountModel.copyRestore.offer(from: [copy]) else { continue }
      offer.notices.forEach(Output.writeMessage)
      if !offer.isEmpty { earlier.append((copy, offer)) }
    }
    return earlier
  }

  @MainActor
  private func askAboutEarlier(_ outcome: Outcome, _ accountModel: AccountModel) async throws {
    guard !options.json, !dryRun, !outcome.earlier.isEmpty else { return }
    // Translators: the word that has to be typed before something is restored.
    let word = tr("restore")
    Output.writeMessage(tr("Type “{word}” to restore these too:", ["word": word]))
    guard readLine()?.trimmed == word[...] else { return Output.writeMessage(tr("They stay in the copies.")) }
    guard let offer = try await accountModel.copyRestore.offer(from: outcome.earlier.map(\.copy)) else { return }
    let restored = try await accountModel.copyRestore.restore(offer)
    let last = try await accountModel.sync()
    Output.writeMessage(about: last.removal)
    RestoreCommand.lines(restored, isDryRun: false).forEach { Output.write($0) }
    if let problem = last.problem { throw problem }
  }

  private func list(_ offer: RestoreOffer, in garden: Garden) throws {
    let events = try offer.comparison.events(limit: RestoreCommand.most)
    let entries = events.map { MissingEntry(event: $0, reason: .lost) }
    if !entries.isEmpty { Output.write(MissingEntry.table(entries, in: garden)) }
    let rest = offer.entryCount - events.count
    if rest > 0 { Output.write(trn("… and {n} more", "… and {n} more", rest)) }
  }
}

// MARK: - Messages

extension RestoreCommand {
  /// The result of the command.
  private struct Outcome {
    let copies: AccountCopies
    let notices: [String]
    var restored = Restored()
    var earlier: [(copy: VerifiedCopy, offer: RestoreOffer)] = []
    var pending = 0
  }

  /// The message after signing in that something can be restored.
  static func message(_ offer: RestoreOffer) -> String {
    var sentences: [String] = []
    if offer.entryCount > 0 {
      sentences.append(
        trn(
          "{n} entry on this computer is not on the server. “trunkctl restore” restores it.",
          "{n} entries on this computer are not on the server. “trunkctl restore” restores them.",
          offer.entryCount))
      sentences += offer.otherSentences
    } else {
      sentences = offer.otherSentences + [tr("“trunkctl restore” restores what is in the copies.")]
    }
    return sentences.joined(separator: " ")
  }

  /// The JSON members for an offer.
  static func members(_ offer: RestoreOffer) -> [JSON.Member] {
    [
      .init("restorable", .number(offer.entryCount)), .init("restorableDrafts", .number(offer.draftCount)),
      .init("restorableSuperseded", .number(offer.supersededCount)),
      .init("restorablePages", .number(offer.pageCount)),
    ]
  }

  private func printSummary(_ outcome: Outcome) {
    let copies = outcome.copies.undecided + outcome.copies.decided
    if options.json { return Output.write(JSON.object(record(outcome))) }
    let lines = RestoreCommand.lines(outcome.restored, isDryRun: dryRun)
    lines.forEach { Output.write($0) }
    if lines.isEmpty, copies.isEmpty, outcome.notices.isEmpty {
      Output.write(tr("There is no copy of this account’s garden on this computer."))
    } else if lines.isEmpty, outcome.earlier.isEmpty, outcome.notices.isEmpty {
      Output.write(tr("Nothing is missing: the garden has everything that is in the copies."))
    } else if lines.isEmpty, outcome.earlier.isEmpty {
      Output.write(tr("Nothing is missing in the copies that can be read."))
    }
    if outcome.pending > 0, !dryRun {
      Output.write(trn("{n} entry is not sent yet.", "{n} entries are not sent yet.", outcome.pending))
    }
    guard !outcome.earlier.isEmpty else { return }
    Output.write(tr("Copies that you decided about earlier contain more:"))
    for (copy, offer) in outcome.earlier {
      let time = copy.made.map { Formats.dateAndTime($0, in: WallClock.system.zone()) } ?? copy.name
      Output.write("  " + time + ": " + RestoreCommand.summary(offer))
    }
  }

  private static func summary(_ offer: RestoreOffer) -> String {
    var parts: [String] = []
    if offer.entryCount > 0 { parts.append(trn("{n} entry", "{n} entries", offer.entryCount)) }
    if offer.draftCount > 0 { parts.append(trn("{n} draft", "{n} drafts", offer.draftCount)) }
    if offer.supersededCount > 0 {
      parts.append(trn("{n} superseded version", "{n} superseded versions", offer.supersededCount))
    }
    if offer.pageCount > 0 { parts.append(trn("{n} earlier page", "{n} earlier pages", offer.pageCount)) }
    return parts.joined(separator: ", ")
  }

  /// One line for each kind of data that was restored, or would be.
  private static func lines(_ restored: Restored, isDryRun: Bool) -> [String] {
    var lines: [String] = []
    if restored.events > 0 {
      lines.append(
        isDryRun
          ? trn("{n} entry would be restored.", "{n} entries would be restored.", restored.events)
          : trn("{n} entry was restored.", "{n} entries were restored.", restored.events))
    }
    if restored.drafts > 0 {
      lines.append(
        isDryRun
          ? trn("{n} draft would be restored.", "{n} drafts would be restored.", restored.drafts)
          : trn("{n} draft was restored.", "{n} drafts were restored.", restored.drafts))
    }
    if restored.superseded > 0 {
      lines.append(
        isDryRun
          ? trn(
            "{n} superseded version would be restored.", "{n} superseded versions would be restored.",
            restored.superseded)
          : trn(
            "{n} superseded version was restored: “trunkctl log --superseded” lists it.",
            "{n} superseded versions were restored: “trunkctl log --superseded” lists them.", restored.superseded))
    }
    if restored.pages > 0 {
      lines.append(
        isDryRun
          ? trn("{n} earlier page would be restored.", "{n} earlier pages would be restored.", restored.pages)
          : trn("{n} earlier page was restored.", "{n} earlier pages were restored.", restored.pages))
    }
    return lines
  }

  private func record(_ outcome: Outcome) -> [JSON.Member] {
    let copies = outcome.copies.undecided + outcome.copies.decided
    let earlier = outcome.earlier.map { copy, offer in
      JSON.object([
        .init("copy", .string(copy.path)), .init("entries", .number(offer.entryCount)),
        .init("drafts", .number(offer.draftCount)), .init("superseded", .number(offer.supersededCount)),
        .init("pages", .number(offer.pageCount)),
      ])
    }
    return [
      .init("restored", .number(outcome.restored.events)), .init("drafts", .number(outcome.restored.drafts)),
      .init("superseded", .number(outcome.restored.superseded)), .init("pending", .number(outcome.pending)),
      .init("pages", .number(outcome.restored.pages)),
      .init("dryRun", .bool(dryRun)), .init("copies", .array(copies.map { .string($0.path) })),
      .init("earlier", .array(earlier)), .init("notices", .array(outcome.notices.map { .string($0) })),
    ]
  }
}
