/// A saga: a named chain of sprouts on one twig.
public struct Leaf: Sendable, Identifiable, Equatable {
  public let id: String
  public let twigID: String
  public let name: String
  public let createdAt: EventTime
  public let createdSeq: Int64
}

/// The progress of a leaf, in sprouts.
public struct LeafProgress: Sendable, Equatable {
  public internal(set) var cultivated = 0
  public internal(set) var growing = 0
  /// Including uprooted ones.
  public internal(set) var total = 0

  public init() {}
}
