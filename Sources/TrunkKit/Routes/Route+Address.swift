import TrunkModel

/// Addresses of places, which the desktop and other programs can open: `trunk://sprout/ID`.
extension Route {
  /// The scheme of all addresses.
  public static let scheme = "trunk"

  /// A longer address is not one of Trunk's. IDs of other clients have a few hundred bytes at most.
  private static let longestAddress = 4000

  public var address: String {
    let components: [String] =
      switch self {
      case .today, .tree, .garden, .journal: [view]
      case .search(let text): text.map { ["search", $0] } ?? ["search"]
      case .seedlings: ["seedlings"]
      case .seedling(let id): ["seedling", id]
      case .entry(let seq): ["entry", "\(seq)"]
      case .page(let id): ["page", "\(id)"]
      case .sprout(let id): ["sprout", id]
      case .branch(let index): ["branch", "\(index)"]
      case .twig(let id): ["twig", id]
      case .leaf(let id): ["leaf", id]
      case .year(let year): ["year", "\(year)"]
      }
    return Route.scheme + "://" + components.map(\.percentEncoded).joined(separator: "/")
  }

  /// Parses an address. It may come from any program or web page, so everything unexpected is rejected.
  /// - Returns: `nil` if it is not the address of a place. The place need not exist in the garden.
  public init?(address: String) {
    let prefix = Route.scheme + "://"
    guard address.utf8.count <= Route.longestAddress, address.lowercased().hasPrefix(prefix) else { return nil }
    var parts = address.utf8.dropFirst(prefix.utf8.count).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // Programs may write a bare host with a slash at the end.
    if parts.count == 2, parts[1].isEmpty { parts.removeLast() }
    let components = parts.map { Route.decoded($0) }
    guard let kind = components.first ?? nil, components.count <= 2 else { return nil }
    guard components.count == 2 else {
      switch kind {
      case "search": self = .search()
      case "seedlings": self = .seedlings
      default: self.init(view: kind)
      }
      return
    }
    guard let value = components[1], !value.isEmpty else { return nil }
    self.init(kind, value)
  }

  private init?(_ kind: String, _ value: String) {
    switch kind {
    case "search": self = .search(value)
    case "entry":
      guard let seq = Int64(value), seq > 0, value == "\(seq)" else { return nil }
      self = .entry(seq)
    case "page":
      guard let id = Int64(value), id > 0, value == "\(id)" else { return nil }
      self = .page(id)
    case "seedling": self = .seedling(value)
    case "sprout": self = .sprout(value)
    case "branch":
      guard let index = Int(value), (0..<8).contains(index), value == "\(index)" else { return nil }
      self = .branch(index)
    case "twig":
      guard case .twig? = Node(id: value) else { return nil }
      self = .twig(value)
    case "leaf": self = .leaf(value)
    case "year":
      guard let year = Int32(value), (1...9999).contains(year), value == "\(year)" else { return nil }
      self = .year(year)
    default: return nil
    }
  }

  /// - Returns: `nil` if the component has an incomplete escape, control characters, or isn't UTF-8.
  private static func decoded(_ component: some Sequence<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = component.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next()?.hexDigit, let low = rest.next()?.hexDigit else { return nil }
      bytes.append(high << 4 | low)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } ? text : nil
  }
}

extension Garden {
  /// Whether this garden has the object that a place shows. Views always exist. Earlier pages lie beside the garden;
  /// the journal says if one isn't there.
  public func has(_ route: Route) -> Bool {
    switch route {
    case .page: true
    case .today, .tree, .garden, .journal, .search, .seedlings, .branch, .twig: true
    case .seedling(let id): seedling(id: id) != nil
    case .entry(let seq): journal.contains { $0.seq == seq } || sprouts.contains { $0.harvest?.seq == seq }
    case .sprout(let id): sprout(id: id) != nil
    case .leaf(let id): leaf(id: id) != nil
    case .year(let year): years?.contains(year) == true
    }
  }
}
