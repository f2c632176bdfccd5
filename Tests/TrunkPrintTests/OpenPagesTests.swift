import Testing
import TrunkPrint

@Suite struct OpenPagesTests {
  @Test func theFirstAndTheLastPageLieAlone() {
    var open = OpenPages(count: 6)
    var seen = [open.shown]
    while !open.isAtEnd {
      open = open.turned(forward: true)
      seen.append(open.shown)
    }
    #expect(seen == [0...0, 1...2, 3...4, 5...5])
    #expect(open == open.turned(forward: true), "the last page stays")
    while !open.isAtStart { open = open.turned(forward: false) }
    #expect(open.shown == 0...0 && open == open.opened(at: 0))
  }

  @Test func aNarrowBookShowsEveryPage() {
    var open = OpenPages(count: 5, isSingle: true)
    var seen = [open.shown]
    while !open.isAtEnd {
      open = open.turned(forward: true)
      seen.append(open.shown)
    }
    #expect(seen == (0..<5).map { $0...$0 })
    open.isSingle = false
    #expect(open.shown == 3...4, "the page that was seen is on the left or right")
  }

  @Test func aBookWithMorePagesIsOpenAtTheSamePlace() {
    let open = OpenPages(count: 101, at: 50)
    #expect(open.moved(to: 101) == open)
    #expect(open.moved(to: 201).shown?.contains(100) == true)
    #expect(open.moved(to: 1).shown == 0...0)
    #expect(OpenPages(count: 0).shown == nil && OpenPages(count: 0).isAtEnd)
  }
}
