import Testing
@testable import Garden
@Test func a() { #expect(1 == 1) }
