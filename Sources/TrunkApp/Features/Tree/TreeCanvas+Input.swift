import GtkKit
import TrunkModel
import VectorGraphics

/// The pointer and the keys.
extension TreeCanvas {
  /// How near the pointer must be to a corner of the polygon of scores, in pixels.
  private static let cornerReach = 14.0

  private func node(at place: Point) -> Node? {
    guard let scene else { return nil }
    let labels = branch.map(scene.twigLabels) ?? scene.picture.labels
    if let label = labels.firstIndex(where: { $0.grown(by: 4).contains(place) }) {
      return branch.map { .twig(branch: $0, twig: label) } ?? .branch(label)
    }
    if let branch = radar?.branch(at: place, within: TreeCanvas.cornerReach) { return .branch(branch) }
    return scene.picture.node(at: camera.point(at: place), inside: branch)
  }

  func hover(_ place: Point?) {
    // After a repaint, GTK reports the position of a resting pointer again.
    guard place != pointer else { return }
    pointer = place
    let node = place.flatMap(node)
    guard node != hovered else { return }
    hovered = node
    picture.showsHand(node != nil)
    describe()
    picture.redraw()
  }

  func click(_ place: Point) {
    picture.focus()
    if let node = node(at: place) { open(node) }
  }

  private func open(_ node: Node) {
    switch node {
    case .trunk: leave()
    case .branch(let branch): enter(branch)
    case .twig: widget.activate("win.twig", target: node.id)
    }
  }

  func wheel(_ down: Double) -> Bool {
    if zoom?.isRunning == true { return true }
    if down > 0 { return leave() }
    guard branch == nil, let node = hovered ?? chosen, case .branch(let branch) = node else { return false }
    enter(branch)
    return true
  }

  func pinch(_ scale: Double) {
    if zoom?.isRunning == true { return }
    if scale < 0.8 { leave() }
    if scale > 1.25, branch == nil, let node = hovered ?? chosen, case .branch(let branch) = node { enter(branch) }
  }

  func take(_ press: KeyPress) -> Bool {
    if press.modifiers == .alt { return cycle(press.key) }
    guard press.modifiers.isEmpty else { return false }
    switch press.key {
    case .right, .down: step(1)
    case .left, .up: step(-1)
    case .home: choose(node(0))
    case .end: choose(node(7))
    case .enter, .space:
      guard let chosen else { return false }
      open(chosen)
    case .escape: return leave()
    default: return press.character.map(jump) ?? false
    }
    return true
  }

  /// Alt and an arrow: the branch beside the one that is shown.
  private func cycle(_ key: KeyPress.Key) -> Bool {
    guard let branch, key == .left || key == .right else { return false }
    enter((branch + (key == .right ? 1 : 7)) % 8)
    return true
  }

  /// The branch or twig with this number, 0…7.
  private func node(_ number: Int) -> Node { branch.map { .twig(branch: $0, twig: number) } ?? .branch(number) }

  var chosenNumber: Int? {
    switch chosen {
    case .branch(let branch): branch
    case .twig(_, let twig): twig
    case .trunk, nil: nil
    }
  }

  /// Around the ring, clockwise.
  private func step(_ step: Int) { choose(node(chosenNumber.map { ($0 + step + 8) % 8 } ?? 0)) }

  /// A digit opens a node; a letter chooses the next node whose name begins with it.
  private func jump(to character: Character) -> Bool {
    if let number = character.wholeNumberValue {
      guard (1...8).contains(number) else { return false }
      open(node(number - 1))
      return true
    }
    let names = branch.map { content.twigs[$0] } ?? content.branches
    let first = (chosenNumber ?? -1) + 1
    let found = (0..<8).map { (first + $0) % 8 }.first { names[$0].title.lowercased().hasPrefix(String(character)) }
    guard let found else { return false }
    choose(node(found))
    return true
  }

  func choose(_ node: Node?) {
    // The keys have priority until the pointer moves again.
    hovered = nil
    chosen = node
    describe()
    picture.redraw()
  }
}
