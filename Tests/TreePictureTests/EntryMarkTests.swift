import Testing
import TrunkModel
import VectorGraphics

@testable import TreePicture

/// What a person writes can be seen on the tree, for good.
@Suite struct EntryMarkTests {
  private let palette = Palette(.light, yearShare: 0.4)

  private func picture(_ events: [Event], at now: Instant, size: Double = 900, fontSize: Double? = 14) -> TreePicture {
    TreePicture(
      TreeState(Garden(events, zone: .utc), at: now), width: size, height: size, palette: palette, fontSize: fontSize)
  }

  @Test func everyEntryChangesThePicture() throws {
    let young = YoungGarden(days: 91.2)
    func image(_ events: [Event]) throws -> Image {
      try Image(TreeState(Garden(events, zone: .utc), at: young.now), 900, 700, palette, scale: 1)
    }
    let whole = try image(young.events)
    for (index, event) in young.events.enumerated() {
      var fewer = young.events
      fewer.remove(at: index)
      let changed = try image(fewer).pixels(unlike: whole)
      #expect(changed >= 6, "\(event.kind.map { "\($0)" } ?? ""), \(index)")
    }
  }

  @Test func everyLeafAndLichenOfALimbCanBePointedTo() throws {
    var harvests = 0
    let young = YoungGarden(days: 91.2)
    let garden = Garden(young.events, zone: .utc)
    let picture = picture(young.events, at: young.now)
    for branch in 0..<8 {
      let marks = picture.entryMarks(of: branch)
      let growing = garden.sprouts.filter { $0.isActive && $0.node?.branch == branch }
      let reflections = garden.journal.filter { $0.sprout == nil && $0.twig?.branch == branch }
      let harvested = garden.sprouts.count { $0.harvest != nil && $0.node?.branch == branch }
      harvests += harvested
      #expect(marks.count == growing.reduce(0) { $0 + $1.waterings.count } + harvested + reflections.count)
      for mark in marks {
        let found = try #require(picture.entryMark(at: mark.center, of: marks, inside: branch))
        // One of two in the same place.
        #expect(found == mark || (found.center - mark.center).length < 0.01)
        let outside = mark.center + Point(0, 300)
        #expect(picture.entryMark(at: outside, of: marks, inside: branch) != mark)
      }
    }
    #expect(harvests > 0)
  }

  @Test func wordsFillALeaf() throws {
    func leaf(hasWords: Bool) -> Drawing {
      let young = YoungGarden(days: 0.05)
      var events = young.events
      let watering = Payload.SproutWatered(sproutID: "cello", content: hasWords ? "One word" : " \n", prompt: nil)
      events.append(Event(.sproutWatered(watering), at: young.now, clientID: "watering"))
      return picture(events, at: young.now).drawing
    }
    #expect(leaf(hasWords: true) != leaf(hasWords: false))
  }

  /// The hashes of the outlines of a drawing, one by one, without those of the wood, which grows thicker with each
  /// entry.
  private func outlines(_ drawing: Drawing) -> Set<UInt64> {
    let wood = [palette.wood, palette.woodLight, palette.woodDark, palette.wood.mixed(with: palette.fresh, 0.35)]
    var outlines: Set<UInt64> = []
    for mark in drawing.marks {
      if let stroke = mark.stroke, wood.contains(stroke.color.opaque) { continue }
      if case .color(let color)? = mark.fill, wood.contains(color.opaque) { continue }
      var outline = FNV1a()
      for element in mark.path.elements {
        if case .move = element { outline = FNV1a() }
        for point in element.points {
          outline.add(point.x.bitPattern)
          outline.add(point.y.bitPattern)
        }
        if case .close = element { outlines.insert(outline.value) }
      }
    }
    return outlines
  }

  /// Written today, on every branch and about every growing sprout of gardens of different ages.
  @Test(arguments: [0.3, 9.4, 40.3, 91.2]) func anEntryMovesNoOthersMark(days: Double) {
    let young = YoungGarden(days: days)
    let garden = Garden(young.events, zone: .utc)
    let before = picture(young.events, at: young.now)
    let drawings = (0..<8).map { before.drawing(of: $0) }
    func check(_ payload: Payload, on branch: Int, mayMoveBuds: Bool) {
      let after = picture(young.events + [Event(payload, at: young.now, clientID: "new")], at: young.now)
      for other in 0..<8 where other != branch { #expect(after.drawing(of: other) == drawings[other]) }
      let missing = outlines(drawings[branch]).subtracting(outlines(after.drawing(of: branch)))
      // A bare twig has a bud at its tip, and buds at its bare shoots.
      #expect(missing.count <= (mayMoveBuds ? 3 : 0), "branch \(branch): \(missing.count)")
    }
    for twig in stride(from: 0, to: 64, by: 5) {
      let id = Node.twigs[twig].id
      check(
        .seedlingCreated(.init(seedlingID: "new", twigID: id, title: "new", notes: nil)), on: twig / 8,
        mayMoveBuds: true)
      check(
        .sunShone(.init(twigID: id, twigLabel: "", content: "Light", prompt: nil)), on: twig / 8, mayMoveBuds: true)
    }
    for sprout in garden.sprouts where sprout.isActive {
      let watering = Payload.SproutWatered(sproutID: sprout.id, content: "Words", prompt: nil)
      check(.sproutWatered(watering), on: sprout.node?.branch ?? 0, mayMoveBuds: false)
    }
  }

  /// Another device brings it days later.
  @Test func aLateEntryChangesOnlyItsLimb() {
    let young = YoungGarden(days: 91.2)
    let before = picture(young.events, at: young.now)
    let watering = Payload.SproutWatered(sproutID: "running", content: "Words", prompt: nil)
    let late = Event(.sproutWatered(watering), at: young.instant(day: 80.1), clientID: "late")
    let after = picture(young.events + [late], at: young.now)
    for branch in 1..<8 { #expect(before.drawing(of: branch) == after.drawing(of: branch)) }
    #expect(before.drawing(of: 0) != after.drawing(of: 0))
  }

  @Test(arguments: [nil, 14.0]) func tenDaysAreVisible(fontSize: Double?) throws {
    let young = YoungGarden(days: 9.4)
    let picture = picture(young.events, at: young.now, fontSize: fontSize)
    let shoot = try #require(picture.shoots(inside: nil).first { $0.id == "cello" })
    let first = try #require(shoot.stem.first)
    let fresh = palette.fresh.mixed(with: Color(0xFFFFFF), 0.3)
    let tips = picture.drawing.marks.filter { $0.fill == .color(fresh) }.flatMap(\.path.elements).flatMap(\.points)
    let near = tips.filter { shoot.distance(to: $0) < 60 }.map { ($0 - first).length }
    #expect((near.max() ?? 0) >= 900 * 0.06, "\(near)")
  }

  @Test func theDayAndTheLogDetermineThePicture() throws {
    let young = YoungGarden(days: 91.2)
    let day = Zone.utc.dayKey(young.now)
    let start = Zone.utc.start(of: day)
    let state = TreeState(Garden(young.events, zone: .utc), at: young.now)
    for second: Int64 in [0, 1, 3600, 43_200, 86_399] {
      #expect(TreeState(Garden(young.events, zone: .utc), at: start.adding(seconds: second)) == state)
    }
    #expect(TreeState(Garden(young.events, zone: .utc), at: start.adding(seconds: 86_400)) != state)
    // On another device, events arrive in another order and have other numbers.
    #expect(TreeState(Garden(young.events.reversed(), zone: .utc), at: young.now) == state)
  }

  @Test func aCloserLookHasALeafForEachWatering() {
    for count in [0, 1, 5, 40, 200] {
      var leaflet = TreeState.Leaflet(sproutID: "a", season: .oneYear, stage: .growing(progress: 0.6))
      leaflet.age = 219
      leaflet.waterings = (0..<count).map { number in
        let share = Double(number) / Double(max(count, 1)) * 0.6
        return TreeState.Watering(share: Float(share), day: Int32(share * 365), hasWords: number % 5 != 0)
      }
      let line = Spine(through: (0...16).map { Point(Double($0) * 6, 0) }) { _ in 0 }
      func leaves(spacing: Double) -> Int {
        let drawing = SproutShoot(leaflet: leaflet, line: line, unit: 36, spacing: spacing, palette: palette).drawing()
        #expect(drawing.marks.count <= 4)
        let green = drawing.marks.filter { $0.fill == .color(palette.green) }
        let starts = green.flatMap(\.path.elements).count { if case .move = $0 { true } else { false } }
        // A leaf without words has an inner outline, too.
        return starts
      }
      #expect(leaves(spacing: 0) == count + leaflet.waterings.count { !$0.hasWords })
      #expect(leaves(spacing: 3) <= 2 * Int(96.0 / 3) * 2 + 2)
    }
  }

  /// In rows, dialogs and on its page.
  @Test func outsideTheTreeEachWateringShowsInsideTheFrame() throws {
    let stages: [TreeState.Stage] = [
      .growing(progress: 0.02), .growing(progress: 0.5), .growing(progress: 1), .ready, .uprooted,
      .harvested(result: 1),
      .harvested(result: 5),
    ]
    for (season, stage) in Season.allCases.flatMap({ season in stages.map { (season, $0) } }) {
      for (width, height) in [(76.0, 32.0), (156, 64), (132, 78)] {
        var drawings: [Drawing] = []
        for count in [0, 1, 5, 30] {
          let waterings = (0..<count).map { TreeState.Watering(share: Float($0) / 30, day: Int32($0)) }
          let leaflet = TreeState.Leaflet(
            sproutID: "a", season: season, stage: stage, waterings: waterings, age: 10)
          let drawing = SproutPicture(leaflet, width: width, height: height, palette: palette).drawing
          let frame = Rectangle(x: 0, y: 0, width: width, height: height).grown(by: 0.5)
          let outside = drawing.marks.flatMap(\.path.line).filter { !frame.contains($0) }
          #expect(outside.isEmpty, "\(season), \(stage), \(width)")
          #expect(!drawings.contains(drawing))
          drawings.append(drawing)
        }
      }
    }
  }

  @Test func aHarvestKeepsTheWateringsAsVeins() throws {
    let young = YoungGarden(days: 91.2)
    func veins(_ events: [Event]) -> Int {
      picture(events, at: young.now).drawing(of: 1).marks.reduce(0) { $0 + $1.path.elements.count }
    }
    let fewer = young.events.filter { event in
      if case .sproutWatered(let watering) = event.payload { watering.sproutID != "second cello" } else { true }
    }
    #expect(fewer.count == young.events.count - 15)
    #expect(veins(young.events) >= veins(fewer) + 15)
  }

  @Test func lichenIsGoldForAYear() throws {
    func colors(age: Int32) -> [Bool] {
      var state = TreeState(Garden(zone: .utc), at: Instant(milliseconds: 0))
      state.branches[2].twigs[1].suns = [TreeState.Sun(seed: 7, age: age)]
      let fills = TreePicture(state, width: 900, height: 600, palette: palette).drawing.marks.map(\.fill)
      // The bud at the tip of the twig is gold, too.
      return [fills.count { $0 == .color(palette.gold) } > 1, fills.contains(.color(palette.agedGold))]
    }
    #expect(colors(age: 0) == [true, false])
    #expect(colors(age: 364) == [true, false])
    #expect(colors(age: 390) == [true, true])
    #expect(colors(age: 430) == [false, true])
  }

  @Test func noTwoTreesAreAlike() throws {
    func image(_ seed: String) throws -> Set<Int> {
      let young = YoungGarden(days: 91.2, seed: seed)
      return try Image(TreeState(Garden(young.events, zone: .utc), at: young.now), 900, 700, palette, scale: 1)
        .pixels(like: palette.wood)
    }
    let (one, other) = (try image(" of Ada"), try image(" of Ruth"))
    #expect(Double(one.symmetricDifference(other).count) >= 0.1 * Double(one.union(other).count))
  }

  @Test func aLimbIsAsLongAsItsLife() {
    let young = YoungGarden(days: 9.4)
    let plan = TreePlan(
      TreeState(Garden(young.events, zone: .utc), at: young.now),
      in: LabelLayout(fontSize: nil, width: 900, height: 900, growth: 1).frame)
    let lengths = plan.limbs.map(\.spine.length)
    // Brain has the cello, Core has nothing.
    #expect(lengths[1] >= lengths[0] * 1.2)
  }
}

extension Path.Element {
  fileprivate var points: [Point] {
    switch self {
    case .move(let point), .line(let point): [point]
    case .curve(let first, let second, let end): [first, second, end]
    case .close: []
    }
  }
}

extension Path {
  /// Points on the outline.
  fileprivate var line: [Point] {
    var points: [Point] = []
    for element in elements {
      switch element {
      case .move(let point), .line(let point): points.append(point)
      case .curve(let first, let second, let end):
        let start = points.last ?? end
        for share in [0.2, 0.4, 0.6, 0.8, 1] {
          let (a, b, c) = (
            start.mixed(with: first, share), first.mixed(with: second, share), second.mixed(with: end, share)
          )
          points.append(a.mixed(with: b, share).mixed(with: b.mixed(with: c, share), share))
        }
      case .close: break
      }
    }
    return points
  }
}

extension Color {
  fileprivate var opaque: Color { Color(red: red, green: green, blue: blue) }
}
