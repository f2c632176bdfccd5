import CPango
import CairoKit
import Testing

@Suite struct SurfaceTests {
  @Test(arguments: zip(Surface.Format.allCases, ["<?xml", "\u{89}PNG", "%PDF"]))
  func aSurfaceEndsAsAFileOfItsFormat(format: Surface.Format, beginning: String) throws {
    let surface = try Surface(format, width: 40, height: 30)
    cairo_rectangle(surface.cairo, 5, 5, 20, 10)
    cairo_fill(surface.cairo)
    let bytes = try surface.finish()
    #expect(bytes.starts(with: beginning.unicodeScalars.map { UInt8($0.value) }))
    #expect(bytes.count > 100)
  }

  @Test func aPictureThatIsTooLargeIsAnError() {
    #expect(throws: Surface.Failure.self) { try Surface(.png, width: 100_000, height: 10) }
  }
}
