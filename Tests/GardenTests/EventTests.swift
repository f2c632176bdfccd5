import Testing

@testable import Garden

@Test func clientIDsHaveEightDigits() {
  #expect(Event.clientID(at: Instant(milliseconds: 0), random: 7) == "1970-01-01T00:00:00.000Z-00000007")
}
