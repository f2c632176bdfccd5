import Testing
import TrunkModel
import VectorGraphics

@testable import TreePicture

@Suite struct RadarTests {
  private let picture: TreePicture

  init() {
    var random = SeededRandom(seed: 11)
    picture = TreePicture(.random(&random), width: 900, height: 600, palette: Palette(.light, yearShare: 0.4))
  }

  private let center = Point(450, 300)

  @Test func aHigherScoreIsFartherFromTheTrunk() {
    func distance(_ score: Double) -> Double {
      (picture.radar([Double](repeating: score, count: 8)).corners[3] - center).length
    }
    let distances = [0, 0.2, 0.5, 1].map(distance)
    #expect(distances == distances.sorted() && Set(distances).count == 4)
    // Scores above 1 or below 0 would be outside the picture.
    #expect(distance(1.7) == distance(1))
    #expect(distance(-1) == distance(0))
  }

  @Test func cornersAreOnTheAxesOfTheirBranches() {
    let corners = picture.radar((0..<8).map { Double($0 + 1) / 8 }).corners
    #expect(corners[0].y < center.y && abs(corners[0].x - center.x) < 1e-9)
    #expect(corners[2].x > center.x && abs(corners[2].y - center.y) < 1e-9)
    #expect(corners[5].x < center.x && corners[5].y > center.y)
  }

  @Test func pointingFindsTheNearestCorner() {
    let radar = picture.radar([0.9, 0.1, 0.5, 0, 0.4, 1, 0.3, 0.6])
    for (branch, corner) in radar.corners.enumerated() {
      #expect(radar.branch(at: corner + Point(3, -2), within: 14) == branch)
    }
    #expect(radar.branch(at: Point(5, 5), within: 14) == nil)
  }

  @Test func theSelectedCornerStandsOut() {
    let (radar, palette) = (picture.radar([Double](repeating: 0.5, count: 8)), Palette(.dark, yearShare: nil))
    let color = Color(0xC89860)
    #expect(radar.drawing(palette, color: color) != radar.drawing(palette, color: color, selected: 2))
  }
}
