import Testing
import TrunkModel

struct PageDateTests {
  @Test(arguments: [
    "2024-01-09", "2024-02-29T23:58", "2024-03-10T01:40:05-05:00", "2024-05-01T09:20:00+05:30", "2013-05-04T21:30:00Z",
  ])
  func everyPrecisionIsKept(_ text: String) throws {
    #expect(try #require(PageDate(text)).description == text)
  }

  @Test(arguments: [
    "", "2024-1-9", "2023-02-29", "2024-01-09T", "2024-01-09T24:00", "2024-01-09T10:60", "2024-01-09T10:00:",
    "2024-01-09T10:00:5", "2024-01-09T10:00:61", "2024-01-09T10:00+2", "2024-01-09T10:00z", "2024-01-09 10:00",
  ])
  func everythingElseIsRefused(_ text: String) {
    #expect(PageDate(text) == nil)
  }

  @Test func onlyAnInstantMovesIntoTheReadersZone() throws {
    let east = Zone(identifier: "East", offset: 7200, changes: [])
    let expected = try #require(Day(year: 2024, month: 1, day: 9))
    for text in ["2024-01-09", "2024-01-09T23:30", "2024-01-09T23:30-05:00"] {
      #expect(try #require(PageDate(text)).day(in: east) == expected)
    }
    #expect(try #require(PageDate("2024-01-09T23:30Z")).day(in: east) == expected.adding(days: 1))
  }
}
