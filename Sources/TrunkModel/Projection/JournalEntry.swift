/// A watering or reflection; its text is in the event `seq`.
public struct JournalEntry: Sendable, Equatable, BitwiseCopyable {
  public let seq: Int64
  public let instant: Instant
  // 4 bytes rather than a Bool beside the index: padding would make the bytes of a checkpoint differ between runs.
  private let kind: Int32
  private let index: Int32

  init(seq: Int64, instant: Instant, isSun: Bool, index: Int32) {
    self.seq = seq
    self.instant = instant
    kind = isSun ? 1 : 0
    self.index = index
  }

  private var isSun: Bool { kind != 0 }

  /// The position of its sprout in `Garden.sprouts`; `nil` for a reflection.
  public var sprout: Int? { isSun ? nil : Int(index) }

  /// The twig of a reflection; `nil` for a watering, and for a twig that isn't one of the 64.
  public var twig: Node? { isSun && index >= 0 ? Node.twigs[Int(index)] : nil }
}
