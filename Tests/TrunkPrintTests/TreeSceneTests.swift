import CairoKit
import TestSupport
import Testing
import TrunkModel
import VectorGraphics

@testable import TreePicture
@testable import TrunkPrint

@Suite struct TreeSceneTests {
  private static let now = Instant("2026-11-21T09:30:00Z") ?? Instant(milliseconds: 0)
  private static let long = "Donaudampfschifffahrtsgesellschaft und Freundschaften"

  /// A garden with a growing sprout on each twig of the first branch, and with other names.
  private func content(_ names: [String] = [], growing: Int = 0) -> TreeScene.Content {
    var events: [Event] = []
    func add(_ payload: Payload) {
      // The first planting determines the tree's age.
      let isName = if case .nodeUpdated = payload { true } else { false }
      let begin = TreeSceneTests.now.milliseconds - (isName ? 1_000_000 : 50_000_000_000)
      let instant = Instant(milliseconds: begin + Int64(isName ? events.count : 0))
      events.append(Event(payload, at: instant, clientID: "\(events.count)"))
    }
    for (number, name) in names.enumerated() {
      add(.nodeUpdated(.init(nodeID: Node.branch(number).id, label: name, note: nil)))
      for twig in 0..<8 {
        add(.nodeUpdated(.init(nodeID: Node.twig(branch: number, twig: twig).id, label: name, note: nil)))
      }
    }
    for number in 0..<growing {
      let twig = Node.twig(branch: number % 8, twig: number / 8 % 8)
      add(
        .sproutPlanted(
          .init(
            sproutID: "s\(number)", twigID: twig.id, title: "t", season: .oneYear, environment: .fertile, soilCost: 0,
            leafID: "l\(number)")))
    }
    return TreeScene.Content(Garden(events, zone: .utc), at: TreeSceneTests.now)
  }

  private func scene(_ content: TreeScene.Content, _ width: Double, _ height: Double, fontSize: Double) -> TreeScene {
    TreeScene(
      content, width: width, height: height, palette: Palette(.light, yearShare: nil), lettering: Lettering(),
      fontSize: fontSize)
  }

  @Test(arguments: [320, 360, 900, 1400], [14, 28])
  func renamingABranchMovesNothing(width: Double, fontSize: Double) {
    let names = (0..<8).map { $0 % 2 == 0 ? TreeSceneTests.long : "O" }
    let before = scene(content(growing: 3), width, 700, fontSize: fontSize)
    let after = scene(content(names, growing: 3), width, 700, fontSize: fontSize)
    let movesNothing = before.picture.drawing == after.picture.drawing && before.picture.places == after.picture.places
    #expect(movesNothing)
    let hasNewNames = before.rectangles(of: nil) != after.rectangles(of: nil)
    #expect(hasNewNames)
  }

  /// At the usual size of texts and at twice that size, with short, long and German names.
  @Test(
    arguments: [(320.0, 480.0), (360, 520), (560, 900), (900, 600), (1400, 740)], [14.0, 28])
  func namesNeverOverlap(size: (width: Double, height: Double), fontSize: Double) {
    let view = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
    let german = ["Kern", "Verstand", "Stimme", "Hände", "Herzensangelegenheiten", "Atem", "Rückhalt", "Füße"]
    for names in [[], german, [String](repeating: TreeSceneTests.long, count: 8)] {
      let scene = scene(content(names, growing: 200), size.width, size.height, fontSize: fontSize)
      for branch in [nil, 0, 1, 2, 3, 4, 5, 6, 7] {
        let labels = scene.rectangles(of: branch)
        #expect(labels.count == 8)
        for (index, label) in labels.enumerated() {
          #expect(view.contains(label), "\(label)")
          let overlapped = labels[..<index].firstIndex { $0.overlaps(label) }
          #expect(overlapped == nil, "\(branch ?? -1): \(index), \(label)")
        }
      }
    }
  }

  @Test func namesAreInTheirSpaces() {
    for fontSize in [14.0, 28] {
      let scene = scene(
        content([String](repeating: TreeSceneTests.long, count: 8), growing: 64), 900, 700, fontSize: fontSize)
      for (label, place) in zip(scene.rectangles(of: nil), scene.picture.places) {
        // Fonts have different heights.
        #expect(place.rectangle.grown(by: fontSize * 0.5).contains(label), "\(label) \(place)")
      }
    }
  }
}
