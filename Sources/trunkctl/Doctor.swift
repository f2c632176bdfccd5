import ArgumentParser
import Garden
import GardenStore
import Gardening
import Localization

struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Check the store, and say what is wrong with it."),
    discussion: tr(
      "It looks at the structure of the file and at the text of every event. A search index that is wrong is made anew."
    )
      + "\n\n" + Examples([("trunkctl doctor", tr("a thorough look; it may take some seconds"))]).text)

  @OptionGroup var options: CommonOptions

  @MainActor
  func run() async throws {
    guard try options.hasGarden else {
      return Output.write(options.json ? JSON.record(("sound", .bool(true))).prettyText : CommonOptions.noGardenYet)
    }
    let gardener = try await options.open()
    let store = gardener.store
    let found = try await store.verify()
    let isWritable = store.access == .readWrite
    if !found.searchDifferences.isEmpty, isWritable { try await store.rebuildSearchIndex() }
    if options.json {
      Output.write(Doctor.json(found, store))
    } else {
      Output.write(Doctor.lines(found, store))
      if found.superseded > 0 {
        Output.write(tr("“trunkctl log --superseded” lists the superseded versions of entries."))
      }
    }
    guard found.isSound else {
      throw Failure(
        .store,
        tr("The store is damaged. Start Trunk again: it keeps the damaged file and recovers what can be read."))
    }
  }
}

extension Doctor {
  private static func json(_ found: Verification, _ store: GardenStore) -> JSON {
    .record(
      ("sound", .bool(found.isSound)), ("folder", .string(store.folder)),
      ("writable", .bool(store.access == .readWrite)), ("events", .number(found.events)),
      ("ignored", .number(found.ignored)), ("unsent", .number(found.pending)),
      ("quarantined", .number(found.quarantined)), ("drafts", .number(found.drafts)),
      ("superseded", .number(found.superseded)),
      ("structure", .array(found.structure.map { .string($0) })),
      ("damagedEvents", .array(found.damagedEvents.map { .number(Int($0)) })),
      ("searchDifferences", .array(found.searchDifferences.map { .number(Int($0)) })))
  }

  private static func lines(_ found: Verification, _ store: GardenStore) -> [String] {
    let sound = tr("sound")
    let damaged = found.damagedEvents.count
    let differences = found.searchDifferences.count
    return Table(
      rows: [
        [tr("Folder"), store.folder],
        [tr("Access"), store.access == .readWrite ? tr("read and write") : tr("read only")],
        [tr("Events"), "\(found.events)"],
        [tr("Not understood"), "\(found.ignored)"],
        [tr("Drafts"), "\(found.drafts)"],
        [tr("Superseded"), "\(found.superseded)"],
        [tr("File"), found.structure.isEmpty ? sound : found.structure.joined(separator: "; ")],
        [tr("Texts"), damaged == 0 ? sound : trn("{n} is damaged", "{n} are damaged", damaged)],
        [
          tr("Search"),
          differences == 0
            ? sound : trn("{n} entry was wrong, made anew", "{n} entries were wrong, made anew", differences),
        ],
      ]
    ).lines(indent: 0)
  }
}
