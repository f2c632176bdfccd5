import CGtk
import GtkKit
import WidgetTestSupport
import XCTest

final class MainQueueTests: WidgetTestCase {
  func testWorkHopsBetweenTheMainActorAndOthers() {
    MainActor.assumeIsolated {
      let result = Box()
      Task { @MainActor in
        for _ in 0..<100 { result.count = await Counter.shared.next() }
      }
      waitFor("a hundred hops") { result.count == 100 }
    }
  }

  func testTheIdleLoopDoesNotSpin() {
    MainActor.assumeIsolated {
      let result = Box()
      Task { @MainActor in result.count = 1 }
      waitFor("the last work") { result.count == 1 }
      let end = Timeout.after(milliseconds: 200) {}
      var turns = 0
      while end.isPending {
        g_main_context_iteration(nil, 1)
        turns += 1
      }
      // One turn for the end and a few for leftovers of other tests. A loop that spins makes tens of thousands.
      XCTAssertLessThan(turns, 30)
    }
  }
}

@MainActor private final class Box {
  var count = 0
}

private actor Counter {
  static let shared = Counter()
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}
