import Testing
import TrunkModel

@testable import TrunkApp

@MainActor @Suite struct WindowStateTests {
  @Test func aNewDayBeginsWithToday() throws {
    let day = try #require(Day(year: 2026, month: 11, day: 28))
    var state = WindowState()
    state.page = "journal"
    #expect(state.page(on: day) == "journal", "an earlier version saved no day")
    state.day = day.description
    #expect(state.page(on: day) == "journal")
    #expect(state.page(on: day.adding(days: 1)) == "today")
  }
}
