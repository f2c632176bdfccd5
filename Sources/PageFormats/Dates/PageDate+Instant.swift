import TrunkModel

extension PageDate {
  /// What clocks showed at an instant.
  /// - Parameters:
  ///   - milliseconds: since 1970.
  ///   - zone: that of the writer; `nil` if it isn't known.
  init?(milliseconds: Double, zone: Zone?) {
    // The years 0000 to 9999.
    guard milliseconds > -62_167_219_200_000, milliseconds < 253_402_300_800_000 else { return nil }
    let instant = Instant(milliseconds: Int64(milliseconds.rounded(.down)))
    let (day, second) = (zone ?? .utc).local(instant)
    let offset = zone.map { $0.offset(at: instant) }
    // Before about 1900, clocks of many places were off by seconds, which no written offset has.
    self.init(
      day: day, second: Int32(second), hasSeconds: true,
      zoning: offset.map { .offset(Int16($0 / 60)) } ?? .utc)
  }

  /// The same instant in a zone; `nil` if this date isn't an instant.
  func moved(to zone: Zone) -> PageDate? {
    guard let second, zoning != .local else { return nil }
    var seconds = Int64(day.number) * 86_400 + Int64(second)
    if case .offset(let minutes) = zoning { seconds -= Int64(minutes) * 60 }
    return PageDate(milliseconds: Double(seconds) * 1000, zone: zone)
  }

  /// ISO 8601 as programs write it, with fractions, a space instead of `T`, and offsets without a colon.
  init?(iso text: String) {
    guard let date = PageDate(text) ?? WrittenDate(text, in: .nothing)?.pageDate() else { return nil }
    self = date
  }
}
