import ArgumentParser
import Garden
import GardenStore
import Gardening
import Localization
import Sync

struct Restore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Bring back what a copy of your signed-out garden has and the server lacks."),
    discussion: tr(
      "Each sign-out keeps a copy of the garden on this computer. This command compares the copies of the account that is signed in with the server, and sends what is missing under the same ids. The copies stay."
    ) + "\n\n"
      + Examples([
        ("trunkctl restore --dry-run", tr("lists what would come back")),
        ("trunkctl restore", tr("brings it back and sends it")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Flag(help: ArgumentHelp(tr("Only list what would come back; nothing changes.")))
  var dryRun = false

  @MainActor
  func run() async throws {
    let synchroniser = try await options.signedIn()
    if let problem = try await synchroniser.syncNow().problem { throw problem }
    let offer = try await synchroniser.restoreOffer(includesAnswered: true)
    guard let offer, !offer.isEmpty else {
      return tell(Restored(events: 0, drafts: 0), pending: 0, offer?.copies ?? [])
    }
    if dryRun {
      if !options.json { Output.write(MissingEntry.table(offer.events.map { MissingEntry(event: $0, reason: .lost) })) }
      return tell(Restored(events: offer.events.count, drafts: offer.drafts.count), pending: 0, offer.copies)
    }
    let restored = try await synchroniser.restore(offer)
    let problem = try await synchroniser.syncNow().problem
    tell(restored, pending: try await synchroniser.figures().pending, offer.copies)
    if let problem { throw problem }
  }

  /// Says after signing in that something can be restored.
  static func offer(_ count: Int) -> String {
    trn(
      "{n} entry on this computer is not on the server. “trunkctl restore” brings it back.",
      "{n} entries on this computer are not on the server. “trunkctl restore” brings them back.", count)
  }

  private func tell(_ restored: Restored, pending: Int, _ copies: [VerifiedCopy]) {
    if options.json {
      return Output.write(
        JSON.object([
          .init("restored", .number(restored.events)), .init("drafts", .number(restored.drafts)),
          .init("pending", .number(pending)), .init("dryRun", .bool(dryRun)),
          .init("copies", .array(copies.map { .string($0.path) })),
        ]))
    }
    if copies.isEmpty { return Output.write(tr("There is no copy of this account’s garden on this computer.")) }
    if restored.events == 0, restored.drafts == 0 {
      return Output.write(tr("Nothing is missing: the server has everything that is in the copies."))
    }
    let count = restored.events
    Output.write(
      dryRun
        ? trn("{n} entry would come back.", "{n} entries would come back.", count)
        : trn("{n} entry came back.", "{n} entries came back.", count))
    if restored.drafts > 0 {
      Output.write(trn("{n} unfinished text as well.", "{n} unfinished texts as well.", restored.drafts))
    }
    if pending > 0 {
      Output.write(trn("{n} entry is not sent yet.", "{n} entries are not sent yet.", pending))
    }
  }
}
