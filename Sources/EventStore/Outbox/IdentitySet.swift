/// A set of event identities, compared by their bytes: Swift considers canonically equivalent strings equal, servers
/// don't.
public struct IdentitySet: Sendable, Equatable {
  private var identities: Set<[UInt8]> = []

  public init() {}

  public mutating func insert(_ identity: String) { identities.insert(Array(identity.utf8)) }

  public func contains(_ identity: String) -> Bool { identities.contains(Array(identity.utf8)) }
}
