/// An idea on a twig.
public struct Seedling: Sendable, Identifiable, Equatable {
  public let id: String
  public let twigID: String
  public internal(set) var title: String
  public internal(set) var notes: String?
  public let createdAt: EventTime
  public let createdSeq: Int64
  /// When it was deleted or planted; `nil` while it is in the garden.
  public internal(set) var deletedAt: EventTime?
}
