import EventStore
import Localization
import TrunkModel

/// Searches the open garden for the desktop: sprouts, leaves and seedlings, and entries and earlier pages if the user
/// allows it.
///
/// Each search opens the garden's file for a moment and changes nothing on the disk. What it derives stays in memory.
public actor DesktopSearch {
  public struct Result: Sendable, Equatable {
    /// The same for each search. It names the object, not its place on the disk.
    public let id: String
    public let title: String
    public let detail: String
  }

  /// The groups that are shown, in this order.
  private static let groups: [SearchResults.Group] = [.sprouts, .leaves, .seedlings, .entries, .pages]
  /// The maximum number of results of each group.
  private static let limit = 5

  private let clock: WallClock
  private var prepared: Prepared?

  /// A garden in memory, and its state on the disk.
  private struct Prepared {
    let folder: String
    let head: LogHead
    let newestDigest: [UInt8]?
    let garden: Garden
    let catalog: SearchCatalog
  }

  public init(clock: WallClock = .system) { self.clock = clock }

  /// The results for a typed text, the best groups first.
  public func results(for text: String) async throws -> [Result] {
    let (search, garden) = try await open()
    let showsEntries = Settings.showsEntriesInDesktopSearch()
    let found = try await search.results(for: text, in: garden, at: clock.now()) { group in
      let isWritten = group == .entries || group == .pages
      return Self.groups.contains(group) && (!isWritten || showsEntries) ? Self.limit : 0
    }
    return Self.groups.flatMap { found.hits[$0, default: []] }.compactMap { Self.result($0, garden) }
  }

  /// The results with these IDs that still exist.
  public func results(withIDs ids: [String]) async throws -> [Result] {
    let (search, garden) = try await open()
    let showsEntries = Settings.showsEntriesInDesktopSearch()
    var results: [Result?] = []
    for id in ids {
      let value = Self.value(of: id)
      switch Self.kind(of: id) {
      case .sprout: results.append(Self.result(.sprout(value), garden))
      case .leaf: results.append(Self.result(.leaf(value), garden))
      case .seedling: results.append(Self.result(.seedling(value), garden))
      case .entry:
        guard showsEntries, let seq = Int64(value), let hit = try await search.entry(seq, in: garden) else { continue }
        results.append(Self.result(hit, garden))
      case .page:
        guard showsEntries, let page = Int64(value), let hit = try await search.page(page, in: garden) else { continue }
        results.append(Self.result(hit, garden))
      case nil: continue
      }
    }
    return results.compactMap(\.self)
  }

  /// The page that a result opens; `nil` if the ID isn't one of a result.
  public static func route(ofID id: String) -> Route? {
    let value = value(of: id)
    return switch kind(of: id) {
    case .sprout: .sprout(value)
    case .leaf: .leaf(value)
    case .seedling: .seedling(value)
    case .entry: Int64(value).map { .entry($0) }
    case .page: Int64(value).map { .page($0) }
    case nil: nil
    }
  }

  /// The first part of an ID, before a slash.
  private enum Kind: String {
    case sprout, leaf, seedling, entry, page
  }

  private static func kind(of id: String) -> Kind? {
    id.firstIndex(of: "/").flatMap { Kind(rawValue: String(id[..<$0])) }
  }

  private static func value(of id: String) -> String { String(id.drop { $0 != "/" }.dropFirst()) }
}

extension DesktopSearch {
  /// Opens the file, and derives the garden again if something was written since the last time.
  private func open() async throws -> (search: GardenSearch, garden: Garden) {
    let folder = try CurrentAccount.gardenFolder()
    let store = try EventStore.openForLookup(folder: folder)
    let (head, newestDigest) = (try await store.head(), try await store.newestDigest())
    let zones = GardenModel.zones(Profile(text: head.profile), clock)
    if let prepared, prepared.folder == folder, prepared.head == head, prepared.newestDigest == newestDigest,
      prepared.garden.zones.areSame(as: zones)
    {
      return (GardenSearch(store, prepared.catalog, of: prepared.garden), prepared.garden)
    }
    let garden = try await GardenModel.load(store, clock).projection.garden
    let catalog = SearchCatalog(garden)
    prepared = Prepared(
      folder: folder, head: head, newestDigest: newestDigest, garden: garden, catalog: catalog)
    return (GardenSearch(store, catalog, of: garden), garden)
  }

  private static func result(_ hit: SearchResults.Hit, _ garden: Garden) -> Result? {
    switch hit.place {
    case .entry(let item):
      make(
        .entry, "\(item.seq)",
        item.sproutID.flatMap { garden.sprout(id: $0)?.title } ?? item.twig.map { garden.path(ofTwig: $0.id) } ?? "",
        dotted([Formats.date(item.time), hit.excerpt.text]))
    case .page(let line):
      make(.page, "\(line.id)", hit.title ?? "", dotted([Formats.dateAndTime(line), hit.excerpt.text]))
    default: result(hit.place, garden)
    }
  }

  private static func result(_ place: SearchResults.Place, _ garden: Garden) -> Result? {
    switch place {
    case .sprout(let id):
      garden.sprout(id: id).map { make(.sprout, id, $0.title, garden.path(ofTwig: $0.twigID)) }
    case .leaf(let id):
      garden.leaf(id: id).map { make(.leaf, id, $0.name, garden.path(ofTwig: $0.twigID)) }
    case .seedling(let id):
      garden.seedling(id: id).map { make(.seedling, id, $0.title, garden.path(ofTwig: $0.twigID)) }
    case .node, .entry, .page: nil
    }
  }

  private static func make(_ kind: Kind, _ value: String, _ title: String, _ detail: String) -> Result {
    Result(id: kind.rawValue + "/" + value, title: title, detail: detail)
  }
}
