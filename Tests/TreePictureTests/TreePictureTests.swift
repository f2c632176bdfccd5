import TestSupport
import Testing
import TrunkModel
import VectorGraphics

@testable import TreePicture

@Suite struct TreePictureTests {
  private let palette = Palette(.light, yearShare: 0.4)

  private static let sizes: [(width: Double, height: Double)] = [
    (320, 400), (360, 520), (600, 900), (900, 600), (1280, 900), (2560, 1300),
  ]

  @Test func theSameTreeLooksTheSame() {
    var random = SeededRandom(seed: 1)
    let state = TreeState.random(&random)
    let pictures = (0..<2).map { _ in TreePicture(state, width: 900, height: 600, palette: palette) }
    #expect(pictures[0].drawing == pictures[1].drawing)
    #expect(!pictures[0].drawing.marks.isEmpty)
  }

  @Test(arguments: sizes) func aTreeWithoutNamesFillsItsView(width: Double, height: Double) throws {
    var random = SeededRandom(seed: 9)
    let young = YoungGarden(days: 10)
    let states = [TreeState(Garden(young.events, zone: .utc), at: young.now), .random(&random), .random(&random)]
    for state in states {
      let picture = TreePicture(state, width: width, height: height, palette: palette)
      let camera = Camera(filling: picture)
      let corners = picture.drawing.marks.compactMap(\.path.bounds)
        .flatMap { [Point($0.x, $0.y), Point($0.right, $0.bottom)] }.map(camera.place)
      let (across, down) = (corners.map(\.x), corners.map(\.y))
      let (left, right) = (try #require(across.min()), try #require(across.max()))
      let (top, bottom) = (try #require(down.min()), try #require(down.max()))
      if camera.scale > 1 { #expect(left >= 0 && top >= 0 && right <= width && bottom <= height) }
      // A young tree stays smaller than an old one.
      #expect(camera.scale > 1.3 || right - left > width - 24 || bottom - top > height - 24, "\(camera)")
    }
  }

  @Test(arguments: sizes) func namesNeverOverlapAndStayInTheView(width: Double, height: Double) {
    var random = SeededRandom(seed: 2)
    let view = Rectangle(x: 0, y: 0, width: width, height: height)
    for _ in 0..<2500 {
      // From small letters to those of twice the usual size.
      let labels = LabelLayout(
        fontSize: Double.random(in: 9...30, using: &random), width: width, height: height,
        growth: Double.random(in: 0.6...1, using: &random)
      ).places.map(\.rectangle)
      for (index, label) in labels.enumerated() {
        #expect(view.contains(label), "\(labels)")
        #expect(!labels[..<index].contains { $0.overlaps(label) }, "\(labels)")
      }
    }
  }

  @Test(arguments: sizes) func namesOfTwigsNeverOverlapAndStayInTheView(width: Double, height: Double) {
    var random = SeededRandom(seed: 3)
    let view = Rectangle(x: 0, y: 0, width: width, height: height)
    for _ in 0..<12 {
      let picture = TreePicture(.random(&random), width: width, height: height, palette: palette, fontSize: 14)
      for branch in 0..<8 {
        let lineHeight = Double.random(in: 16...36, using: &random)
        let names = (0..<8).map { _ in
          LabelSize(
            width: Double.random(in: 20...min(width * 0.42, lineHeight * 8), using: &random), height: lineHeight * 2)
        }
        let labels = picture.twigLabels(of: branch, sizes: names)
        for (index, label) in labels.enumerated() {
          #expect(view.contains(label))
          #expect(!labels[..<index].contains { $0.overlaps(label) }, "\(labels)")
        }
      }
    }
  }

  @Test(arguments: sizes) func theTreeStaysInTheView(width: Double, height: Double) throws {
    var random = SeededRandom(seed: 4)
    let view = Rectangle(x: 0, y: 0, width: width, height: height)
    for _ in 0..<25 {
      let picture = TreePicture(
        .random(&random), width: width, height: height, palette: palette,
        fontSize: Bool.random(using: &random) ? Double.random(in: 9...30, using: &random) : nil)
      for mark in picture.drawing.marks {
        let bounds = try #require(mark.path.bounds)
        #expect(view.contains(bounds), "\(bounds)")
      }
    }
  }

  @Test(arguments: [0.3, 9.4, 40.3, 91.2]) func aYoungTreeIsLarge(days: Double) throws {
    let young = YoungGarden(days: days)
    let state = TreeState(Garden(young.events, zone: .utc), at: young.now)
    for (width, height) in [(900.0, 820.0), (430, 800), (360, 620), (1030, 800)] {
      let view = Rectangle(x: 0, y: 0, width: width, height: height)
      let picture = TreePicture(state, width: width, height: height, palette: palette, fontSize: 14)
      for mark in picture.drawing.marks {
        let bounds = try #require(mark.path.bounds)
        #expect(view.contains(bounds), "\(width) \(bounds)")
      }
      let names = picture.places.map(\.rectangle)
      let leaves = picture.twigs.joined().joined() + picture.shoots.flatMap(\.stem)
      #expect(!leaves.contains { leaf in names.contains { $0.contains(leaf) } })
      let corners = names.flatMap { [Point($0.x, $0.y), Point($0.right, $0.bottom)] }
      let whole = try #require(Path.open(through: corners + leaves).bounds)
      #expect(max(whole.width, whole.height) >= 0.8 * min(width, height), "\(whole)")
      let wood = try #require(Path.open(through: picture.plan.limbs.flatMap(\.spine.points)).bounds)
      #expect(max(wood.width, wood.height) >= 0.55 * min(width, height), "\(wood)")
    }
  }

  /// A new sprout changes its own leaf and the thickness of its limb.
  @Test func aNewSproutMovesNothingElse() {
    var random = SeededRandom(seed: 5)
    for _ in 0..<20 {
      let before = TreeState.random(&random)
      var after = before
      after.add(.random(&random), to: 99, branch: 3, twig: 4)
      let frame = LabelLayout(fontSize: nil, width: 900, height: 600, growth: 1).frame
      let (first, second) = (TreePlan(before, in: frame), TreePlan(after, in: frame))
      for branch in 0..<8 where branch != 3 {
        #expect(first.limbs[branch].spine == second.limbs[branch].spine)
        #expect(first.limbs[branch].twigs == second.limbs[branch].twigs)
      }
      for twig in 0..<8 where twig != 4 {
        #expect(first.limbs[3].twigs[twig].points == second.limbs[3].twigs[twig].points)
      }
      #expect(first.limbs[3].spine.points == second.limbs[3].spine.points)
      // Earlier leaves of the twig stay, too, once it has any.
      guard !before.branches[3].twigs[4].leaves.isEmpty else { continue }
      #expect(first.limbs[3].twigs[4].points == second.limbs[3].twigs[4].points)
    }
  }

  /// Leaves turn away from their limb, so the side of each twig must be right.
  @Test func twigsAreOnAlternatingSides() {
    var random = SeededRandom(seed: 10)
    for _ in 0..<20 {
      let plan = TreePlan(.random(&random), in: LabelLayout(fontSize: nil, width: 900, height: 600, growth: 1).frame)
      for limb in plan.limbs {
        let sides = (0..<8).map(limb.side)
        #expect(sides[7] == 0)
        for twig in 1..<7 { #expect(sides[twig] == -sides[twig - 1]) }
      }
    }
  }

  /// Each line of growth is that of a twig and the leaf at its tip.
  @Test(arguments: sizes) func linesOfGrowthDontCross(width: Double, height: Double) {
    var random = SeededRandom(seed: 12)
    let plan = TreePlan(
      .random(&random), in: LabelLayout(fontSize: nil, width: width, height: height, growth: 1).frame)
    for limb in plan.limbs {
      let lines = (0..<7).map { twig in
        limb.sector.line(
          from: limb.twigs[twig].points[0], Sector.Growth(side: limb.side(ofTwig: twig), twig: twig),
          length: plan.frame.unit * 0.5, steps: 20, reach: 0)
      }
      for (index, line) in lines.enumerated() {
        for other in lines[..<index] { #expect(!crosses(line, other)) }
        #expect(!crosses(Array(line.dropFirst()), limb.spine.points))
      }
    }
  }

  private func crosses(_ line: [Point], _ other: [Point]) -> Bool {
    func side(_ point: Point, of start: Point, _ end: Point) -> Bool {
      (end.x - start.x) * (point.y - start.y) > (end.y - start.y) * (point.x - start.x)
    }
    return zip(line, line.dropFirst()).contains { start, end in
      zip(other, other.dropFirst()).contains { first, second in
        side(first, of: start, end) != side(second, of: start, end)
          && side(start, of: first, second) != side(end, of: first, second)
      }
    }
  }

  @Test func leafletsArePairsBesideTheRachis() throws {
    var random = SeededRandom(seed: 13)
    var leaf = TreeState.Leaf(id: "leaf", leaflets: [])
    var length = 0.0
    for count in 1...30 {
      leaf.leaflets.append(
        .init(sproutID: "\(count)", season: .random(&random), stage: .harvested(result: count % 5 + 1)))
      let form = CompoundLeaf(leaf, unit: 100)
      if count > 3 { #expect(form.length > length, "a leaf grows with its leaflets") }
      length = form.length
      #expect(form.positions.count == count)
      #expect(form.positions.count { $0.side == 0 } == count % 2)
      for side in [-1.0, 1] {
        let row = form.positions.filter { $0.side == side }
        // A leaflet is at most 0.5 as wide as it is long, and leans towards the tip.
        for (first, second) in zip(row, row.dropFirst()) {
          #expect(second.distance - first.distance > 0.25 * (first.length + second.length))
        }
      }
    }
    leaf.leaflets.removeLast()
    #expect(CompoundLeaf(leaf, unit: 100).positions.last?.side == 0)
    leaf.leaflets.append(.init(sproutID: "new", season: .oneYear, stage: .growing(progress: 0)))
    let form = CompoundLeaf(leaf, unit: 100)
    #expect(form.positions.allSatisfy { $0.side != 0 && $0.distance < form.length }, "a growing sprout has the tip")
  }

  @Test func limbsWidenTowardsTheTrunk() {
    var random = SeededRandom(seed: 14)
    var state = TreeState.random(&random)
    state.rings = [Double](repeating: 5, count: 20)
    // A long, thin limb isn't wide by itself.
    for branch in state.branches.indices { (state.branches[branch].invested, state.branches[branch].acts) = (0, 200) }
    let plan = TreePlan(state, in: LabelLayout(fontSize: nil, width: 900, height: 600, growth: 1).frame)
    for limb in plan.limbs {
      let bark = limb.spine.points.firstIndex { ($0 - plan.frame.center).length > plan.trunkRadius } ?? 0
      let foot = limb.spine.widths[bark]
      #expect(foot > plan.trunkRadius * 0.65)
      #expect(foot > limb.spine.width(at: 0.5) * 3)
      // Eight limbs share the bark.
      #expect(foot < plan.trunkRadius * 2 * .pi / 8 * 1.5)
    }
  }

  @Test func pointingFindsEachBranchAndTwig() throws {
    var random = SeededRandom(seed: 6)
    let picture = TreePicture(.random(&random), width: 1280, height: 900, palette: palette)
    #expect(picture.node(at: Point(640, 450), inside: nil) == .trunk)
    #expect(picture.node(at: Point(5, 5), inside: nil) == nil)
    func base(of outline: Path?) throws -> Point {
      let start: Point? = if case .move(let point)? = outline?.elements.first { point } else { nil }
      return try #require(start)
    }
    for branch in 0..<8 {
      let foot = try base(of: picture.outline(of: .branch(branch)).last)
      #expect(picture.node(at: foot, inside: nil) == .branch(branch))
      for node in (0..<8).map({ Node.twig(branch: branch, twig: $0) }) {
        let found = picture.node(at: try base(of: picture.outline(of: node).first), inside: branch)
        #expect(found == node)
      }
    }
  }

  @Test(arguments: 0..<8) func pointingAtTheBudOfABareTwigFindsIt(branch: Int) {
    let picture = TreePicture(
      TreeState(Garden([], zone: .utc), at: YoungGarden(days: 0).now), width: 500, height: 600, palette: palette)
    for twig in 0..<8 {
      let spine = picture.plan.limbs[branch].twigs[twig]
      let bud = spine.tip + spine.direction(at: 1) * (picture.leafUnit * Foliage.bud * 0.6)
      #expect(picture.node(at: bud, inside: branch) == .twig(branch: branch, twig: twig))
    }
  }

  @Test func pointingFindsEachGrowingSprout() throws {
    var random = SeededRandom(seed: 9)
    let state = TreeState.random(&random)
    let picture = TreePicture(state, width: 1280, height: 900, palette: palette)
    let growing = state.branches.flatMap(\.twigs).flatMap(\.leaves).flatMap(\.leaflets).filter(\.stage.isActive)
    #expect(picture.shoots(inside: nil).map(\.id) == growing.map(\.sproutID))
    #expect(state.growing().map(\.id) == growing.map(\.sproutID))
    #expect(!growing.isEmpty)
    for branch in 0..<8 {
      for shoot in picture.shoots(inside: branch) {
        #expect(shoot.twig.branch == branch)
        // Another one may be at the same place.
        let found = try #require(picture.shoot(at: shoot.center, inside: branch))
        #expect(found.distance(to: shoot.center) <= shoot.distance(to: shoot.center))
        let ring = try #require(picture.ring(around: shoot, scale: 1).bounds)
        #expect(ring.contains(shoot.center))
      }
    }
    #expect(picture.shoot(at: Point(5, 5), inside: nil) == nil)
  }

  /// An imported file can contain them.
  @Test func impossibleCostsAndDatesAreDrawn() throws {
    let begin = try #require(Instant("-271821-04-20T00:00:00.000Z"))
    let now = try #require(Instant("2026-07-15T12:00:00.000Z"))
    let events = (0..<2).map { number in
      Event(
        .sproutPlanted(
          .init(
            sproutID: "s\(number)", twigID: Node.twigs[0].id, title: "t", season: .oneYear, environment: .barren,
            soilCost: .greatestFiniteMagnitude, leafID: "l")),
        at: number == 0 ? begin : now, clientID: "\(number)")
    }
    let picture = TreePicture(
      TreeState(Garden(events, zone: .utc), at: now), width: 900, height: 600, palette: palette)
    #expect(picture.drawing.marks.count < 10_000)
    for mark in picture.drawing.marks {
      let bounds = try #require(mark.path.bounds)
      #expect(bounds.width.isFinite && bounds.height.isFinite)
    }
  }

  @Test func aHarvestedSproutIsNoLongerATarget() {
    var state = TreeState(Garden(zone: .utc), at: Instant(milliseconds: 0))
    func targets() -> [String] {
      TreePicture(state, width: 900, height: 600, palette: palette).shoots(inside: nil).map(\.id)
    }
    for (id, stage) in [
      ("a", TreeState.Stage.growing(progress: 0.3)), ("b", .ready), ("c", .harvested(result: 4)), ("d", .uprooted),
    ] {
      state.add(.init(sproutID: id, season: .oneMonth, stage: stage), to: 0, branch: 1, twig: 2)
    }
    #expect(targets() == ["a", "b"])
  }

  @Test func aCameraShowsItsBranchInTheView() throws {
    var random = SeededRandom(seed: 7)
    let picture = TreePicture(.random(&random), width: 900, height: 600, palette: palette)
    for branch in 0..<8 {
      let camera = picture.camera(for: branch)
      #expect(camera.scale > 1)
      for outline in picture.outline(of: .branch(branch)) {
        let middle = try #require(outline.bounds).center
        let place = camera.place(of: middle)
        #expect(Rectangle(x: 0, y: 0, width: 900, height: 600).contains(place))
        #expect((camera.point(at: place) - middle).length < 1e-6)
      }
    }
    #expect(Camera.whole.mixed(with: picture.camera(for: 2), 1) == picture.camera(for: 2))
  }

  /// A resting tree has a bud in the place of each leaf or flower, and all buds look the same.
  @Test func aRestingTreeHasOnlyBuds() {
    func drawing(_ stages: TreeState.Stage..., isResting: Bool = true) -> Drawing {
      var state = TreeState(Garden(zone: .utc), at: Instant(milliseconds: 0), isResting: isResting)
      for (number, stage) in stages.enumerated() {
        state.add(.init(sproutID: "\(number)", season: .oneMonth, stage: stage), to: number, branch: 1, twig: 2)
      }
      return TreePicture(state, width: 900, height: 600, palette: palette).drawing
    }
    #expect(drawing(.ready) == drawing(.growing(progress: 0.5)))
    #expect(drawing(.ready) == drawing(.harvested(result: 5)))
    #expect(drawing(.ready) != drawing(.ready, isResting: false))
    #expect(drawing(.ready) != drawing(.ready, .ready), "each leaf has its bud")
  }

  @Test func aHarvestedLeafletShowsItsResult() {
    func drawing(_ result: Int) -> Drawing {
      var state = TreeState(Garden(zone: .utc), at: Instant(milliseconds: 0))
      state.add(
        .init(sproutID: "a", season: .oneMonth, stage: .harvested(result: result)), to: 0, branch: 1, twig: 2)
      return TreePicture(state, width: 900, height: 600, palette: palette).drawing
    }
    for result in 1..<5 { #expect(drawing(result) != drawing(result + 1)) }
  }

  @Test func seasonsTurnTheLeavesInBothHemispheres() {
    var random = SeededRandom(seed: 8)
    let state = TreeState.random(&random)
    func colors(_ share: Double?) -> Drawing {
      TreePicture(state, width: 400, height: 400, palette: Palette(.dark, yearShare: share)).drawing
    }
    let year = [0.04, 0.29, 0.54, 0.79].map(colors)
    for (index, season) in year.enumerated() { #expect(!year[..<index].contains(season)) }
    #expect(colors(nil) == colors(nil))
  }

  @Test(arguments: [Palette.Theme.light, .dark]) func theTreeIsBareAndClearInWinter(theme: Palette.Theme) {
    func share(ofBareLeafletsAt yearShare: Double?) -> Double {
      let palette = Palette(theme, yearShare: yearShare)
      let bare = (0..<1000).count { number in
        var variation = Variation("\(number)")
        return palette.isBare(&variation)
      }
      return Double(bare) / 1000
    }
    #expect((0.4...0.6).contains(share(ofBareLeafletsAt: 0.04)))
    #expect((0.05...0.45).contains(share(ofBareLeafletsAt: 0.92)), "each leaflet on its own day")
    for yearShare in [0.29, 0.54, 0.79, nil] { #expect(share(ofBareLeafletsAt: yearShare) == 0) }
    let winter = Palette(theme, yearShare: 0.04)
    #expect(winter.bareVein.contrast(with: winter.paper) > 3)
    var (leaf, summer) = (Variation("leaf"), Variation("leaf"))
    let (pale, full) = (winter.tint(result: 5, &leaf), Palette(theme, yearShare: 0.54).tint(result: 5, &summer))
    #expect(pale.contrast(with: winter.paper) < full.contrast(with: winter.paper), "leaves are paler")
  }

  /// From December to the middle of January, when leaves begin to turn green.
  @Test(arguments: [Palette.Theme.light, .dark], [0.93, 0.96, 0.99, 0.02, 0.04])
  func whatWasHarvestedInAWinterKeepsTheColoursOfAutumn(theme: Palette.Theme, share: Double) {
    let (winter, autumn) = (Palette(theme, yearShare: share), Palette(theme, yearShare: 0.79))
    var leaflet = TreeState.Leaflet(sproutID: "a", season: .oneMonth, stage: .harvested(result: 5))
    for (days, isSpared) in [(Int32(0), true), (60, true), (200, false), (.max, false)] {
      leaflet.daysSinceHarvest = days
      #expect(winter.isSpared(leaflet) == isSpared)
    }
    var (first, second) = (Variation("a"), Variation("a"))
    let (kept, before) = (
      winter.tint(result: 5, isSpared: true, &first), autumn.tint(result: 5, &second)
    )
    for part in [\Color.red, \.green, \.blue] { #expect(abs(kept[keyPath: part] - before[keyPath: part]) < 0.001) }
  }

  /// A leaflet of the beginning of winter loses nothing later in it.
  @Test func winterSparesALeafletToItsEnd() {
    var leaflet = TreeState.Leaflet(sproutID: "a", season: .oneMonth, stage: .harvested(result: 5))
    for day in Int32(0)..<150 {
      leaflet.daysSinceHarvest = day
      let share = (335 + Double(day)).truncatingRemainder(dividingBy: 365) / 365
      #expect(Palette(.light, yearShare: share).isSpared(leaflet), "day \(day)")
    }
  }

  /// The outline of a bare leaflet still shows how the harvest went.
  @Test func aHarvestIsLegibleInWinter() {
    let winter = Palette(.light, yearShare: 0.04)
    for number in 0..<20 {
      let drawings = (1...5).map { result in
        var state = TreeState(Garden(zone: .utc), at: Instant(milliseconds: 0))
        state.add(
          .init(sproutID: "\(number)", season: .oneMonth, stage: .harvested(result: result)), to: 0, branch: 1, twig: 2)
        return TreePicture(state, width: 900, height: 600, palette: winter).drawing.marks.map(\.path)
      }
      for (result, drawing) in drawings.enumerated() { #expect(drawings.firstIndex(of: drawing) == result) }
    }
  }

  @Test(arguments: [Palette.Theme.light, .dark], [0.04, 0.29, 0.54, 0.79, nil])
  func highContrastStandsOutFromThePaperInAllSeasons(theme: Palette.Theme, share: Double?) {
    let palette = Palette(theme, yearShare: share, hour: 19.5, isHighContrast: true)
    var colors = [palette.wood, palette.berry, palette.petal, palette.pollen, palette.scar, palette.fresh]
    for number in 0..<200 {
      var variation = Variation("\(number)")
      colors.append(palette.tint(result: number % 5 + 1, &variation))
    }
    for color in colors { #expect(color.contrast(with: palette.paper) >= 3, "\(color)") }
    #expect(palette.ink.contrast(with: palette.paper) == 21)
    #expect(palette.ring.contrast(with: palette.sapwood) >= 3)
  }

  @Test func thePrintThemeIsGray() {
    let palette = Palette(.print, yearShare: 0.8)
    var variation = Variation("x")
    for color in [palette.wood, palette.berry, palette.tint(result: 5, &variation)] {
      #expect(color.red == color.green && color.green == color.blue)
    }
  }
}
