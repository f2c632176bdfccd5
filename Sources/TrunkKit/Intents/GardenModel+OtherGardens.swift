import EventStore
import Localization
import TrunkModel

/// What a merge of another garden's file would do.
public struct MergePreview: Sendable {
  public let garden: OtherGarden
  public let contents: OtherGarden.Contents
  /// What the file has that this garden lacks, or has with another text.
  public let counts: ImportPreview
  /// The file's drafts whose text isn't here.
  public let drafts: Int
  /// The number of the file's earlier pages that aren't here.
  public let pages: Int

  /// Whether the file is in the garden's folder, from which a merge moves it.
  public let isBesideGarden: Bool

  /// Whether this garden has everything that is in the file.
  public var isEmpty: Bool { counts.new == 0 && counts.conflicts.isEmpty && drafts == 0 && pages == 0 }

  /// Says that the file is damaged, how much of it could be read and what becomes of it; `nil` if it is sound.
  public var damageMessage: String? {
    guard let damage = contents.damage else { return nil }
    let (name, count) = (garden.name, contents.events.count)
    if contents.isEmpty {
      return tr("“{name}” is damaged, and nothing in it can be read. It stays where it is.", ["name": name])
    }
    let read = trn(
      "“{name}” is damaged. {n} entry in it can be read.", "“{name}” is damaged. {n} entries in it can be read.",
      count, ["name": name])
    let unreadable =
      damage.unreadable > 0
      ? trn(
        "{n} part of it can’t be read. Entries in it may be missing.",
        "{n} parts of it can’t be read. Entries in them may be missing.", damage.unreadable)
      : tr("Others may be missing.")
    return [read, unreadable, tr("The file stays where it is: a complete one may still replace it.")]
      .joined(separator: " ")
  }
}

/// What a merge did.
public struct MergedGarden: Sendable {
  public let counts: ImportPreview
  public let drafts: Int
  /// The file's new path; `nil` if it was not moved.
  public let movedTo: String?
}

extension GardenModel {
  /// The other gardens in this garden's folder, such as the copies that a synced folder keeps after a conflict.
  public nonisolated func otherGardens() throws(StoreError) -> [OtherGarden] { try OtherGarden.all(in: store.folder) }

  /// Those whose files were not merged, as far as they can be read, in their present state.
  private nonisolated func unmergedGardens() async throws(StoreError) -> [OtherGarden] {
    var gardens: [OtherGarden] = []
    for garden in try otherGardens() {
      if try await !store.hasMerged(garden) { gardens.append(garden) }
    }
    return gardens
  }

  /// - Parameter path: a file that the user names; a link is followed.
  /// - Returns: `nil` if the file isn't that of a garden.
  /// - Throws: `ownFile` if it belongs to this garden. It is not opened then.
  public nonisolated func otherGarden(at path: String) throws(StoreError) -> OtherGarden? {
    if OtherGarden.isOwn(path, in: store.folder) { throw .ownFile(path: path) }
    return OtherGarden(named: path)
  }

  /// Reads another garden's file and compares it with this garden. Nothing changes.
  /// - Throws: `StoreError`; `TransferError` if an event is too large.
  public nonisolated func mergePreview(_ garden: OtherGarden) async throws -> MergePreview {
    // A separate store, so that reading decades of entries doesn't block today's writes.
    let (folder, store) = (store.folder, try await EventStore.open(folder: store.folder))
    let contents = try garden.contents(in: folder, otherwise: Folders.state)
    do throws(ExportFile.Problem) {
      try ExportFile.Contents(events: contents.events, superseded: contents.superseded).checkSizes()
    } catch {
      throw TransferError.notAnExport(path: garden.path, error)
    }
    try await store.check(contents, of: garden)
    return MergePreview(
      garden: garden, contents: contents, counts: try await store.importPreview(contents.events),
      drafts: try await store.missingDrafts(contents.drafts).count,
      pages: try await store.missingPages(contents.journals), isBesideGarden: garden.isBeside(folder))
  }

  /// Merges what was previewed: what is new becomes unsent entries of this garden. A file in this garden's folder then
  /// moves into the folder `merged`, unless it is damaged or has changed in the meantime.
  /// - Throws: `StoreError`.
  public func merge(_ preview: MergePreview) async throws -> MergedGarden {
    let contents = preview.contents
    let result = try await importEvents(
      contents.events, superseded: contents.superseded, journals: contents.journals, hidden: contents.hidden,
      drafts: contents.drafts)
    let target = try preview.garden.setAside(after: contents, in: store.folder)
    if contents.damage != nil { try await store.recordMerge(of: preview.garden, contents) }
    mergeRevision += 1
    return MergedGarden(counts: ImportPreview(contents.events, result), drafts: preview.drafts, movedTo: target)
  }

  /// The first other garden in this garden's folder that has something new; `nil` if there is none.
  /// - Throws: `StoreError` if there is none and one can't be read.
  public nonisolated func nextMerge() async throws -> MergePreview? {
    var problem: (any Error)?
    for garden in try await unmergedGardens() {
      do {
        let preview = try await mergePreview(garden)
        if !preview.isEmpty { return preview }
      } catch { problem = problem ?? error }
    }
    if let problem { throw problem }
    return nil
  }

  /// Names each other garden in this garden's folder that was not merged, for a terminal. Usually empty.
  public nonisolated func otherGardenNotices() async throws(StoreError) -> [String] {
    try await unmergedGardens().map { garden in
      let path =
        "'" + garden.path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
      return tr(
        "“{name}” beside your garden’s file is another garden, probably that of another computer. To see what it has that yours lacks: trunkctl import --dry-run {path}",
        ["name": garden.name, "path": path])
    }
  }
}
