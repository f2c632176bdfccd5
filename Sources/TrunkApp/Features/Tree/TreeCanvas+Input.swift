import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel
import VectorGraphics

/// The pointer and the keys.
extension TreeCanvas {
  private func target(at place: Point) -> TreeTarget? {
    guard let scene else { return nil }
    let names = scene.rectangles(of: branch, shown: shownNames)
    if let name = names.firstIndex(where: { $0.grown(by: 4).contains(place) }) { return .node(node(name)) }
    let point = camera.point(at: place)
    if onPick == nil, let entry = entry(at: point) { return entry }
    if onPick == nil, let shoot = scene.picture.shoot(at: point, inside: branch) {
      return .sprout(id: shoot.id, twig: shoot.twig)
    }
    return scene.picture.node(at: point, inside: branch).map { .node($0) }
  }

  func hover(_ place: Point?) {
    // After a repaint, GTK reports the position of a resting pointer again.
    guard place != pointer else { return }
    pointer = place
    let target = place.flatMap(target)
    guard target != hovered else { return }
    hovered = target
    picture.showsHand(target != nil)
    describe()
    picture.redraw()
  }

  func click(_ place: Point) {
    picture.focus()
    if let target = target(at: place) { open(target) }
  }

  private func open(_ target: TreeTarget) {
    if let onPick, case .twig = target.node { return onPick(target.node) }
    switch target {
    case .node(.trunk) where onPick != nil: leave()
    case .node(.trunk): if !leave() { widget.activate("win.year", target: "") }
    case .node(.branch(let branch)): enter(branch)
    case .node(let twig): widget.activate("win.twig", target: twig.id)
    case .sprout(let id, _): widget.activate("win.sprout", target: id)
    case .entry(let item, _): widget.activate("win.entry", target: "\(item.seq)")
    }
  }

  func wheel(_ down: Double) -> Bool {
    // The form around the picture scrolls.
    if onPick != nil { return false }
    if zoom?.isRunning == true { return true }
    if down > 0 { return leave() }
    guard branch == nil, let branch = (hovered ?? chosen)?.node.branch else { return false }
    enter(branch)
    return true
  }

  func pinch(_ scale: Double) {
    if zoom?.isRunning == true { return }
    if scale < 0.8 { leave() }
    if scale > 1.25, branch == nil, let branch = (hovered ?? chosen)?.node.branch { enter(branch) }
  }

  func take(_ press: KeyPress) -> Bool {
    if press.modifiers == .alt { return cycle(press.key) }
    if let onLetter, press.modifiers.isDisjoint(with: [.control, .alt]), press.characters.first?.isLetter == true {
      onLetter(press.typed)
      return true
    }
    guard press.modifiers.isEmpty else { return false }
    switch press.key {
    case .right: step(1)
    case .left: step(-1)
    case .down: onPick == nil ? stepToShoot(1) : step(1)
    case .up: onPick == nil ? stepToShoot(-1) : step(-1)
    case .home: choose(.node(node(0)))
    case .end: choose(.node(node(7)))
    case .enter, .space:
      guard let chosen else { return false }
      open(chosen)
    case .escape where branch == nil && onPick == nil && chosen != nil: choose(nil)
    case .escape: return leave()
    default:
      // The window's command; the other letters are those of names.
      if press.characters.contains("t"), branch == nil, onPick == nil { return false }
      return press.characters.contains { tend($0) || jump(to: $0) }
    }
    return true
  }

  /// With a sprout chosen, the letters that tend the garden are about this sprout instead of names.
  private func tend(_ character: Character) -> Bool {
    guard onPick == nil, let id = chosen?.sproutID, let sprout = context.model.garden.sprout(id: id) else {
      return false
    }
    let command: @MainActor () -> Void
    switch character {
    case "w": command = { [widget] in widget.activate("win.water", target: id) }
    case "h": command = { [weak self] in self?.harvest(sprout) }
    case "n": command = { [context] in SeedlingDialog(context, twig: sprout.node).present() }
    case "s": command = { [widget] in widget.activate("win.shine") }
    default: return false
    }
    picture.runLetter(command)
    return true
  }

  private func harvest(_ sprout: Sprout) {
    if sprout.isReady(at: context.model.now) {
      widget.activate("win.harvest", target: sprout.id)
    } else {
      context.foot.show(tr("“{title}” isn’t ready to harvest yet.", ["title": clamped(sprout.title, to: 60)]))
    }
  }

  /// Alt and an arrow: the branch beside the one that is shown.
  private func cycle(_ key: KeyPress.Key) -> Bool {
    guard let branch, key == .up || key == .down else { return false }
    enter((branch + (key == .down ? 1 : 7)) % 8)
    return true
  }

  /// The branch or twig with this number, 0…7.
  private func node(_ number: Int) -> Node { branch.map { .twig(branch: $0, twig: number) } ?? .branch(number) }

  var chosenNumber: Int? {
    guard let node = chosen?.node else { return nil }
    return branch == nil ? node.branch : TreeCanvas.number(of: node)
  }

  /// The number of a twig on its branch.
  static func number(of node: Node) -> Int? { if case .twig(_, let twig) = node { twig } else { nil } }

  /// Chooses the next node around the ring; clockwise if `step` is positive.
  private func step(_ step: Int) {
    choose(.node(node(chosenNumber.map { ($0 + step + 8) % 8 } ?? pickedNumber ?? 0)))
  }

  /// The number of the picked twig on the branch that is shown, or of its branch.
  private var pickedNumber: Int? {
    guard let picked, branch == nil || branch == picked.branch else { return nil }
    return branch == nil ? picked.branch : TreeCanvas.number(of: picked)
  }

  /// Chooses the next growing sprout, beginning at the chosen node. Without sprouts, chooses the next node.
  private func stepToShoot(_ step: Int) {
    let sprouts = content.state.growing(on: branch)
    guard !sprouts.isEmpty else { return self.step(step) }
    let next: Int
    if let known = sprouts.firstIndex(where: { chosen?.sproutID?.hasSameBytes(as: $0.id) == true }) {
      next = known + step
    } else {
      func number(_ twig: Node) -> Int { (branch == nil ? twig.branch : TreeCanvas.number(of: twig)) ?? 0 }
      // Up leads to the last one before the node.
      let first = sprouts.firstIndex { number($0.twig) >= chosenNumber ?? 0 } ?? 0
      next = step > 0 ? first : first - 1
    }
    let sprout = sprouts[(next + sprouts.count) % sprouts.count]
    choose(.sprout(id: sprout.id, twig: sprout.twig))
  }

  /// A digit opens a node, 0 the trunk; a letter chooses the next node whose name begins with it.
  private func jump(to character: Character) -> Bool {
    if let number = character.wholeNumberValue {
      if number == 0 { open(.node(.trunk)) }
      guard (1...8).contains(number) else { return number == 0 }
      open(.node(node(number - 1)))
      return true
    }
    let names = branch.map { content.twigs[$0] } ?? content.branches
    let first = (chosenNumber ?? -1) + 1
    let found = (0..<8).map { (first + $0) % 8 }.first { names[$0].title.folded.hasPrefix(String(character).folded) }
    guard let found else { return false }
    choose(.node(node(found)))
    return true
  }

  func choose(_ target: TreeTarget?) {
    // The keys have priority until the pointer moves again.
    hovered = nil
    chosen = target
    describe()
    picture.redraw()
  }
}
