import Testing
import VectorGraphics

@Suite struct VectorGraphicsTests {
  private let corners = [Point(0, 0), Point(10, 0), Point(10, 10), Point(0, 10)]

  @Test func aSmoothLinePassesThroughItsPoints() {
    for (path, count) in [(Path.open(through: corners), 3), (Path.closed(through: corners), 4)] {
      let ends = path.elements.compactMap { element -> Point? in
        switch element {
        case .move(let point), .curve(_, _, let point): point
        case .line, .close: nil
        }
      }
      #expect(ends == Array((corners + corners).prefix(count + 1)))
    }
    #expect(Path.closed(through: Array(corners.prefix(2))).elements.isEmpty, "two points enclose nothing")
    #expect(Path.open(through: []).bounds == nil)
  }

  @Test func theBoundsOfACircleAreASquare() throws {
    let bounds = try #require(Path.circle(Point(3, 4), radius: 2).bounds)
    for (value, wanted) in [(bounds.x, 1.0), (bounds.y, 2), (bounds.width, 4), (bounds.height, 4)] {
      #expect(abs(value - wanted) < 1e-9)
    }
  }

  @Test func adjacentRectanglesDoNotOverlap() {
    let one = Rectangle(x: 0, y: 0, width: 2, height: 2)
    let beside = Rectangle(x: 2, y: 0, width: 2, height: 2)
    #expect(!one.overlaps(beside))
    #expect(one.overlaps(beside.grown(by: 0.1)))
    #expect(one.contains(Point(2, 2)) && !one.contains(beside))
  }

  @Test func vectorsTurnClockwise() {
    #expect(Point(1, 0).normal == Point(0, 1))
    let turned = Point(1, 0).turned(by: .pi / 2)
    #expect((turned - Point(0, 1)).length < 1e-9)
    #expect(Point(0, 0).unit == Point(0, 0))
    #expect(Point(3, 4).unit.length == 1)
  }

  @Test func coloursMixInEachComponent() {
    #expect(Color(0xFF0080).mixed(with: Color(0x00FF80), 0.5).red == 0.5)
    #expect(Color(0xFFFFFF, alpha: 0.5).faded(to: 0.5).alpha == 0.25)
    let gray = Color(0x3366CC).gray
    #expect(gray.red == gray.green && gray.green == gray.blue)
  }

  @Test func theFirstLayerIsAtTheBottom() {
    var (bottom, top) = (Drawing(), Drawing())
    bottom.fill(.circle(Point(0, 0), radius: 1), Color(0x112233))
    top.stroke(.open(through: corners), Color(0x445566), width: 2)
    let both = Drawing([bottom, top])
    #expect(both.marks == bottom.marks + top.marks)
    #expect(both.marks.first?.fill == .color(Color(0x112233)) && both.marks.last?.stroke?.width == 2)
  }
}
