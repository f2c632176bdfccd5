import CGtk
import GtkKit
import TrunkKit
import WidgetTestSupport
import XCTest

@testable import TrunkApp

/// Zooming moves like a camera, and nothing moves afterwards.
final class TreeCameraTests: WidgetTestCase {
  func testANewDestinationStartsFromTheCurrentPosition() throws {
    try withCanvas { canvas, _ in
      setAnimations(true)
      let scene = try XCTUnwrap(canvas.scene)
      let destination = scene.picture.camera(for: 2)
      let zoom = try XCTUnwrap(canvas.zoom)
      // On a busy computer, the first frame may come after the usual time.
      zoom.duration = 60_000
      canvas.enter(2)
      waitFor("the camera to move") { canvas.camera != .whole }
      let position = canvas.camera
      XCTAssertNotEqual(position, destination)
      XCTAssertTrue(zoom.isRunning)
      zoom.duration = 50
      canvas.enter(5)
      XCTAssertEqual(canvas.camera, position, "the camera must not jump")
      waitFor("the other branch") { !zoom.isRunning }
      XCTAssertEqual(canvas.camera, scene.picture.camera(for: 5))
      zoom.duration = 60_000
      canvas.enter(6)
      waitFor("the camera to move") { canvas.camera != scene.picture.camera(for: 5) }
      let back = canvas.camera
      zoom.duration = 50
      XCTAssertTrue(canvas.leave())
      XCTAssertEqual(canvas.camera, back)
      waitFor("the whole tree") { canvas.camera == .whole }
    }
  }

  func testZoomingTakesAtMost420Milliseconds() throws {
    try withCanvas { canvas, _ in
      setAnimations(true)
      XCTAssertLessThanOrEqual(TreeCanvas.zoomTime, 420)
      let start = g_get_monotonic_time()
      canvas.enter(1)
      waitFor("the end") { canvas.zoom?.isRunning == false }
      // A busy computer may need longer for the last frame, but no animation is shorter than it should be.
      XCTAssertGreaterThan(Int(g_get_monotonic_time() - start), TreeCanvas.zoomTime * 1000 / 2)
    }
  }

  func testTheCameraJumpsWithReducedMotion() throws {
    try withCanvas { canvas, _ in
      setAnimations(false)
      defer { setAnimations(true) }
      let scene = try XCTUnwrap(canvas.scene)
      canvas.enter(3)
      XCTAssertEqual(canvas.camera, scene.picture.camera(for: 3))
      XCTAssertEqual(canvas.zoom?.isRunning, false)
      XCTAssertTrue(canvas.leave())
      XCTAssertEqual(canvas.camera, .whole)
    }
  }

  func testAFormIsPaintedBeforeItsTree() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      let canvas = TreeCanvas(garden.context, onPick: { _ in })
      var isInFirstFrame: Bool?
      canvas.widget.onFirstFrame { isInFirstFrame = canvas.painted != nil }
      garden.present(canvas.widget)
      waitFor("the tree") { canvas.painted != nil }
      XCTAssertEqual(isInFirstFrame, false)
    }
  }

  /// Neither the whole tree nor a branch moves by itself, so the main loop has nothing to do.
  func testAnIdleTreeCausesNoWakeups() throws {
    try withCanvas { canvas, _ in
      setAnimations(true)
      XCTAssertNil(nextWakeup(), "the whole tree")
      canvas.enter(4)
      waitFor("the end") { canvas.zoom?.isRunning == false }
      XCTAssertNil(nextWakeup(), "a branch")
      canvas.enter(0)
      XCTAssertNotNil(nextWakeup(settles: false), "a camera that moves")
    }
  }

  private func withCanvas(_ body: @MainActor (TreeCanvas, GardenWindow) throws -> Void) throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      let canvas = TreeCanvas(garden.context)
      garden.present(canvas.widget)
      waitFor("the picture") { canvas.scene != nil && canvas.painted != nil }
      try body(canvas, garden)
    }
  }
}

/// When the main loop would wake up without input, in milliseconds; `nil` if not within the next 5 seconds.
/// - Parameter settles: whether what was already requested is done first.
@MainActor private func nextWakeup(settles: Bool = true) -> Int32? {
  let loop = g_main_context_default()
  func query() -> Int32? {
    while g_main_context_pending(loop) != 0 { g_main_context_iteration(loop, 0) }
    guard g_main_context_acquire(loop) != 0 else { return 0 }
    defer { g_main_context_release(loop) }
    var priority: gint = 0
    g_main_context_prepare(loop, &priority)
    var wait: gint = 0
    _ = g_main_context_query(loop, gint.max, &wait, nil, 0)
    return wait < 0 || wait > 5000 ? nil : wait
  }
  var next = query()
  // First paints the frames that were requested and runs the timers that the start has set. A repeating timer would
  // never end.
  let deadline = g_get_monotonic_time() + 20_000_000
  while settles, next != nil, g_get_monotonic_time() < deadline {
    g_main_context_iteration(loop, 1)
    next = query()
  }
  return next
}
