import Foundation
import SQLiteKit
import Synchronization
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import EventStore

/// Pages of earlier journals are kept like events, and never sent.
struct PageTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder.forGarden() }

  private func page(_ number: Int32, _ text: String, id: String? = nil) -> EarlierPage {
    EarlierPage(
      date: PageDate(day: Day(number: 15_000 + number), second: 3600 + number), title: "Title \(number)", text: text,
      tags: ["sea", "\"q\""], place: "Lisbon", pictures: 2, sourceID: "dayone:\(id ?? "\(number)")")
  }

  private func journal(
    _ pages: [EarlierPage], name: String = "Journal", format: String = "dayone"
  ) -> EarlierJournal {
    EarlierJournal(format: format, name: name, importedAt: .start, pages: pages)
  }

  private func texts(_ store: EventStore) async throws -> [String] {
    try await store.journals().flatMap(\.pages).map(\.text)
  }

  @Test func anImportCanBeReadBack() async throws {
    let (store, whole) = (try folder.store(), journal([page(1, "one\0\u{1F331}"), page(2, "")]))
    let plan = try #require(try await store.importPages(whole))
    #expect(plan.source == nil && plan.new == whole.pages)
    #expect(try await store.journals() == [whole])
    let dates = try await store.pageDates()
    #expect(dates.map(\.date) == whole.pages.reversed().map(\.date))
    let stored = try await store.pages(ids: dates.map(\.id))
    #expect(stored.map(\.page) == whole.pages.reversed() && stored.first?.source.name == "Journal")
    let summary = try #require(try await store.pageSources().first)
    #expect(
      summary.pages == 2 && summary.removed == 0 && summary.days == whole.pages[0].date.day...whole.pages[1].date.day)
    #expect(try await store.count() == 0)
  }

  @Test func aNewerExportReplacesChangedPagesAndKeepsMissingOnes() async throws {
    let store = try folder.store()
    _ = try await store.importPages(journal([page(1, "one"), page(2, "two"), page(3, "three")]))
    let newer = journal([page(2, "zwei"), page(3, "three"), page(4, "four")])
    let preview = try await store.pagePlan(newer)
    #expect(try await texts(store) == ["one", "two", "three"])
    let plan = try #require(try await store.importPages(newer))
    for plan in [preview, plan] {
      #expect(plan.new.map(\.text) == ["four"] && plan.changed.map(\.page.text) == ["zwei"] && plan.known == 1)
    }
    #expect(try await texts(store) == ["one", "zwei", "three", "four"])
    #expect(try #require(try await store.importPages(newer)).isEmpty)
    #expect(try await store.matches(TextQuery([.init("zwei")]))?.pages.count == 1)
    #expect(try await store.matches(TextQuery([.init("two")]))?.pages == [])
  }

  @Test func aJournalIsRecognisedUnderAnotherNameByItsPages() async throws {
    let store = try folder.store()
    _ = try await store.importPages(journal([page(1, "one"), page(2, "two")], name: "2024"))
    _ = try await store.importPages(journal([page(1, "one"), page(2, "2"), page(3, "three")], name: "2026"))
    #expect(try await store.pageSources().map(\.pages) == [3])
    // Another journal whose IDs are days has the same IDs.
    _ = try await store.importPages(journal([page(1, "other"), page(2, "another")], name: "Work"))
    #expect(try await store.pageSources().map(\.pages) == [3, 2])
  }

  /// As of RedNotebook, whose IDs are days and whose folder is always called `data`.
  @Test func anotherJournalOfTheSameNameIsAnotherSource() async throws {
    let store = try folder.store()
    let mine = journal([page(1, "the orca by the pier"), page(2, "rain on the roof")], name: "data")
    let yours = journal([page(1, "a walk in the dunes"), page(2, "bread with seeds")], name: "data")
    _ = try await store.importPages(mine)
    let plan = try #require(try await store.importPages(yours))
    #expect(plan.new.count == 2 && plan.changed.isEmpty)
    #expect(try await store.pageSources().map(\.source.name) == ["data", "data (2)"])
    #expect(try await texts(store).count == 4)
    for known in [mine, yours] { #expect(try #require(try await store.importPages(known)).known == 2) }
    let edited = journal([page(1, "a walk in the dunes at dusk"), page(2, "bread with seeds")], name: "data")
    #expect(
      try #require(try await store.importPages(edited)).changed.map(\.page.text) == ["a walk in the dunes at dusk"])
  }

  /// The pages of a journal without IDs that were written at the same time.
  private func numbered(_ texts: String...) -> EarlierJournal {
    journal(
      texts.enumerated().map { number, text in
        EarlierPage(
          date: PageDate(day: Day(number: 15_000), second: 32_400), text: text, sourceID: "jrnl:09:00#\(number + 1)")
      })
  }

  @Test func whatIsDeletedInAJournalWithoutIDsReplacesNoOtherPage() async throws {
    let store = try folder.store()
    _ = try await store.importPages(numbered("a mole", "the newt", "one okapi"))
    let fewer = try #require(try await store.importPages(numbered("the newt", "one okapi")))
    #expect(fewer.isEmpty && fewer.known == 2)
    let other = try #require(
      try await store.importPages(numbered("the newt in the pond", "something else", "one okapi")))
    #expect(other.changed.map(\.page.text) == ["the newt in the pond"] && other.new.map(\.text) == ["something else"])
    #expect(
      Set(try await texts(store)).isSuperset(of: ["a mole", "the newt in the pond", "one okapi", "something else"]))
    #expect(try #require(try await store.importPages(numbered("the newt in the pond", "something else"))).isEmpty)
  }

  @Test func anEditedPageOfAJournalWithoutIDsIsReplaced() async throws {
    let store = try folder.store()
    _ = try await store.importPages(numbered("the mole in the garden"))
    let plan = try #require(try await store.importPages(numbered("the old mole in the garden")))
    #expect(plan.changed.count == 1 && plan.new.isEmpty)
    #expect(try await texts(store) == ["the old mole in the garden"])
  }

  @Test(arguments: [
    (("My father died", "#family"), ("Bought bread", "#family")),
    (("", "good day"), ("", "a good day for a long walk")),
  ])
  func aPageWithFewWordsIsNoVersionOfAnotherOne(
    old: (title: String, text: String), new: (title: String, text: String)
  ) async throws {
    let store = try folder.store()
    func entry(_ it: (title: String, text: String)) -> EarlierJournal {
      var entry = numbered(it.text)
      entry.pages[0].title = it.title
      return entry
    }
    _ = try await store.importPages(entry(old))
    let plan = try #require(try await store.importPages(entry(new)))
    #expect(plan.changed.isEmpty && plan.new.count == 1)
    #expect(Set(try await texts(store)) == [old.text, new.text])
  }

  @Test func aRemovedPageHidesNoOtherOne() async throws {
    let store = try folder.store()
    _ = try await store.importPages(numbered("a mole", "the newt"))
    let id = try #require(try await store.pageDates().last?.id)
    let removed = try #require(try await store.pages(ids: [id]).first?.page.text)
    try await store.removePage(id)
    let kept = removed == "a mole" ? "the newt" : "a mole"
    let plan = try #require(try await store.importPages(numbered(kept, "one okapi")))
    #expect(plan.new.map(\.text) == ["one okapi"] && plan.removed == 0)
    let again = try #require(try await store.importPages(numbered(removed, kept)))
    #expect(again.isEmpty && again.removed == 1)
    #expect(try await texts(store).sorted() == [kept, "one okapi"].sorted())
  }

  @Test func aRemovedPageDoesNotComeBack() async throws {
    let (store, whole) = (try folder.store(), journal([page(1, "one"), page(2, "two")]))
    _ = try await store.importPages(whole)
    #expect(try await store.removePage(1))
    #expect(try await !store.removePage(1))
    #expect(try #require(try await store.importPages(whole)).removed == 1)
    #expect(try await texts(store) == ["two"])
    #expect(try await store.verify().isSound)
  }

  @Test func theSameWordsOfTwoSourcesAreReported() async throws {
    let store = try folder.store()
    _ = try await store.importPages(journal([page(1, "Along the river."), page(2, "")]))
    var copy = EarlierPage(
      date: PageDate(day: Day(number: 15_001)), text: "# Title 1\n\nAlong *the* river.", sourceID: "jrnl:a")
    let plan = try #require(try await store.importPages(journal([copy], name: "a.txt", format: "jrnl")))
    #expect(plan.isEmpty && plan.doubled.map(\.other.name) == ["Journal"])
    copy.date = PageDate(day: Day(number: 15_002))
    #expect(try await store.pagePlan(journal([copy], name: "a.txt", format: "jrnl")).new == [copy])
    #expect(try await store.pageSources().count == 1)
  }

  @Test func aStoppedImportChangesNothing() async throws {
    let store = try folder.store()
    let calls = Mutex(0)
    let whole = journal((0..<500).map { page($0, "text \($0)") })
    let result = try await store.importPages(whole) { done, all in
      #expect(all == 500 && done < 500)
      return calls.withLock {
        $0 += 1
        return $0 < 3
      }
    }
    #expect(result == nil && calls.withLock { $0 } == 3)
    #expect(try await store.journals() == [])
    #expect(try #require(try await store.importPages(whole)).new.count == 500)
  }

  @Test func pagesAreNotSentAndDoNotChangeTheLog() async throws {
    let store = try folder.store()
    _ = try await store.append([.water(1)])
    _ = try await store.importPages(journal([page(1, "one")]))
    #expect(try await store.count() == 1)
    #expect(try await store.takeBatch(now: .start).map(\.seq) == [1])
    let head = try await store.head()
    #expect(head.lastSeq == 1 && head.pageRevision == 1 && head.generation == 0)
    _ = try await store.append([.water(2)])
    #expect(try await store.verify().isSound)
  }

  @Test(arguments: [10, 1500]) func searchFindsPages(count: Int32) async throws {
    let store = try folder.store()
    _ = try await store.append([.water(1, "river")])
    _ = try await store.importPages(journal((0..<count).map { page($0, $0 == 3 ? "river bank" : "text") }))
    let found = try #require(try await store.matches(TextQuery([.init("river")])))
    #expect(found.texts == [1] && found.pages.count == 1)
    #expect(try await store.matches(TextQuery([.init("lisbon")]))?.pages.count == Int(count))
    #expect(try await store.verify().searchDifferences == [])
    try folder.run("DELETE FROM journal WHERE rowid = -1; UPDATE journal SET text = 'x' WHERE rowid = -2")
    #expect(Set(try await store.verify().searchDifferences) == [-1, -2])
    try await store.rebuildSearchIndex()
    #expect(try await store.verify().searchDifferences == [])
  }

  @Test func removedSourcesAndClearedGardensLeaveNoByte() async throws {
    let words = ["Quizzical", "xylophonic", "vexillology", "Zanzibarian"]
    func files() throws -> String {
      try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: folder.database + $0)) }
        .map { String(decoding: $0, as: Unicode.ASCII.self).lowercased() }.joined()
    }
    for isCleared in [false, true] {
      let store = try folder.store()
      let pages = (0..<1200).map { number in
        EarlierPage(
          date: PageDate(day: Day(number: 15_000)), title: "Quizzical \(number)", text: "xylophonic \(number * 7)",
          tags: ["vexillology"], place: "Zanzibarian", sourceID: "dayone:\(number)")
      }
      _ = try await store.importPages(journal(pages))
      _ = try await store.matches(TextQuery([.init("any")]))
      let before = try files()
      #expect(words.allSatisfy { before.contains($0.lowercased()) })
      if isCleared {
        try await store.clear()
      } else {
        let source = try #require(try await store.pageSources().first).source
        #expect(try await store.removePages(of: source.id) == 1200)
      }
      let after = try files()
      for word in words { #expect(!after.contains(word.lowercased()), "\(isCleared) \(word)") }
      #expect(try await store.isEmpty())
      #expect(try await store.verify().isSound)
    }
  }

  @Test func aBackupAndACopyHaveEverything() async throws {
    let store = try folder.store()
    _ = try await store.importPages(journal([page(1, "one"), page(2, "two"), page(3, "three")]))
    try await store.removePage(2)
    let kept = try await store.journals()
    #expect(kept[0].removed == ["dayone:2"])
    let backup = try #require(try await store.backUpIfDue(to: folder.garden, now: .start, zone: .utc))
    #expect(try await store.backUpIfDue(to: folder.garden, now: .start.plus(90_000), zone: .utc) == nil)
    try await store.removePage(3)
    #expect(try await store.backUpIfDue(to: folder.garden, now: .start.plus(90_000), zone: .utc) != nil)
    let copy = try await store.writeCopy(below: folder.path + "/copies", at: .start)
    #expect(try await copy.contents().journals == store.journals())
    let text = try String(decoding: Data(contentsOf: URL(fileURLWithPath: backup.path)), as: UTF8.self)
    let contents = try ExportFile.decodeContents(text)
    #expect(contents.journals == kept)
    #expect(try EventStore.hasBackedUpEntries(in: folder.garden))
    // Everything is back in another garden, and importing it once more changes nothing.
    let other = try EventStore(folder: folder.path + "/other", options: ConnectionOptions())
    for _ in 0..<2 {
      _ = try await other.importEvents(contents.events, journals: contents.journals)
      #expect(try await other.journals() == kept)
    }
  }

  @Test func aRestoreBringsBackWhatACopyHas() async throws {
    let store = try folder.store()
    _ = try await store.importPages(journal([page(1, "one"), page(2, "two words")]))
    let whole = try await store.journals()
    let copy = try await store.writeCopy(below: folder.path + "/copies", at: .start)
    #expect(try await store.clear(keptIn: copy))
    #expect(try await store.isEmpty())
    _ = try await store.importPages(journal([page(2, "two words more")]))
    let comparison = try await store.compare(with: [copy])
    #expect(comparison.pageCount == 1 && !comparison.isEmpty)
    #expect(try await store.restore(comparison).pages == 1)
    #expect(try await texts(store) == ["one", "two words more"])
    #expect(try await store.compare(with: [copy]).isEmpty)
    #expect(whole[0].pages.count == 2)
  }

  @Test func anotherGardenBringsItsPages() async throws {
    let other = try EventStore(folder: folder.path + "/other", options: ConnectionOptions())
    _ = try await other.importPages(journal([page(1, "one")]))
    _ = try folder.store()
    let file = try #require(OtherGarden(named: folder.path + "/other/garden.db"))
    let contents = try file.contents(in: folder.garden, otherwise: folder.path)
    #expect(try await contents.journals == other.journals() && !contents.isEmpty)
  }

  @Test func damageCostsOnlyTheDamagedPageAndTheBackupHasIt() async throws {
    var whole: [EarlierJournal] = []
    do {
      let store = try folder.store()
      _ = try await store.append([.water(1)])
      _ = try await store.importPages(journal((0..<50).map { page($0, "number \($0)") }))
      whole = try await store.journals()
    }
    for hasBackup in [false, true] {
      do {
        let store = try folder.store()
        if hasBackup { _ = try await store.importPages(journal([page(7, "number 7")])) }
        if hasBackup { _ = try await store.backUp(to: folder.garden, now: .start, zone: .utc) }
        try folder.run("UPDATE pages SET text = 'nonsense' WHERE source_id = 'dayone:7'")
        let found = try await store.verify()
        #expect(found.damagedPages.count == 1 && !found.isSound && found.pages == 50)
      }
      let store = try folder.store()
      #expect(store.recovery?.unreadable == 1)
      let kept = try await store.journals()
      #expect(kept.map(\.pages.count) == [hasBackup ? 50 : 49])
      if hasBackup { #expect(kept == whole) }
      #expect(try await store.verify().isSound)
    }
  }

  @Test func aRecoveryLeavesOutWhatTheUserHasRemoved() async throws {
    do {
      let store = try folder.store()
      _ = try await store.append([.water(1)])
      _ = try await store.importPages(journal([page(1, "private")], name: "Mine"))
      _ = try await store.importPages(journal([page(2, "kept")], name: "Ours"))
      _ = try await store.backUp(to: folder.garden, now: .start, zone: .utc)
      let source = try #require(try await store.pageSources().first { $0.source.name == "Mine" })
      try await store.removePages(of: source.source.id)
      try folder.run("UPDATE pages SET text = 'nonsense'")
      #expect(try await store.verify().damagedPages.count == 1)
    }
    let store = try folder.store()
    #expect(store.recovery != nil)
    #expect(try await texts(store) == ["kept"])
    _ = try await store.importPages(journal([page(1, "private")], name: "Mine"))
    #expect(try await store.pageSources().count == 2)
  }

  @Test func pagesOfALostSourceAreKept() async throws {
    do {
      let store = try folder.store()
      _ = try await store.importPages(journal([page(1, "one")]))
      _ = try await store.backUp(to: folder.garden, now: .start, zone: .utc)
      try folder.run(
        """
        DELETE FROM sources; INSERT INTO events (type, entity, upload, sha256, raw) VALUES ('', '', 1, zeroblob(32), '')
        """)
      GardenFile.markSuspect(folder.garden)
    }
    let store = try folder.store()
    #expect(store.recovery != nil)
    #expect(try await store.pageSources().map(\.source.name) == ["Journal"])
    #expect(try await texts(store) == ["one"])
  }

  @Test func anImportThatTheLogHasLostIsNoticed() async throws {
    do { _ = try await folder.store().append([.water(1)]) }
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    do { _ = try await folder.store().importPages(journal([page(1, "one")])) }
    #expect(HighWaterMark.value(in: folder.garden).seq == 2)
    try before.write(to: URL(fileURLWithPath: folder.database))
    let store = try folder.store()
    #expect(store.recovery?.missing == 1)
    #expect(try await store.count() == 1)
  }

  @Test func anOlderVersionOpensAGardenWithPagesForReading() async throws {
    do { _ = try await folder.store().importPages(journal([page(1, "one")])) }
    let old = ConnectionOptions(migrations: Array(Schema.migrations.prefix { $0.name != "earlier pages" }))
    let store = try EventStore(folder: folder.garden, options: old)
    #expect(store.access == .readOnly(.newerVersion))
    await #expect(throws: StoreError.newerVersion) { try await store.append([.water(1)]) }
  }

  @Test func aFileOfAnOlderVersionThatCanOnlyBeReadHasNoPages() async throws {
    do {
      let old = ConnectionOptions(migrations: Array(Schema.migrations.prefix { $0.name != "earlier pages" }))
      _ = try await EventStore(folder: folder.garden, options: old).append([.water(1)])
    }
    let database = try Database(path: folder.database, mode: .immutable, busyTimeout: 0)
    let store = EventStore(folder: folder.garden, lookingUpIn: database)
    #expect(try await store.journals() == [])
    #expect(try await store.pageSources() == [])
    #expect(try await store.countPages() == 0)
    #expect(try await store.contents().events.count == 1)
    #expect(try await store.pagePlan(journal([page(1, "one")])).new.count == 1)
    // With the right to write, the file is migrated.
    let writable = try folder.store()
    _ = try await writable.importPages(journal([page(1, "one")]))
    #expect(try await writable.countPages() == 1)
  }
}

/// Imports are all or nothing, whatever happens in between.
@Suite(.serialized) struct PageDurabilityTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder.forGarden() }

  /// Checks that each acknowledged journal is complete and no other one is there in part.
  private func check(_ outcome: Writer.Outcome, pages: Int, _ comment: Comment) async throws {
    let store = try folder.store()
    let journals = try await store.journals()
    #expect(journals.allSatisfy { $0.pages.count == pages }, comment)
    let names = Set(journals.map(\.name))
    #expect(outcome.acknowledged.allSatisfy(names.contains), comment)
    let found = try await store.verify()
    #expect(found.isSound && found.searchDifferences.isEmpty, comment)
    #expect(try await store.matches(TextQuery([.init("page")]))?.pages.count == journals.count * pages, comment)
  }

  @Test func anImportOfPagesSurvivesKillsAndFailuresAtEveryCall() async throws {
    let library = try #require(FaultShim.path)
    for (kind, stays) in [(FaultShim.Kind.killed, false), (.killedHalfway, false), (.error(ENOSPC), true)] {
      for number in 1...10_000 {
        try? FileManager.default.removeItem(atPath: folder.garden)
        let mark = folder.path + "/mark"
        unlink(mark)
        let outcome = try Writer(
          ["pages", folder.garden, "2", "80"],
          environment: FaultShim.environment(
            library, folder: folder.garden, at: number, kind, stays: stays, mark: mark)
        ).outcome()
        let happened = access(mark, F_OK) == 0
        let comment: Comment = "call \(number), \(kind): \(outcome.lines)"
        if case .error = kind {
          #expect(outcome.errors.allSatisfy { $0.contains("disk full") }, comment)
        } else {
          #expect(outcome.wasKilled == happened, comment)
        }
        try await check(outcome, pages: 80, comment)
        if !happened {
          #expect(number > 10)
          break
        }
      }
    }
  }

  @Test(.enabled(if: canMount, "needs the right to mount")) func aFullDiskKeepsWholeJournals() async throws {
    try FileManager.default.createDirectory(atPath: folder.garden, withIntermediateDirectories: true)
    #expect(mount("tmpfs", folder.garden, "tmpfs", 0, "size=1400k") == 0)
    defer { umount(folder.garden) }
    let outcome = try Writer(["pages", folder.garden, "1000", "500"]).outcome()
    #expect(outcome.status == 3 && !outcome.acknowledged.isEmpty)
    #expect(outcome.errors.allSatisfy { $0.contains("disk full") }, "\(outcome.errors)")
    #expect(mount("tmpfs", folder.garden, "tmpfs", UInt(MS_REMOUNT), "size=20m") == 0)
    try await check(outcome, pages: 500, "")
  }
}
