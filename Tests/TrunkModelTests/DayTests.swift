import Foundation
import TestSupport
import Testing

@testable import TrunkModel

@Suite struct DayTests {
  @Test func agreesWithFoundation() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    for number: Int32 in stride(from: -30_000, to: 60_000, by: 13) {
      let day = Day(number: number)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .weekday], from: Date(timeIntervalSince1970: Double(number) * 86_400))
      #expect([parts.year, parts.month, parts.day] == [Int(day.year), Int(day.month), Int(day.day)])
      #expect(parts.weekday == Int((day.weekday + 1) % 7 + 1))
      #expect(Day(year: day.year, month: day.month, day: day.day) == day)
      #expect(day.monday.weekday == 0 && day.monday <= day && day.number - day.monday.number < 7)
      for weekday: Int32 in 0..<7 {
        let start = day.weekStart(weekday)
        #expect(start.weekday == weekday && start <= day && day.number - start.number < 7)
      }
    }
  }

  @Test func monthsHaveTheRightLength() {
    for (year, length): (Int32, Int32) in [(2023, 28), (2024, 29), (1900, 28), (2000, 29), (2100, 28)] {
      #expect(Day(year: year, month: 2, day: length) != nil)
      #expect(Day(year: year, month: 2, day: length + 1) == nil)
    }
    #expect(Day(year: 2024, month: 4, day: 31) == nil)
    #expect(Day(year: 2024, month: 0, day: 1) == nil)
    #expect(Day(year: 2024, month: 13, day: 1) == nil)
    #expect(Day(year: 2024, month: 1, day: 0) == nil)
  }

  @Test(arguments: [
    ("2024-03-31", -1, "2024-02-29"), ("2023-03-31", -1, "2023-02-28"), ("2024-01-31", 1, "2024-02-29"),
    ("2024-01-15", -1, "2023-12-15"), ("2024-08-31", -6, "2024-02-29"), ("2024-12-31", 2, "2025-02-28"),
    ("2024-05-31", -3, "2024-02-29"), ("2024-02-29", 12, "2025-02-28"), ("2024-02-29", -48, "2020-02-29"),
  ])
  func monthsKeepTheDayOrEndWithTheirLast(from: String, months: Int32, to: String) throws {
    let day = try day(from)
    #expect(day.adding(months: months).description == to)
  }

  @Test func writesYearsWithAnyNumberOfDigits() {
    #expect(Day(year: 33, month: 4, day: 3)?.description == "0033-04-03")
    #expect(Day(year: 12_345, month: 4, day: 3)?.description == "+012345-04-03")
    #expect(Day(year: -1, month: 12, day: 31)?.description == "-000001-12-31")
  }
}
