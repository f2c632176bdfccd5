import CGtk
import GtkKit
import WidgetTestSupport
import XCTest

final class DropTests: WidgetTestCase {
  func testDroppedFilesGiveTheirAddresses() throws {
    try MainActor.assumeIsolated {
      let content = bin()
      let kept = Reference(retaining: content)
      var dropped: [String] = []
      content.onDrop { dropped = $0 }
      try drop(["/tmp/a garden.json", "/tmp/b.json"], onto: content)
      XCTAssertEqual(dropped, ["file:///tmp/a%20garden.json", "file:///tmp/b.json"])
      XCTAssertEqual(dropped.map(localPath), ["/tmp/a garden.json", "/tmp/b.json"])
      XCTAssertNil(localPath(ofAddress: "https://example.org/b.json"))
      withExtendedLifetime(kept) {}
    }
  }
}
