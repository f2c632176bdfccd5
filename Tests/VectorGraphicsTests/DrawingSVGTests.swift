import Testing
import VectorGraphics

@Suite struct DrawingSVGTests {
  @Test func marksBecomePaths() {
    var drawing = Drawing()
    drawing.fill(.polygon([Point(0, 0), Point(1.26, 0), Point(0, 2)]), Color(0xFF8000, alpha: 0.5))
    drawing.stroke(.line(from: Point(0, 0), to: Point(-3, 4)), Color(0), width: 0.256)
    let svg = drawing.svg(width: 10, height: 20, id: "a")
    #expect(svg.contains("viewBox=\"0 0 10 20\""))
    #expect(svg.contains("<path d=\"M0 0L1.3 0L0 2Z\" fill=\"#ff8000\" fill-opacity=\"0.5\"/>"))
    #expect(svg.contains("<path d=\"M0 0L-3 4\" fill=\"none\" stroke=\"#000000\" stroke-width=\"0.26\"/>"))
  }

  @Test func gradientsHaveNamesOfTheirOwn() {
    var drawing = Drawing()
    drawing.fill(
      .circle(Point(1, 1), radius: 1), .radial(center: Point(1, 1), radius: 1, inner: Color(0), outer: Color(0xFFFFFF)))
    let svg = drawing.svg(width: 2, height: 2, id: "b")
    #expect(svg.contains("<radialGradient id=\"b-0\"") && svg.contains("fill=\"url(#b-0)\""))
    #expect(svg.contains("<stop stop-color=\"#000000\"/><stop offset=\"1\" stop-color=\"#ffffff\"/>"))
  }
}
