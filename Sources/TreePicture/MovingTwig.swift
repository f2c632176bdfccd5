import Glibc
import TrunkModel
import VectorGraphics

/// A twig that an act moves, on a limb that stays still.
struct MovingTwig {
  let act: Act
  private let picture: TreePicture
  private let former: TreeState.Twig
  private let (branch, twig): (Int, Int)
  private let sproutID: String?
  /// The twig before and after the act.
  private let before, after: Spine

  init(
    _ act: Act, on picture: TreePicture, from former: TreeState.Twig, _ branch: Int, _ twig: Int, _ sproutID: String?
  ) {
    (self.act, self.picture, self.former, self.sproutID) = (act, picture, former, sproutID)
    (self.branch, self.twig) = (branch, twig)
    var state = picture.state
    state.branches[branch].twigs[twig] = former
    before = TreePlan(state, in: picture.plan.frame).limbs[branch].twigs[twig]
    after = picture.plan.limbs[branch].twigs[twig]
  }

  private var limb: TreePlan.Limb { picture.plan.limbs[branch] }
  private var state: TreeState.Branch { picture.state.branches[branch] }
  private var wood: Wood { Wood(palette: picture.palette, plan: picture.plan) }
  private var hasNewSun: Bool { act == .sun && state.twigs[twig].suns.last.map { $0 != former.suns.last } == true }
  private var growth: Sector.Growth { Sector.Growth(side: limb.side(ofTwig: twig), twig: twig) }

  /// Points of all that grows on the twig before the act or after it.
  func points(isAfter: Bool) -> [Point] {
    let spine = isAfter ? after : before
    var foliage = foliage(at: isAfter ? act.end : 0, closeUp: 1)
    var points = spine.points
    points += foliage.draw(
      isAfter ? state.twigs[twig] : former, of: .twig(branch: branch, twig: twig), on: spine, growing: growth)
    for bounds in (foliage.behind.marks + foliage.front.marks).compactMap(\.path.bounds) {
      points += [
        Point(bounds.x, bounds.y), Point(bounds.right, bounds.y), Point(bounds.right, bounds.bottom),
        Point(bounds.x, bounds.bottom),
      ]
    }
    return points
  }

  /// The bark where the twig leaves its limb.
  var base: [Point] {
    [-0.1, 0.04].map { limb.spine.point(at: min(max(limb.places[twig] + $0, 0), 1)) }
  }

  /// The direction of the limb there.
  var direction: Point { limb.spine.direction(at: limb.places[twig]) }

  /// What stays still, below the twig and above its base, with what grows on the other twigs behind it and in front.
  func still(closeUp: Double) -> (behind: Drawing, under: Drawing, over: Drawing, front: Drawing) {
    let (wood, age) = (wood, picture.state.age)
    var foliage = foliage(closeUp: closeUp)
    _ = foliage.draw(state, number: branch, on: limb, besides: twig)
    var bark = wood.limb(branch)
    var branchState = state
    if hasNewSun { branchState.twigs[twig].suns.removeLast() }
    bark.append(wood.lichen(of: branch, branchState))
    return (
      Drawing([wood.shoots(of: branch, state, age: age, besides: twig), foliage.behind]),
      wood.twigs(of: branch, besides: twig), Drawing([bark, picture.trunk]), foliage.front
    )
  }

  private func foliage(at time: Double? = nil, closeUp: Double) -> Foliage {
    var foliage = Foliage(
      picture.palette, in: limb.sector, unit: picture.leafUnit, isResting: picture.state.isResting, closeUp: closeUp)
    foliage.moment = time.map { Moment(act: act, pose: Pose(act, at: $0), sproutID: sproutID, former: former) }
    return foliage
  }

  /// The marks at a time.
  /// - Parameter view: what is on the screen.
  func marks(at time: Double, _ camera: Camera, in view: Rectangle) -> ActStage.Marks {
    let pose = Pose(act, at: time)
    let spine = before.mixed(with: after, pose.growth)
    var foliage = foliage(at: time, closeUp: camera.scale)
    _ = foliage.draw(state.twigs[twig], of: .twig(branch: branch, twig: twig), on: spine, growing: growth)
    let bare = wood.shoots(
      of: branch, state, age: picture.state.age, on: spine, twig: twig, former: former, growth: pose.growth)
    var marks = ActStage.Marks(under: Drawing([bare, foliage.behind, wood.draw([spine])]), over: foliage.front)
    if hasNewSun, let lobe = wood.newestLobe(of: branch, twig: twig, state, size: max(pose.lichen, 0.01)) {
      var lichen = Drawing()
      if pose.lichen > 0 { lichen.fill(lobe, picture.palette.gold) }
      marks.over = Drawing([lichen, marks.over])
      if pose.light > 0, let place = lobe.bounds?.center {
        marks.over.append(light(on: place, pose, camera, in: view))
      }
    }
    if let seed = pose.seed { marks.over.append(self.seed(at: seed, along: spine, camera)) }
    return marks
  }
}

extension MovingTwig {
  /// The light that falls from the upper left on a place of the bark.
  private func light(on place: Point, _ pose: Pose, _ camera: Camera, in view: Rectangle) -> Drawing {
    var drawing = Drawing()
    let target = camera.place(of: place)
    let falling = Point(0.5, 0.87).unit
    // From above the picture to a little below the place.
    let start = target - falling * ((target.y + 30) / falling.y)
    let end = start + falling * (((target - start).length + 46) * pose.reach)
    let color = picture.palette.pollen.mixed(with: picture.palette.glow, 0.25)
    // Wider at its end, and weaker at its sides. More layers would be so weak that their colour is lost.
    for near in [30.0, 44] {
      let far = near * 1.8
      let below = end + falling * 40
      let corners = [
        start - Point(near, 0), start + Point(near, 0), below + Point(far, 0), below - Point(far, 0),
      ].map { camera.point(at: $0) }
      let beam = Path { path in
        path.move(to: corners[0])
        for corner in corners.dropFirst() { path.line(to: corner) }
        path.close()
      }
      drawing.fill(
        beam,
        .linear(
          from: camera.point(at: start), to: camera.point(at: end), first: color.faded(to: 0.34 * pose.light),
          last: color.faded(to: 0)))
    }
    return drawing
  }

  /// The seed, which hops along the limb and runs into the tip of the twig, and its trace.
  private func seed(at place: Double, along twig: Spine, _ camera: Camera) -> Drawing {
    var drawing = Drawing()
    let size = max(picture.leafUnit * 0.05, 2.6 / camera.scale)
    for number in (1...6).reversed() {
      let behind = place - 0.07 * Double(number)
      guard behind > 0 else { continue }
      let dot = position(behind, along: twig, lift: size)
      drawing.fill(
        .circle(dot.point, radius: size * 0.22), picture.palette.scar.faded(to: 0.9 - 0.13 * Double(number)))
    }
    let (point, direction) = position(place, along: twig, lift: size)
    // It appears, and gets smaller as it enters the bud.
    let shown = size * (1 - 0.6 * max(place - 1.6, 0) / 0.4) * min(place / 0.15, 1)
    drawing.fill(
      .ellipse(point, direction * (shown * 1.25), direction.normal * (shown * 0.8)), picture.palette.woodDark)
    drawing.fill(
      .ellipse(
        point + Point(-0.2, -0.25) * shown, direction * (shown * 0.6), direction.normal * (shown * 0.3)),
      picture.palette.woodLight.faded(to: 0.8))
    return drawing
  }

  /// Where the seed is: 0…1 on the way along the limb, 1…2 along the twig.
  private func position(_ place: Double, along twig: Spine, lift: Double) -> (point: Point, direction: Point) {
    let (end, start) = (limb.places[self.twig], max(limb.places[self.twig] - 0.4, 0.16))
    if place < 1 {
      let share = start + (end - start) * place
      let direction = limb.spine.direction(at: share)
      // On the upper side, in three hops that get lower.
      let up = direction.normal.y < 0 ? direction.normal : direction.normal * -1
      let height = limb.spine.width(at: share) / 2 + lift * (0.8 + 1.8 * abs(sin(place * 3 * .pi)) * (1 - place))
      return (limb.spine.point(at: share) + up * height, direction)
    }
    let direction = twig.direction(at: place - 1)
    let up = direction.normal.y < 0 ? direction.normal : direction.normal * -1
    return (twig.point(at: place - 1) + up * (lift * 0.9 * (2 - place)), direction)
  }
}
