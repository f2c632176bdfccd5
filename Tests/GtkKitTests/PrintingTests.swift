import CGtk
import Foundation
import GtkKit
import WidgetTestSupport
import XCTest

final class PrintingTests: WidgetTestCase {
  func testPrintsEveryPageOnTheRequestedPaper() {
    MainActor.assumeIsolated {
      let file = NSTemporaryDirectory() + "printed-" + UUID().uuidString + ".pdf"
      defer { unlink(file) }
      var sizes: [[Int]] = []
      var drawn: [Int] = []
      var isPrinted: Bool?
      let handlers = liveHandlerCount
      show(label("Below")) { window in
        Task { @MainActor in
          do {
            isPrinted = try await printPages(over: window, name: "Pages", paper: "iso_a5", to: .file(file)) {
              sizes.append([Int($0.rounded()), Int($1.rounded())])
              return 3
            } draw: { page, cairo in
              drawn.append(page)
              cairo_rectangle(cairo, 10, 10, 20, 20)
              cairo_fill(cairo)
            }
          } catch {
            XCTFail("\(error)")
            isPrinted = false
          }
        }
        waitFor("the pages") { isPrinted != nil }
      }
      XCTAssertEqual(isPrinted, true)
      XCTAssertEqual(sizes, [[420, 595]])
      XCTAssertEqual(drawn, [0, 1, 2])
      XCTAssertEqual(FileManager.default.contents(atPath: file)?.starts(with: Data("%PDF".utf8)), true)
      XCTAssertEqual(liveHandlerCount, handlers)
    }
  }

  func testAFileThatCannotBeWrittenIsAnError() {
    MainActor.assumeIsolated {
      var failure: (any Error)?
      show(label("Below")) { window in
        Task { @MainActor in
          do {
            _ = try await printPages(over: window, name: "Pages", paper: "iso_a4", to: .file("/nowhere/pages.pdf")) {
              _, _ in
              1
            } draw: { _, _ in
            }
          } catch { failure = error }
        }
        waitFor("the error") { failure != nil }
      }
      XCTAssertTrue(failure is PrintError)
    }
  }
}
