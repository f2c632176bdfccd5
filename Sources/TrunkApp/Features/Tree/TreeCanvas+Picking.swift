import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel

/// Picking a twig in the form for planting.
extension TreeCanvas {
  /// In milliseconds.
  static let pickingZoomTime = 220
  /// The least width and height of the picture in a form, in pixels.
  static let leastSide = 260

  /// Shows the picked twig, and its branch; `nil` for none.
  func show(_ twig: Node?) {
    picked = twig
    if let branch = twig?.branch { enter(branch) }
    describe()
    picture.redraw()
  }

  /// The name of a part of the tree, and what belongs there.
  func meaning(of target: TreeTarget, in garden: Garden) -> String {
    guard target.node != .trunk else { return branch == nil ? pickingHint : tr("The trunk: back to the whole tree.") }
    return dotted([garden.label(of: target.node), garden.note(of: target.node)])
  }

  /// What to do in the picture if nothing is pointed at.
  var pickingHint: String {
    if picked != nil { return pickedText }
    return branch == nil ? tr("Each limb is a part of a life. Choose one to see its twigs.") : tr("Choose a twig.")
  }

  /// The picked twig for screen readers; empty if there is none.
  var pickedText: String {
    picked.map { tr("Chosen: {place}", ["place": context.model.garden.path(ofTwig: $0.id)]) } ?? ""
  }

  /// The names that are shown on the limb; `nil` for all. In a small form there is room only for what is chosen or
  /// pointed at.
  var shownNames: Set<Int>? {
    guard onPick != nil, branch != nil, picture.width < TreeCanvas.namesWidth else { return nil }
    let nodes = [picked, chosen?.node, hovered?.node].compactMap(\.self)
    return Set(nodes.filter { $0.branch == branch }.compactMap(TreeCanvas.number))
  }

  /// From this width on, the form has room for the names of all twigs, in pixels.
  private static let namesWidth = 400
}
