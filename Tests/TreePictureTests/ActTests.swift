import CPango
import CairoKit
import Testing
import TrunkModel
import VectorGraphics

@testable import TreePicture

@Suite struct ActTests {
  private let palette = Palette(.light, yearShare: nil)
  private static let size = (width: 520.0, height: 190.0)

  /// An act on a twig: the tree before and after it.
  struct Play: CustomTestStringConvertible {
    let act: Act
    let name: String
    let before, after: TreeState
    let twig: Node
    let sproutID: String?
    var testDescription: String { name }
  }

  private static func play(
    _ act: Act, _ name: String, days: Double, twig: Int, _ sproutID: String?,
    _ change: (inout YoungGarden, Double) -> Void
  ) -> Play {
    let before = YoungGarden(days: days)
    var after = before
    change(&after, days)
    func state(_ young: YoungGarden) -> TreeState { TreeState(Garden(young.events, zone: .utc), at: young.now) }
    return Play(
      act: act, name: name, before: state(before), after: state(after), twig: Node.twigs[twig], sproutID: sproutID)
  }

  static let plays = [
    play(.planting, "planting on a bare twig", days: 91.2, twig: 61, "swim") {
      $0.plant("swim", on: 61, .oneMonth, day: $1)
    },
    play(.planting, "planting beside leaves", days: 91.2, twig: 10, "viola") {
      $0.plant("viola", on: 10, .oneMonth, day: $1)
    },
    play(.planting, "continuing a leaf", days: 31.5, twig: 10, "again") {
      $0.plant("again", on: 10, .oneMonth, day: $1, leaf: "cello")
    },
    play(.sun, "sun on a bare twig", days: 91.2, twig: 60, nil) { $0.shine(on: 60, day: $1) },
    play(.sun, "sun on a leaf", days: 91.2, twig: 10, nil) { $0.shine(on: 10, day: $1) },
    play(.harvest, "harvest", days: 30.5, twig: 10, "cello") { $0.harvest("cello", 4, day: $1) },
    play(.harvest, "second harvest", days: 63.9, twig: 10, "second cello") { $0.harvest("second cello", 2, day: $1) },
    play(.uprooting, "uprooting", days: 91.2, twig: 21, "singing") { $0.uproot("singing", day: $1) },
    play(.uprooting, "keeping the idea", days: 91.2, twig: 35, "letters") {
      $0.uproot("letters", day: $1)
      $0.note("kept", on: 35, day: $1)
    },
  ]

  private func stage(_ play: Play, onLimb: Bool = false) throws -> ActStage {
    try #require(
      ActStage(
        play.act, from: play.before, to: play.after, twig: play.twig, sproutID: play.sproutID,
        width: ActTests.size.width, height: ActTests.size.height, palette: palette,
        limb: onLimb ? (fontSize: 14, camera: nil) : nil))
  }

  private func frame(_ stage: ActStage, at time: Double) throws -> Image {
    let marks = stage.marks(at: time)
    return try Image(
      Drawing([stage.around, stage.under, marks.under, stage.over, marks.over]), stage.camera(at: time),
      ActTests.size.width, ActTests.size.height, palette)
  }

  @Test(arguments: Act.allCases) func anActTakesAtMostAMomentAndEndsInTheStillPicture(act: Act) {
    #expect((700...1400).contains(act.end))
    #expect(Pose(act, at: act.end) == Pose())
    #expect(Pose(act, at: .infinity) == Pose())
    #expect(Pose(act, at: 0) != Pose())
    #expect(act.words(at: act.end) == 1)
    for time in stride(from: 0, to: act.end, by: 10) {
      let (pose, next) = (Pose(act, at: time), Pose(act, at: time + 10))
      #expect(pose.settling <= next.settling && pose.growth <= next.growth && pose.colouring <= next.colouring)
      #expect((pose.seed ?? 0) <= (next.seed ?? 2) && (pose.drop ?? 0) <= (next.drop ?? 2))
      // Nothing jumps from one frame to the next.
      for value: KeyPath<Pose, Double> in [\.newLeaf, \.unfolding, \.opening, \.lichen, \.light, \.stem, \.bud] {
        #expect(abs(pose[keyPath: value] - next[keyPath: value]) < 0.25, "\(act) at \(time)")
      }
    }
  }

  @Test func eachMarkMovesInItsTurn() {
    // A drop first reaches the shoot, then the place of today; only then a leaf opens there.
    #expect(Pose(.watering, at: 140).drop.map { $0 > 0.9 && $0 < 1.1 } == true)
    #expect(Pose(.watering, at: 370).newLeaf == 0)
    #expect(Pose(.watering, at: 500).drop == nil)
    #expect(Pose(.dayEnd, at: 400) == Pose())
    // The seed is on the limb, then in the bud, which opens at last.
    #expect(Pose(.planting, at: 250).seed.map { $0 > 0.3 && $0 < 1.3 } == true)
    #expect(Pose(.planting, at: 700).bud > 0.95)
    #expect(Pose(.planting, at: 700).opening <= 0)
    // Light comes before gold, and leaves before it ends.
    #expect(Pose(.sun, at: 300).lichen == 0)
    #expect(Pose(.sun, at: 300).light == 1)
    #expect(Pose(.sun, at: 800).lichen == 1)
    #expect(Pose(.harvest, at: 400).unfolding == 0)
    #expect(Pose(.harvest, at: 880).colouring == 0)
    #expect(Pose(.uprooting, at: 660).stem == 0)
    #expect(Pose(.uprooting, at: 660).berry == 0)
  }

  @Test(arguments: plays) func nothingPopsAtTheBeginningAndTheEnd(play: Play) throws {
    // What grows on the other twigs is at its place in front of the limb there.
    let stage = try stage(play, onLimb: true)
    let branch = try #require(play.twig.branch)
    var before = play.before
    // The limb takes its own bow later.
    before.branches[branch].oldestSprout = play.after.branches[branch].oldestSprout
    if play.act == .planting { before.branches[branch].oldestSprout = play.before.branches[branch].oldestSprout }
    for (state, time) in [(play.before, 0.0), (play.after, play.act.end)] {
      var state = state
      state.branches[branch].oldestSprout = before.branches[branch].oldestSprout
      state.branches[branch].invested = before.branches[branch].invested
      state.rings = play.after.rings
      let picture = TreePicture(
        state, width: ActTests.size.width, height: ActTests.size.height, palette: palette, fontSize: 14)
      let still = try Image(
        Drawing([picture.drawing(besides: branch), picture.drawing(of: branch, closeUp: stage.camera.scale)]),
        stage.camera, ActTests.size.width, ActTests.size.height, palette)
      let (mean, _) = still.difference(try frame(stage, at: time))
      #expect(mean < 0.15, "\(play.name) at \(time)")
    }
  }

  /// The limb lies on its side, and what the act is about is large.
  @Test(arguments: plays) func theTwigFillsThePicture(play: Play) throws {
    let stage = try stage(play)
    let branch = try #require(play.twig.branch)
    guard case .twig(_, let twig) = play.twig, play.act != .planting else { return }
    let picture = TreePicture(play.after, side: 900, turn: stage.turn, palette: palette)
    let spine = picture.plan.limbs[branch].spine
    #expect(spine.tip.x > spine.points[0].x)
    let shown = picture.twigs[branch][twig].map(stage.camera.place)
    let view = Rectangle(x: 0, y: 0, width: ActTests.size.width, height: ActTests.size.height)
    #expect(shown.allSatisfy(view.contains), "\(shown)")
    /// What moves, on the screen.
    func bounds(at time: Double) throws -> Rectangle {
      let marks = stage.marks(at: time)
      let parts = (marks.under.marks + marks.over.marks).compactMap(\.path.bounds)
      let corners = parts.flatMap { [Point($0.x, $0.y), Point($0.right, $0.bottom)] }
      return try #require(Path.open(through: corners.map(stage.camera(at: time).place)).bounds)
    }
    let (first, last) = (try bounds(at: 0), try bounds(at: play.act.end))
    // What was uprooted is gone at the end.
    let large = play.act == .uprooting ? first : last
    #expect(large.width >= 0.55 * view.width || large.height >= 0.7 * view.height, "\(large)")
    guard play.act == .harvest else { return }
    // The flower is in sight before the camera comes closer.
    #expect(view.contains(Point(first.x, first.y)) && view.contains(Point(first.right, first.bottom)), "\(first)")
    #expect(stage.camera(at: 0).scale <= stage.camera.scale)
  }

  @Test(arguments: plays) func itMovesUntilItsEnd(play: Play) throws {
    let stage = try stage(play)
    // Without an idea to keep, nothing comes after the mark.
    for time in stride(from: 0, to: play.act.end - 300, by: 100) {
      #expect(stage.marks(at: time) != stage.marks(at: time + 100), "\(time)")
    }
    #expect(stage.marks(at: play.act.end + 1) == stage.marks(at: .infinity))
  }

  @Test func aLeafOpensOnTheStrip() throws {
    let young = YoungGarden(days: 9.4)
    var watered = young
    watered.water("cello", day: 9.39)
    func leaflet(_ young: YoungGarden) throws -> TreeState.Leaflet {
      let state = TreeState(Garden(young.events, zone: .utc), at: young.now)
      let all = state.branches.flatMap(\.twigs).flatMap(\.leaves).flatMap(\.leaflets)
      return try #require(all.first { $0.sproutID == "cello" })
    }
    let (before, after) = (try leaflet(young), try leaflet(watered))
    let stage = ActStage(watering: .watering, from: before, to: after, width: 300, height: 56, palette: palette)
    func still(_ leaflet: TreeState.Leaflet) -> Drawing {
      SproutPicture(leaflet, width: 300, height: 56, palette: palette).drawing
    }
    func image(_ drawing: Drawing) throws -> Image { try Image(drawing, .whole, 300, 56, palette) }
    #expect(stage.marks(at: 700).over == still(after))
    #expect(try image(stage.marks(at: 0).over).pixels(unlike: image(still(before))) < 12)
    #expect(try image(stage.marks(at: 250).over).pixels(unlike: image(still(before))) > 20, "the drop")
  }

  @Test func theTreeOfADayLeavesNoSideEmpty() throws {
    let young = YoungGarden(days: 9.4)
    let state = TreeState(Garden(young.events, zone: .utc), at: young.now)
    for (width, height) in [(520.0, 190.0), (300, 190), (190, 400)] {
      let stage = ActStage(dayOf: ["bread", "cello"], state, width: width, height: height, palette: palette)
      let picture = TreePicture(state, width: width, height: height, palette: palette)
      let points = (Array(picture.twigs.joined().joined()) + picture.shoots.flatMap(\.stem)).map(stage.camera.place)
      for (places, length) in [(points.map(\.x), width), (points.map(\.y), height)] {
        let (first, last) = (try #require(places.min()), try #require(places.max()))
        let (before, after) = (first, length - last)
        if last - first < length - 30 {
          #expect(abs(before - after) < 10, "\(width) × \(height)")
        } else {
          #expect(before < 20 && after < 20, "\(width) × \(height)")
        }
      }
    }
  }

  @Test func onlyTodaysLeavesShimmer() throws {
    let young = YoungGarden(days: 9.4)
    let state = TreeState(Garden(young.events, zone: .utc), at: young.now)
    let one = ActStage(dayOf: ["cello"], state, width: 520, height: 400, palette: palette)
    let both = ActStage(dayOf: ["bread", "cello"], state, width: 520, height: 400, palette: palette)
    #expect(one.around != Drawing())
    #expect(both.around == Drawing(), "on two limbs, so all of the tree is shown")
    #expect(one.marks(at: 700).over.marks.isEmpty)
    #expect(one.marks(at: 900).over.marks.count == 2)
    #expect(both.marks(at: 900).over.marks.count == 2, "one after the other")
    #expect(both.marks(at: 1000).over.marks.count == 4)
    #expect(both.marks(at: 1400).over.marks.isEmpty)
  }
}
