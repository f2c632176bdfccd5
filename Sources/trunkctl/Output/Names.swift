import Localization
import TrunkKit
import TrunkModel

/// Finds sprouts, seedlings and twigs by the names that the user gives on the command line.
extension Garden {
  /// Finds a sprout by its id, by the beginning of its id, or by a part of its title, ignoring case and diacritics.
  ///
  /// A match of the whole title has priority over a match of a part.
  /// - Parameter preferGrowing: if several sprouts match and only one of them is still growing, return that one.
  /// - Throws: a `Failure` that lists the candidates if several match.
  func sprout(named name: String, preferGrowing: Bool = true) throws -> Sprout {
    if let sprout = sprout(id: name) { return sprout }
    let candidates = Garden.fitting(name, in: Array(sprouts))
    if candidates.count == 1 { return candidates[0] }
    let growing = candidates.filter(\.isActive)
    if preferGrowing, growing.count == 1 { return growing[0] }
    guard !candidates.isEmpty else {
      throw Failure(
        .notFound,
        tr("No sprout is called “{name}”. “trunkctl list” shows all of them.", ["name": Output.safe(name)]))
    }
    let listed = preferGrowing && !growing.isEmpty ? growing : candidates
    throw Failure(
      .notFound,
      trn(
        "{n} sprout matches “{name}”. Give more of the title, or the id:",
        "{n} sprouts match “{name}”. Give more of the title, or the id:", listed.count, ["name": Output.safe(name)])
        + "\n" + table(of: listed))
  }

  /// Finds a seedling as `sprout(named:)` finds a sprout.
  /// - Throws: a `Failure` that lists the candidates if several match.
  func seedling(named name: String) throws -> Seedling {
    if let seedling = seedling(id: name) { return seedling }
    let candidates = Garden.fitting(name, in: seedlings)
    if candidates.count == 1 { return candidates[0] }
    guard !candidates.isEmpty else {
      throw Failure(
        .notFound,
        tr(
          "No seedling is called “{name}”. “trunkctl seedling list” shows all of them.", ["name": Output.safe(name)]))
    }
    throw Failure(
      .notFound,
      trn(
        "{n} seedling matches “{name}”. Give more of the title, or the id:",
        "{n} seedlings match “{name}”. Give more of the title, or the id:", candidates.count,
        ["name": Output.safe(name)]) + "\n" + table(of: candidates))
  }

  /// Finds a leaf as `sprout(named:)` finds a sprout.
  /// - Throws: a `Failure` that lists the candidates if several match.
  func leaf(named name: String) throws -> Leaf {
    if let leaf = leaf(id: name) { return leaf }
    let candidates = Garden.fitting(name, in: Array(leaves))
    if candidates.count == 1 { return candidates[0] }
    guard !candidates.isEmpty else {
      throw Failure(.notFound, tr("No leaf is called “{name}”.", ["name": Output.safe(name)]))
    }
    throw Failure(
      .notFound,
      trn(
        "{n} leaf matches “{name}”. Give more of the name, or the id:",
        "{n} leaves match “{name}”. Give more of the name, or the id:", candidates.count, ["name": Output.safe(name)])
        + "\n" + table(of: candidates))
  }

  /// An existing leaf of a twig with this name, id or short id, otherwise a new leaf.
  /// - Throws: a `Failure` that lists the candidates if several have the name.
  func leafChoice(_ name: String, onTwig twigID: String) throws -> GardenModel.LeafChoice {
    let wanted = String(name.trimmed)
    guard !wanted.isEmpty else { return .new(name: "") }
    let leaves = leaves(onTwig: twigID)
    if let leaf = leaves.first(where: { $0.id.hasSameBytes(as: wanted) || $0.shortID.hasSameBytes(as: wanted) }) {
      return .existing(id: leaf.id)
    }
    let fitting = leaves.filter { $0.name.folded == wanted.folded }
    guard fitting.count <= 1 else {
      throw Failure(
        .notFound,
        tr("Several leaves are called “{name}”. Give the id of one:", ["name": Output.safe(name)]) + "\n"
          + Table(rows: fitting.map { [$0.id, $0.name] }).lines().joined(separator: "\n"))
    }
    return fitting.first.map { .existing(id: $0.id) } ?? .new(name: wanted)
  }

  /// Finds a branch by its id or name, or a twig as `twig(named:)` does.
  func place(named name: String) throws -> Node {
    let wanted = String(name.trimmed).folded
    let branches = (0..<8).map { Node.branch($0) }
    let branch = branches.first { $0.id == name || isCalled($0, wanted) }
    return try branch ?? twig(named: name)
  }

  /// Finds a twig by `branch/twig`, by its id, or by its own name; names are the preset ones, in English or
  /// translated, or the user's.
  /// - Throws: a `Failure` that suggests the nearest twig, or lists all of them if none is near.
  func twig(named name: String) throws -> Node {
    if let node = Node(id: name) ?? Node(path: name), case .twig = node { return node }
    let parts = name.split(separator: "/", maxSplits: 1).map { String($0.trimmed).folded }
    let fitting = Node.twigs.filter { twig in
      guard let branch = twig.branch, let last = parts.last, isCalled(twig, last) else { return false }
      return parts.count == 1 || isCalled(.branch(branch), parts[0])
    }
    if fitting.count == 1 { return fitting[0] }
    if fitting.isEmpty, let nearest = nearestTwig(to: name) {
      throw Failure(
        .notFound, tr("No twig is called “{name}”.", ["name": Output.safe(name)]) + " " + Suggestion.question(nearest))
    }
    throw Failure(
      .notFound,
      tr("No twig is called “{name}”. Write it like “voice/practice”:", ["name": Output.safe(name)]) + "\n"
        + Table(rows: Node.names.map { [$0.branch.lowercased(), $0.twigs.joined(separator: " ")] }).lines()
        .joined(separator: "\n"))
  }
}

extension Garden {
  /// - Parameter name: folded.
  private func isCalled(_ node: Node, _ name: String) -> Bool {
    names(of: node).contains { $0.folded == name }
  }

  /// The path of the twig whose name is nearest to a misspelled one; `nil` if none is near. The branch before a slash
  /// doesn't count: it may be the part that is wrong.
  private func nearestTwig(to name: String) -> String? {
    let wanted = String((name.split(separator: "/").last ?? "").trimmed).folded
    // The name of a branch isn't a misspelled twig, although CORE is near to care.
    guard !wanted.isEmpty, !(0..<8).contains(where: { isCalled(.branch($0), wanted) }) else { return nil }
    let named = Node.twigs.flatMap { twig in names(of: twig).map { (name: $0.folded, twig: twig) } }
    let nearest = Suggestion.nearest(to: wanted, among: named.map(\.name))
    return named.first { $0.name == nearest }.flatMap(\.twig.path)
  }

  /// Fewer characters match too many ids.
  private static let shortestID = 4

  /// The objects that match a name: by the whole title, otherwise by a part of it, otherwise by the beginning of the
  /// id.
  private static func fitting<Item: Titled>(_ name: String, in items: [Item]) -> [Item] {
    let wanted = String(name.trimmed).folded
    guard !wanted.isEmpty else { return [] }
    let titles = items.map { (item: $0, title: $0.title.folded) }
    let whole = titles.filter { $0.title == wanted }
    if !whole.isEmpty { return whole.map(\.item) }
    let parts = titles.filter { $0.title.contains(wanted) }
    if !parts.isEmpty { return parts.map(\.item) }
    guard wanted.count >= Garden.shortestID else { return [] }
    return items.filter { $0.id.hasPrefix(wanted) || $0.id.hasPrefix(Item.idPrefix + wanted) }
  }

  /// A table of the newest candidates.
  private func table(of candidates: [some Titled]) -> String {
    let shown = candidates.suffix(10).reversed().map { [$0.shortID, $0.title, path(ofTwig: $0.twigID)] }
    return (Table(rows: Array(shown)).lines() + (candidates.count > shown.count ? ["  …"] : [])).joined(separator: "\n")
  }
}

extension Node {
  /// The path for `--twig`: `voice/practice`.
  var path: String? {
    guard case .twig = self else { return nil }
    return place
  }

  /// The name on the command line: `voice` or `voice/practice`; `nil` for the trunk.
  var place: String? {
    switch self {
    case .trunk: nil
    case .branch: name.lowercased()
    case .twig(let branch, _): Node.branch(branch).name.lowercased() + "/" + name
    }
  }
}

/// An object that the user names by its title or id.
protocol Titled {
  /// The beginning of all its ids.
  static var idPrefix: String { get }
  var id: String { get }
  var title: String { get }
  var twigID: String { get }
}

extension Titled {
  /// The beginning of the id, as shown in tables.
  var shortID: String {
    let digits = id.hasPrefix(Self.idPrefix) ? id.dropFirst(Self.idPrefix.count) : id[...]
    return String(digits.prefix(8))
  }
}

extension Sprout: Titled {
  static let idPrefix = "sprout-"
}

extension Seedling: Titled {
  static let idPrefix = "seedling-"
}

extension Leaf: Titled {
  static let idPrefix = "leaf-"
  var title: String { name }
}
