import Garden
import GardenStore
import Observation

/// The app without a screen: the one door through which a garden is read and changed.
///
/// An intent (`water`, `plant`, …) checks the rules against the present garden, makes an event, has it committed and
/// applies it; then `garden` is a new value. Events that other programs wrote to the same store enter the same way.
/// Intents run one after the other: each sees what the one before it did, so that a double click makes one event.
@MainActor
@Observable
public final class Gardener {
  /// Everything that is derived from the log.
  public private(set) var garden: Garden
  /// The instant for which the day is shown; `refreshClock` moves it.
  public private(set) var now: Instant
  /// What `undo` would take back.
  public private(set) var undoable: Undoable?

  public nonisolated let store: GardenStore
  @ObservationIgnored private let clock: Clock
  @ObservationIgnored private var chronicle: Chronicle
  /// The newest event of the log that the chronicle has seen, and the log's generation then.
  @ObservationIgnored private var lastSeq: Int64
  @ObservationIgnored private var generation: Int64
  /// How many events were applied when a checkpoint was last kept in the store.
  @ObservationIgnored private var checkpointed: Int
  @ObservationIgnored private var lastIntent: Task<Void, Never>?

  /// An action that can be taken back for a few seconds.
  public struct Undoable: Sendable, Equatable {
    public enum Action: Sendable {
      case water, shine, harvest, uproot, deleteSeedling
    }

    public let action: Action
    public let clientIDs: [String]
    public let until: Instant
    /// What was written: it becomes a draft again, so that undoing loses no line.
    let draft: Draft?

    struct Draft: Equatable {
      let key: DraftKey
      let text: String
    }
  }

  /// How long an action can be taken back, in seconds: a little longer than its toast is seen.
  public static let undoSeconds: Int64 = 9

  /// A checkpoint is kept in the store after this many events, so that a start never derives more.
  private static let checkpointSpacing = 200

  /// Opens the garden in a folder; an empty one is made there.
  /// - Throws: `StoreError`.
  public static func open(folder: String, clock: Clock = .system) async throws -> Gardener {
    let store = try await GardenStore.open(folder: folder)
    return Gardener(store: store, clock: clock, loaded: try await load(store, zone: clock.zone()))
  }

  private init(store: GardenStore, clock: Clock, loaded: Loaded) {
    self.store = store
    self.clock = clock
    chronicle = loaded.chronicle
    lastSeq = loaded.lastSeq
    generation = loaded.generation
    checkpointed = loaded.checkpointed
    garden = loaded.chronicle.garden
    now = clock.now()
  }
}

// MARK: - Following the log and the clock

extension Gardener {
  /// Takes in what other programs wrote. Call it when the store's file changed.
  public func catchUp() async throws {
    let newGeneration = try await store.generation()
    guard newGeneration == generation else { return try await reload() }
    let new = try await store.events(afterSeq: lastSeq)
    guard let newest = new.map(\.seq).max(), newest > lastSeq else { return }
    let sorted = LoggedEvent.sorted(new)
    if let first = chronicle.needsRewind(for: sorted) {
      // Rewinding keeps the count of ignored events, so these are added here and the others come from the log.
      var rewound = chronicle
      let place = rewound.rewind(before: first)
      let replayed = try await store.events(afterKey: place)
      rewound.advance(sorted.filter { !$0.event.isUnderstood })
      rewound.advance(replayed.filter(\.event.isUnderstood))
      chronicle = rewound
    } else {
      chronicle.advance(sorted)
    }
    lastSeq = newest
    garden = chronicle.garden
    try await keepCheckpointIfDue()
  }

  /// Looks at the clock: makes all that depends on the day, the hour and the zone right.
  public func refreshClock() async throws {
    now = clock.now()
    if clock.zone() != garden.zone { try await reload() }
  }

  /// The next instant at which something that is shown changes by itself: the end of the reset day, a harvest that
  /// becomes ready, midnight or the top of the hour at which the greeting changes.
  public var nextChange: Instant {
    let (day, second) = garden.zone.local(now)
    let hours = [5, 12, 17, 21].map { Int64($0) * 3600 }.filter { $0 > second }
    let greeting =
      hours.first.map { garden.zone.instant(day: day, second: $0) }
      ?? garden.zone.instant(day: day.adding(days: 1), second: 0)
    let harvest = garden.upcoming(at: now).first?.harvestDue
    return min(min(greeting, garden.zone.nextReset(after: now)), harvest ?? greeting)
  }

  /// Keeps the present state for the next start. Call it before the program ends.
  public func close() async throws {
    await lastIntent?.value
    if garden.eventCount > checkpointed { try await keepCheckpoint() }
  }

  private struct Loaded: Sendable {
    let chronicle: Chronicle
    let lastSeq: Int64
    let generation: Int64
    let checkpointed: Int
  }

  private nonisolated static func load(_ store: GardenStore, zone: Zone) async throws -> Loaded {
    let generation = try await store.generation()
    let kept = try await store.newestCheckpoint(format: Garden.formatVersion, zone: zone.identifier)
    if let kept, let garden = Garden(checkpoint: kept.state, zone: zone) {
      var chronicle = Chronicle(garden)
      let events = try await store.events(after: kept)
      chronicle.advance(events)
      return Loaded(
        chronicle: chronicle, lastSeq: events.map(\.seq).reduce(kept.lastSeq, max), generation: generation,
        checkpointed: garden.eventCount)
    }
    var chronicle = Chronicle(Garden(zone: zone))
    let events = try await store.events(afterKey: nil)
    chronicle.advance(events)
    return Loaded(
      chronicle: chronicle, lastSeq: events.map(\.seq).max() ?? 0, generation: generation, checkpointed: 0)
  }

  private func reload() async throws {
    let loaded = try await Gardener.load(store, zone: clock.zone())
    chronicle = loaded.chronicle
    lastSeq = loaded.lastSeq
    generation = loaded.generation
    checkpointed = loaded.checkpointed
    garden = chronicle.garden
  }

  private func keepCheckpointIfDue() async throws {
    if garden.eventCount - checkpointed >= Gardener.checkpointSpacing { try await keepCheckpoint() }
  }

  private func keepCheckpoint() async throws {
    guard let lastKey = garden.lastKey, store.access == .readWrite else { return }
    let (garden, seq) = (garden, lastSeq)
    try await store.save(
      Checkpoint(
        format: Garden.formatVersion, zone: garden.zone.identifier, lastSeq: seq, lastKey: lastKey,
        eventCount: garden.eventCount, state: garden.checkpoint()))
    checkpointed = garden.eventCount
  }
}

// MARK: - Writing

extension Gardener {
  /// Where a new sprout belongs.
  public enum LeafChoice: Sendable, Equatable {
    case existing(id: String)
    /// Made together with the sprout, in one transaction.
    case new(name: String)
  }

  /// What the plant dialog asks for.
  public struct Planting: Sendable {
    public var twig: Node
    public var title = ""
    public var leaf: LeafChoice
    public var season = Season.oneMonth
    public var environment = Environment.fertile
    public var bloomWither = ""
    public var bloomBudding = ""
    public var bloomFlourish = ""
    /// The idea that it grows from, deleted together with the planting.
    public var seedlingID: String?

    public init(twig: Node, leaf: LeafChoice = .new(name: "")) {
      self.twig = twig
      self.leaf = leaf
    }
  }

  /// Plants a sprout. A new leaf without a name is called like the sprout.
  /// - Returns: the id of the new sprout.
  @discardableResult
  public func plant(_ planting: Planting) async throws -> String {
    try await serially { [self] in
      let title = try Gardener.title(planting.title, limit: Limits.title)
      let cost = Soil.cost(planting.season, planting.environment)
      guard cost <= garden.available else { throw GardeningError.soilMissing(cost: cost, available: garden.available) }
      var contents: [Content] = []
      let leafID: String
      switch planting.leaf {
      case .existing(let id): leafID = id
      case .new(let name):
        leafID = Gardener.newID("leaf")
        let name = name.trimmed.isEmpty ? String(title.prefix(Limits.leafName)) : String(name.trimmed)
        try Gardener.check(name, limit: Limits.leafName)
        contents.append(.leafCreated(.init(leafID: leafID, twigID: planting.twig.id, name: name)))
      }
      func bloom(_ text: String) throws -> String? {
        try Gardener.check(text, limit: Limits.bloom)
        return text.trimmed.isEmpty ? nil : String(text.trimmed)
      }
      let sproutID = Gardener.newID("sprout")
      contents.append(
        .sproutPlanted(
          .init(
            sproutID: sproutID, twigID: planting.twig.id, title: title, season: planting.season,
            environment: planting.environment, soilCost: cost, leafID: leafID,
            bloomWither: try bloom(planting.bloomWither), bloomBudding: try bloom(planting.bloomBudding),
            bloomFlourish: try bloom(planting.bloomFlourish))))
      if let seedlingID = planting.seedlingID {
        contents.append(.seedlingDeleted(.init(seedlingID: seedlingID)))
      }
      try await commit(contents)
      return sproutID
    }
  }

  /// Writes a journal entry on a growing sprout: once per sprout and day, three a day. The text may be empty.
  public func water(_ sproutID: String, text: String, prompt: String?) async throws {
    try await serially { [self] in
      let sprout = try growing(sproutID)
      guard !garden.wasWatered(sprout, onDayOf: now) else { throw GardeningError.alreadyWatered(title: sprout.title) }
      guard garden.waterLeft(at: now) > 0 else {
        throw GardeningError.noWaterLeft(returns: Formats.moment(garden.zone.nextReset(after: now), now: now, in: garden.zone))
      }
      try Gardener.check(text, limit: Limits.journal)
      try await commit(
        [.sproutWatered(.init(sproutID: sproutID, content: text, prompt: prompt))], undo: .water,
        draft: .init(key: draftKey(.water, sproutID), text: text))
    }
  }

  /// Writes the reflection of the week.
  public func shine(_ twig: Node, text: String, prompt: String?) async throws {
    try await serially { [self] in
      guard garden.sunLeft(at: now) > 0 else {
        throw GardeningError.noSunLeft(returns: Formats.moment(garden.zone.nextWeek(after: now), now: now, in: garden.zone))
      }
      guard !text.trimmed.isEmpty else { throw GardeningError.textMissing }
      try Gardener.check(text, limit: Limits.journal)
      try await commit(
        [.sunShone(.init(twigID: twig.id, twigLabel: garden.label(of: twig), content: text, prompt: prompt))],
        undo: .shine, draft: .init(key: draftKey(.sun, ""), text: text))
    }
  }

  /// Harvests a sprout whose season is over.
  /// - Parameter result: 1…5.
  public func harvest(_ sproutID: String, result: Int, reflection: String) async throws {
    try await serially { [self] in
      let sprout = try growing(sproutID)
      guard sprout.isReady(at: now) else {
        throw GardeningError.notReady(title: sprout.title, due: Formats.date(sprout.harvestDue, in: garden.zone))
      }
      try Gardener.check(reflection, limit: Limits.journal)
      let gained = Soil.capacityGained(
        sprout.season, sprout.environment, result: result, capacity: garden.capacity)
      try await commit(
        [
          .sproutHarvested(
            .init(
              sproutID: sproutID, result: result, capacityGained: gained,
              reflection: reflection.trimmed.isEmpty ? nil : reflection))
        ], undo: .harvest, draft: .init(key: draftKey(.harvest, sproutID), text: reflection))
    }
  }

  /// Gives a sprout up; a quarter of its soil comes back.
  /// - Parameter keepingIdea: also make a seedling of it.
  public func uproot(_ sproutID: String, keepingIdea: Bool) async throws {
    try await serially { [self] in
      let sprout = try growing(sproutID)
      var contents: [Content] = [
        .sproutUprooted(.init(sproutID: sproutID, soilReturned: Soil.returned(uprooting: sprout.soilCost)))
      ]
      if keepingIdea {
        contents.append(
          .seedlingCreated(
            .init(
              seedlingID: Gardener.newID("seedling"), twigID: sprout.twigID,
              title: String(sprout.title.prefix(Limits.seedlingTitle)))))
      }
      try await commit(contents, undo: .uproot)
    }
  }

  /// Changes what can be changed of a sprout, in any state. `nil` leaves a field as it is, an empty bloom clears it.
  public func edit(
    _ sproutID: String, title: String? = nil, bloomWither: String? = nil, bloomBudding: String? = nil,
    bloomFlourish: String? = nil, leafID: String? = nil
  ) async throws {
    try await serially { [self] in
      guard let sprout = garden.sprout(id: sproutID) else { throw GardeningError.unknownSprout }
      let title = try title.map { try Gardener.title($0, limit: Limits.title) }
      for bloom in [bloomWither, bloomBudding, bloomFlourish].compactMap({ $0 }) {
        try Gardener.check(bloom, limit: Limits.bloom)
      }
      func changed(_ new: String?, _ old: String?) -> String? { new == old ?? "" ? nil : new }
      let edit = Content.SproutEdited(
        sproutID: sproutID, title: changed(title, sprout.title),
        bloomWither: changed(bloomWither, sprout.bloomWither), bloomBudding: changed(bloomBudding, sprout.bloomBudding),
        bloomFlourish: changed(bloomFlourish, sprout.bloomFlourish), leafID: changed(leafID, sprout.leafID))
      let fields = [edit.title, edit.bloomWither, edit.bloomBudding, edit.bloomFlourish, edit.leafID]
      guard fields.contains(where: { $0 != nil }) else { return }
      try await commit([.sproutEdited(edit)])
    }
  }

  /// Notes an idea on a twig; it costs nothing.
  /// - Returns: the id of the new seedling.
  @discardableResult
  public func seed(_ twig: Node, title: String, notes: String = "") async throws -> String {
    try await serially { [self] in
      let title = try Gardener.title(title, limit: Limits.seedlingTitle)
      try Gardener.check(notes, limit: Limits.seedlingNotes)
      let id = Gardener.newID("seedling")
      let notes = notes.trimmed.isEmpty ? nil : String(notes.trimmed)
      try await commit([.seedlingCreated(.init(seedlingID: id, twigID: twig.id, title: title, notes: notes))])
      return id
    }
  }

  public func deleteSeedling(_ seedlingID: String) async throws {
    try await serially { [self] in
      guard garden.seedling(id: seedlingID) != nil else { throw GardeningError.unknownSeedling }
      try await commit([.seedlingDeleted(.init(seedlingID: seedlingID))], undo: .deleteSeedling)
    }
  }

  /// Takes the last action back, while its toast is open.
  /// - Returns: what was taken back.
  @discardableResult
  public func undo() async throws -> Undoable.Action {
    try await serially { [self] in
      guard let undoable else { throw GardeningError.nothingToUndo }
      self.undoable = nil
      do {
        try await store.removeHeld(clientIDs: undoable.clientIDs, now: clock.now())
      } catch StoreError.holdOver { throw GardeningError.tooLateToUndo }
      if let draft = undoable.draft, !draft.text.isEmpty {
        try await store.saveDraft(draft.text, for: draft.key, now: now)
      }
      try await catchUp()
      return undoable.action
    }
  }

  /// Takes in events of a file. Duplicates are recognised, nothing is replaced or lost.
  public func importEvents(_ events: [Event]) async throws -> AppendResult {
    try await serially { [self] in
      let result = try await store.append(events)
      try await catchUp()
      return result
    }
  }

  /// Waits for the intents before, then runs this one.
  private func serially<Value: Sendable>(_ intent: @escaping @MainActor () async throws -> Value) async throws -> Value {
    let previous = lastIntent
    let task = Task {
      await previous?.value
      now = clock.now()
      return try await intent()
    }
    lastIntent = Task { _ = await task.result }
    return try await task.value
  }

  private func commit(
    _ contents: [Content], undo action: Undoable.Action? = nil, draft: Undoable.Draft? = nil
  ) async throws {
    let now = now
    let events = contents.map { Event($0, at: now, clientID: Event.clientID(at: now, random: .random(in: 0 ... .max))) }
    let until = now.adding(seconds: Gardener.undoSeconds)
    _ = try await store.append(events, heldUntil: action == nil ? nil : until, clearingDraft: draft?.key)
    try await catchUp()
    undoable = action.map {
      Undoable(action: $0, clientIDs: events.compactMap(\.clientID), until: until, draft: draft)
    }
  }

  private func growing(_ sproutID: String) throws -> Sprout {
    guard let sprout = garden.sprout(id: sproutID) else { throw GardeningError.unknownSprout }
    guard sprout.isActive else { throw GardeningError.notGrowing(title: sprout.title) }
    return sprout
  }

  private static func title(_ text: String, limit: Int) throws -> String {
    let title = String(text.trimmed)
    guard !title.isEmpty else { throw GardeningError.titleMissing }
    try check(title, limit: limit)
    return title
  }

  private static func check(_ text: String, limit: Int) throws {
    if text.count > limit { throw GardeningError.tooLong(count: text.count, limit: limit) }
  }

  /// `kind-<uuid>`, a random UUID of version 4, lower case.
  private static func newID(_ kind: String) -> String {
    var digits = Array(String(UInt128.random(in: 0 ... .max) | 1 << 127, radix: 16))
    digits[12] = "4"
    digits[16] = ["8", "9", "a", "b"].randomElement() ?? "8"
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    return kind + "-" + groups.joined(separator: "-")
  }
}

// MARK: - Drafts

extension Gardener {
  /// A form whose text is kept as it is typed.
  public enum Form: String, Sendable {
    case water, sun, harvest
  }

  /// Keeps what was typed so far, on disk; an empty text removes the draft.
  public func keepDraft(_ text: String, _ form: Form, about entity: String) async throws {
    let key = draftKey(form, entity)
    if text.isEmpty {
      try await store.removeDraft(for: key)
    } else {
      try await store.saveDraft(text, for: key, now: clock.now())
    }
  }

  /// What was typed and not yet written, be it on an earlier day; `nil` if there is nothing.
  public func draft(_ form: Form, about entity: String) async throws -> String? {
    try await store.draft(for: draftKey(form, entity))?.text
  }

  /// - Parameter entity: the sprout; empty for the sun, which has one draft whatever the twig.
  private func draftKey(_ form: Form, _ entity: String) -> DraftKey {
    // No day in the key: what was begun before 06:00 is still there after it.
    DraftKey(kind: form.rawValue, entity: entity, day: "")
  }
}

// MARK: - Reading the journal

extension Gardener {
  /// An entry with its words.
  public struct Page: Sendable, Equatable {
    public let entry: JournalEntry
    public let content: String
    public let prompt: String?
    /// What the twig was called when the sun shone on it; `nil` for a watering.
    public let twigLabel: String?
  }

  /// The words of journal entries, in the same order.
  public func pages(_ entries: [JournalEntry]) async throws -> [Page] {
    let events = try await store.events(seqs: entries.map(\.seq))
    let bySeq = Dictionary(events.map { ($0.seq, $0.event) }) { first, _ in first }
    return entries.compactMap { entry in
      guard let event = bySeq[entry.seq], let words = event.entry else { return nil }
      let label: String? = if case .sunShone(let sun) = event.content { sun.twigLabel } else { nil }
      return Page(entry: entry, content: words.content, prompt: words.prompt, twigLabel: label)
    }
  }

  /// Questions that know which ones were answered lately.
  public func questions() async throws -> Questions {
    let water = garden.journal.reversed().lazy.filter { $0.sprout != nil }.prefix(Questions.waterMemory)
    let sun = garden.journal.reversed().lazy.filter { $0.sprout == nil }.prefix(Questions.sunMemory)
    return Questions(
      recentWater: try await pages(water.reversed()).compactMap(\.prompt),
      recentSun: try await pages(sun.reversed()).compactMap(\.prompt))
  }
}
