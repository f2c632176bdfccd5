/// Identities of events, by their bytes: Swift takes two spellings of one letter for the same text, and servers don't.
public struct IdentitySet: Sendable, Equatable {
  private var identities: Set<[UInt8]> = []

  public init() {}

  public mutating func insert(_ identity: String) { identities.insert(Array(identity.utf8)) }

  public func contains(_ identity: String) -> Bool { identities.contains(Array(identity.utf8)) }
}
