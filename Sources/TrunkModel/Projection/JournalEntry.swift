/// A watering or reflection; its text is in the event `seq`.
public struct JournalEntry: Sendable, Equatable, BitwiseCopyable {
  public let seq: Int64
  private let instant: Instant
  /// Twice the offset of its time from UTC, in seconds, plus 1 if it has words.
  private let offsetAndWords: Int32
  /// The position of a sprout, or a negative number for a reflection: `unknownTwig` less the position of its twig.
  ///
  /// Not an enum, and the time in two parts: padding would make the bytes of a checkpoint differ between runs. For the
  /// same reason, and to save memory, `hasWords` is a bit of the offset.
  private let subject: Int32

  private static let unknownTwig: Int32 = -1

  init(seq: Int64, time: EventTime, hasWords: Bool, sprout: Int) {
    self.init(seq: seq, time: time, hasWords: hasWords, subject: Int32(clamping: sprout))
  }

  /// - Parameter twig: its position in `Node.twigs`; `nil` if it isn't one of the 64.
  init(seq: Int64, time: EventTime, hasWords: Bool, twig: Int?) {
    self.init(
      seq: seq, time: time, hasWords: hasWords,
      subject: JournalEntry.unknownTwig - (twig.map { Int32($0) + 1 } ?? 0))
  }

  private init(seq: Int64, time: EventTime, hasWords: Bool, subject: Int32) {
    (self.seq, instant, self.subject) = (seq, time.instant, subject)
    offsetAndWords = time.offset << 1 | (hasWords ? 1 : 0)
  }

  public var time: EventTime { EventTime(instant, offset: offsetAndWords >> 1) }

  /// Whether its text has more than white space.
  public var hasWords: Bool { offsetAndWords & 1 == 1 }

  /// The position of its sprout in `Garden.sprouts`; `nil` for a reflection.
  public var sprout: Int? { subject < 0 ? nil : Int(subject) }

  /// The twig of a reflection; `nil` for a watering, and for a twig that isn't one of the 64.
  public var twig: Node? {
    let position = Int(JournalEntry.unknownTwig - subject) - 1
    return Node.twigs.indices.contains(position) ? Node.twigs[position] : nil
  }
}
