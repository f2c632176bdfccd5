import TrunkModel

/// What Today shows while a garden is new. Days are reset days, counted from the first planting.
public struct FirstDays: Sendable, Equatable {
  /// The reset days since the first planting; `nil` before it.
  public let day: Int?

  public init(day: Int?) { self.day = day }

  /// Whether Today is the form for planting.
  public var isBeforePlanting: Bool { day == nil }

  /// Whether the greeting asks for a name, and the first sprout is shown with its question: on the day of planting.
  public var isFirst: Bool { day == 0 }

  /// Whether the soil and the drops are shown.
  public var showsMeters: Bool { isOver(0) }

  /// Whether the sun is shown.
  public var showsSun: Bool { isOver(1) }

  /// Whether the words of the day before are shown. A week later, the same days of earlier weeks take their place.
  public var showsYesterday: Bool { isOver(0) && !isOver(6) }

  private func isOver(_ last: Int) -> Bool { day.map { $0 > last } ?? false }
}

extension Garden {
  /// How new the garden is on the reset day of `now`. A clock that was set back counts as the day of planting.
  public func firstDays(at now: Instant) -> FirstDays {
    FirstDays(day: sprouts.first.map { max(0, Int($0.plantedAt.day.distance(to: zone.dayKey(now)))) })
  }

  /// What was written on the reset day before that of `now`, in the order of writing.
  public func wroteYesterday(at now: Instant) -> [JournalEntry] {
    let yesterday = zone.dayKey(now).adding(days: -1)
    return journal.filter { $0.time.day == yesterday && $0.hasWords }
  }
}

extension Garden {
  /// The number of entries in the journal: waterings, reflections and harvests.
  public var entryCount: Int { journal.count + sprouts.count { $0.harvest != nil } }

  /// Whether nothing was ever planted or written.
  public var isEmpty: Bool { sprouts.isEmpty && journal.isEmpty }
}
