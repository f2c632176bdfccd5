import CairoKit
import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel
import TrunkPrint
import VectorGraphics

/// The picture of the tree. A click, Enter, a digit, the wheel or a pinch zooms into a branch. There, a click, Enter or
/// a digit opens a twig. The foot of the window describes the node under the pointer or chosen with the keys.
///
/// As a part of the form for planting, it picks a twig instead of opening it, and the line below the picture describes
/// the node: see `TreeCanvas+Picking.swift`.
final class TreeCanvas {
  let widget: Widget

  let context: WindowContext
  let picture: Widget
  let readout = paragraph("", "hint", "numeric").centred()
  /// Called with the twig that the user picks; `nil` if twigs are opened.
  let onPick: ((Node) -> Void)?
  /// Called with a letter that is typed on the picture in a form, where no letter is a command.
  var onLetter: ((String) -> Void)?
  /// The twig that is picked in the form.
  var picked: Node?
  /// The node whose page is open.
  var opened: Node? { didSet { if opened != oldValue { picture.redraw() } } }
  /// Leads from a branch back to the whole tree.
  let outwards = button(tr("‹ All Limbs"), "limbs") {}.halign(.end).valign(.start).margin(12)
  /// Whether the foot of the window takes the place of the line below the picture, if twigs are picked in the window
  /// itself.
  var usesFoot = false { didSet { readout.visible(!usesFoot) } }
  /// What the picture shows.
  var content: TreeScene.Content {
    let content = known ?? currentContent
    known = content
    return content
  }
  /// The content that was shown last; `nil` before it is needed.
  private var known: TreeScene.Content?
  /// Whether the rest of the form is painted: the tree takes longer than all of it.
  private(set) var isReady: Bool
  /// The day that is shown instead of today; `nil` for today.
  var past: PastTree? {
    didSet {
      guard past != oldValue else { return }
      if past == nil { pastPainter.forget() }
      picture.redraw()
    }
  }
  private(set) lazy var pastPainter = PastPainter { [weak self] in self?.picture.redraw() }
  /// Called when the picture shows another part of the tree.
  var onBranch: (() -> Void)?
  var isSouthern = false
  var scene: TreeScene? { didSet { marks = nil } }
  /// The marks of entries on the limb that is zoomed into; `nil` until they are needed.
  var marks: [EntryMark]?
  private lazy var pointed = PointedEntry(context, for: picture) { [weak self] in self?.showWords($0) }
  /// The tree as it was last painted, with the camera and the look it was painted for.
  var painted: (snapshot: Snapshot, camera: Camera, look: Look)?
  /// The branch as it was painted before the camera moved out, which fades over the whole tree.
  var fading: (snapshot: Snapshot, camera: Camera)?
  /// How far the camera has moved, 0…1.
  private(set) var zoomShare = 1.0
  var zoom: Animation?
  /// The planting that is shown instead.
  var act: PlantingAct?

  /// The branch that is zoomed into; `nil` for the whole tree.
  private(set) var branch: Int? {
    didSet {
      outwards.visible(branch != nil)
      marks = nil
      onBranch?()
    }
  }
  var camera = Camera.whole
  private var zoomedFrom = Camera.whole
  var target = Camera.whole
  /// The part chosen with the keys.
  var chosen: TreeTarget?
  /// The part under the pointer.
  var hovered: TreeTarget?
  var pointer: Point?

  /// Everything except the garden that determines the picture.
  nonisolated struct Look: Equatable, Sendable {
    var width, height: Double
    var palette: Palette
    /// Of the names, in pixels; `nil` without names.
    var fontSize: Double?
  }

  /// In milliseconds.
  static let zoomTime = 360
  /// In pixels, at the usual size of texts.
  static let fontSize = 14.0

  /// - Parameter onPick: called with the twig that the user picks, in a form.
  init(_ context: WindowContext, onPick: ((Node) -> Void)? = nil) {
    (self.context, self.onPick) = (context, onPick)
    let side = onPick == nil ? 320 : TreeCanvas.leastSide
    picture = drawing(width: side, height: side, name: tr("Tree"))
    isReady = onPick == nil
    let whole = overlay(picture.hexpand().vexpand(), outwards)
    widget =
      onPick == nil
      ? column(whole)
      : column(
        whole,
        // A longer text must not move the picture below the pointer.
        readout.valign(.start).margin(top: 4, bottom: 16, start: 18, end: 18).css("two-lines"))
    outwards.visible(false).on("clicked") { [weak self] in
      self?.picture.focus()
      self?.leave()
    }
    picture.focusable(true)
    picture.onDraw { [weak self] in self?.draw(on: $0) }
    picture.onPointer { [weak self] place in self?.hover(place.map { Point($0.x, $0.y) }) }
    picture.onClick { [weak self] _, x, y in self?.click(Point(x, y)) }
    picture.onWheel { [weak self] down in self?.wheel(down) ?? false }
    picture.onPinch { [weak self] scale in self?.pinch(scale) }
    picture.onKey { [weak self] press in self?.take(press) ?? false }
    picture.onFocus { [weak self] isIn in
      // While a dialog is open, the picture is still the focus of its window.
      guard let self, !isIn, context.window.focusedWidget != picture else { return }
      choose(nil)
    }
    let zoomTime = onPick == nil ? TreeCanvas.zoomTime : TreeCanvas.pickingZoomTime
    zoom = Animation(on: picture, milliseconds: zoomTime) { [weak self] in self?.move(to: $0) }
    picture.followTextScale { [weak self] _ in self?.picture.redraw() }
    widget.keeps(self)
    widget.on("map") { [weak self] in self?.describe() }
    widget.on("unmap") { [weak self] in
      if let self, onPick == nil || usesFoot { context.foot.pointed = nil }
    }
    context.followShown(widget) { [weak self] in self?.render() }
    guard !isReady else { return }
    widget.onFirstFrame { [weak self] in
      guard let self, !isReady else { return }
      isReady = true
      render()
    }
  }

  /// Moves the focus to the picture.
  func focus() { picture.focus() }

  private var currentContent: TreeScene.Content {
    TreeScene.Content(
      context.model.garden, at: context.model.now, isResting: context.rest != nil,
      showsLastTended: onPick == nil && context.settings.showsLastTended)
  }

  private func render() {
    guard isReady else { return describe() }
    let content = currentContent
    if content != known {
      known = content
      scene = nil
      // Its mark may have moved.
      if case .entry = hovered { hovered = nil }
    }
    isSouthern = context.model.garden.zone.isSouthern
    // A sprout that was harvested or uprooted can't be chosen any more.
    func isGone(_ target: TreeTarget?) -> Bool {
      target?.sproutID.map { context.model.garden.sprout(id: $0)?.isActive != true } ?? false
    }
    if isGone(chosen) { chosen = nil }
    if isGone(hovered) { hovered = nil }
    describe()
    picture.redraw()
  }

  /// Describes the part under the pointer or chosen with the keys.
  func describe() {
    // The title of what was planted stands there.
    guard act == nil else { return }
    let garden = context.model.garden
    let target = hovered ?? chosen
    guard onPick == nil else {
      let text = target.map { meaning(of: $0, in: garden) } ?? pickingHint
      readout.setText(text)
      if usesFoot, widget.isMapped {
        context.foot.pointed = target == nil && branch == nil && picked == nil ? nil : text
      }
      picture.accessibleDescription(target == nil && !pickedText.isEmpty ? pickedText : text)
      return
    }
    if case .entry(let item, _) = target { return pointed.point(at: item) }
    pointed.point(at: nil)
    let text = target.map { description(of: $0, in: garden) } ?? restingText(in: garden)
    if widget.isMapped { context.foot.pointed = text }
    picture.accessibleDescription(text ?? hint + tendedText)
  }

  /// What the foot says about the part of the tree that is shown; `nil` leaves the sentence about the whole tree.
  private func restingText(in garden: Garden) -> String? {
    if let branch { return garden.label(of: .branch(branch)) + ": " + garden.note(of: .branch(branch)) }
    return content.colours == nil ? nil : tr("Below each name you see when you last tended it.")
  }
}

// MARK: - Texts

extension TreeCanvas {
  /// Tells a screen reader how to choose a part.
  private var hint: String {
    if content.state.growing().isEmpty {
      return tr("Choose a branch with a click, the arrow keys or 1 to 8.")
    }
    return tr("Choose a branch with a click, Left, Right or 1 to 8, and a growing sprout with Up or Down.")
  }

  /// Describes a part of the picture in one line.
  private func description(of target: TreeTarget, in garden: Garden) -> String {
    let (node, now) = (target.node, context.model.now)
    if node == .trunk {
      return branch == nil
        ? tr("The trunk: a ring for each year. Press it to read about this year.")
        : tr("The trunk: back to the whole tree.")
    }
    if let sprout = target.sproutID.flatMap({ garden.sprout(id: $0) }) {
      let place = garden.path(ofTwig: sprout.twigID)
      return dotted([clamped(sprout.title, to: 120), place, SproutTexts.state(of: sprout, in: garden, now: now)])
    }
    let counts = garden.nodeCounts(at: now)[node] ?? NodeCounts()
    let tended = content.colours != nil && branch == nil ? node.branch.flatMap { content.branches[$0].detail } : nil
    return dotted([garden.label(of: node), CountMarks.text(counts, tended: tended)])
  }

  /// When each limb was last tended, for screen readers; empty while it isn't shown.
  private var tendedText: String {
    guard content.colours != nil, branch == nil else { return "" }
    return " " + content.branches.map { $0.title + " " + ($0.detail ?? "") }.joined(separator: ", ")
  }
}

// MARK: - Moving

extension TreeCanvas {
  /// Zooms into a branch.
  func enter(_ branch: Int) {
    guard (0..<8).contains(branch), branch != self.branch else { return }
    self.branch = branch
    (hovered, fading) = (nil, nil)
    choose(nil)
    // Before the first frame, the branch is painted at once.
    if let scene { animate(to: scene.picture.camera(for: branch)) } else { picture.redraw() }
  }

  /// Zooms out to the whole tree.
  /// - Returns: whether a branch was zoomed into.
  @discardableResult
  func leave() -> Bool {
    guard let branch else { return false }
    self.branch = nil
    hovered = nil
    choose(picture.hasFocus ? .node(.branch(branch)) : nil)
    // A picture of the branch has cut edges: seen from farther away, the whole tree must be there.
    if picture.mayMove, let near = painted {
      fading = (near.snapshot, near.camera)
      painted = nil
    }
    animate(to: .whole)
    return true
  }

  private func animate(to destination: Camera) {
    (zoomedFrom, target) = (camera, destination)
    zoom?.start()
  }

  private func move(to share: Double) {
    zoomShare = share
    if share >= 1 { fading = nil }
    camera = share >= 1 ? target : zoomedFrom.mixed(with: target, share)
    picture.redraw()
  }
}
