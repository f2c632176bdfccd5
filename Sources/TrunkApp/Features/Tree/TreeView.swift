import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The tree with its branches, twigs and leaves, and the pages of a branch, a twig, a leaf or a year.
final class TreeView: PagedView {
  var widget: Widget { pages.widget }

  /// Called when the user wants to leave a page.
  var onBack: (() -> Void)?
  var onOpen: ((Route) -> Void)?
  var onReturn: (() -> Void)?

  /// Whether the window is narrow.
  var isNarrow: Bool {
    get { list.isNarrow }
    set { list.isNarrow = newValue }
  }

  /// The width of the window in pixels. A wide one keeps the tree beside its pages.
  var width = 0 {
    didSet { fitPanes() }
  }

  /// From this width of the window on, in pixels, a page is beside the tree.
  private static let wideWidth = 1100
  /// The width of that page, in pixels.
  private static let pageWidth = 470

  private let context: WindowContext
  private let canvas: TreeCanvas
  let time: TimeMode
  private let list: TreeList
  /// The forms in which the tree is shown, by the names of `Settings.TreeForm`.
  private let forms = ViewStack()
  /// Shows the tree in its other form; in the foot while the whole tree is shown.
  let toggle = button("", "link") {}
  private let pages: ListDetail
  /// The node of the page that is or was open.
  private var lastNode: Node?

  init(_ context: WindowContext) {
    self.context = context
    canvas = TreeCanvas(context)
    time = TimeMode(context, canvas)
    list = TreeList(context)
    forms.add(time.widget, name: Settings.TreeForm.picture.rawValue, title: tr("Picture"), icon: TreeView.treeIcon)
    forms.add(list.widget, name: Settings.TreeForm.list.rawValue, title: tr("List"), icon: TreeView.listIcon)
    pages = ListDetail(list: forms.widget, pageWidth: TreeView.pageWidth)
    pages.onReturn = { [weak self] in
      self?.canvas.opened = nil
      self?.fitPanes()
      self?.onReturn?()
    }
    forms.widget.onKey { [weak self] press in self?.take(press) ?? false }
    toggle.on("clicked") { [weak self] in self?.switchForm() }
    widget.keeps(self)
    show(context.settings.treeForm ?? (screenReaderIsOn ? .list : .picture))
  }

  /// Leaves the page that is open, and shows a limb in the picture.
  func showLimb(_ branch: Int?) {
    pages.back()
    time.close()
    if let branch {
      canvas.enter(branch)
      lastNode = .branch(branch)
    }
    focus()
  }

  /// Opens the strip of the tree's days.
  func openTime() {
    showWhole()
    time.open()
  }

  /// Plays how the tree grew in a year.
  func play(_ year: Int32) {
    showWhole()
    time.play(year)
  }

  /// Leaves the page that is open, and shows the picture of the whole tree.
  private func showWhole() {
    pages.back()
    if form == .list { show(.picture) }
    canvas.leave()
  }

  /// Shows the picture instead of the list, or the list instead of the picture, and remembers it.
  func switchForm() {
    let form: Settings.TreeForm = form == .picture ? .list : .picture
    show(form)
    focus()
    context.attempt { [settings = context.settings] in try settings.set(treeForm: form) }
  }

  func openPage(of route: Route) -> Bool {
    switch route {
    case .branch(let branch):
      guard (0..<8).contains(branch) else { return false }
      let siblings = siblings(above: tr("Previous branch"), below: tr("Next branch"), of: branch) { .branch($0) }
      let page = BranchPage(context, branch, siblings: siblings, onBack: leave)
      show(page.widget, of: .branch(branch), focus: page.focus)
    case .twig(let id):
      guard let node = Node(id: id), case .twig(let branch, let twig) = node else { return false }
      let siblings = siblings(above: tr("Previous twig"), below: tr("Next twig"), of: twig) {
        .twig(Node.twig(branch: branch, twig: $0).id)
      }
      let page = TwigPage(context, node, siblings: siblings, onBack: leave)
      show(page.widget, of: node, focus: page.focus)
    case .leaf(let id):
      guard let leaf = context.model.garden.leaf(id: id) else {
        context.foot.show(tr("This leaf is not in the garden."))
        return false
      }
      let page = LeafPage(context, leafID: id, onBack: leave)
      show(page.widget, of: Node(id: leaf.twigID), focus: page.focus)
    case .year(let year):
      let page = YearPage(context, year, onMove: { [weak self] in self?.openSibling(.year($0)) }, onBack: leave)
      show(page.widget, of: nil, focus: page.focus)
    default: return false
    }
    return true
  }

  func back() {
    guard !pages.isListShown else { return }
    pages.back()
    // Going back may have opened another view, which then has the focus.
    if widget.isMapped { focus() }
  }

  /// Shows the whole tree.
  func showRoot() {
    time.close()
    canvas.leave()
    list.scrollToTop()
  }

  /// Moves the focus to the picture or into the list, unless a page is open.
  func focus() {
    guard pages.isListShown else { return }
    switch form {
    case .picture: time.isOpen ? time.focus() : canvas.focus()
    case .list: list.focus(on: lastNode ?? .branch(0))
    }
  }
}

extension TreeView {
  private static let treeIcon = "trunk-tree-symbolic"
  private static let listIcon = "view-list-symbolic"

  private var form: Settings.TreeForm { Settings.TreeForm(rawValue: forms.shown) ?? .picture }

  private func fitPanes() {
    let isWide = Double(width) / textScale >= Double(TreeView.wideWidth)
    pages.isSplit = isWide && !pages.isListShown
    time.fit(isWide: isWide && pages.isListShown, isNarrow: isNarrow)
  }

  private func take(_ press: KeyPress) -> Bool {
    guard press.modifiers.isEmpty, press.characters.contains("l") else { return false }
    widget.runLetter { [weak self] in self?.switchForm() }
    return true
  }

  private func show(_ form: Settings.TreeForm) {
    forms.shown = form.rawValue
    forms.concealHiddenViews()
    toggle.setText(form == .picture ? tr("As a List") : tr("As a Picture"))
    toggle.accessibleName(form == .picture ? tr("Show the Tree as a List") : tr("Show the Tree as a Picture"))
  }

  private func show(_ page: Widget, of node: Node?, focus: () -> Void) {
    lastNode = node
    canvas.opened = node
    pages.open(page)
    fitPanes()
    focus()
  }

  private var leave: @MainActor () -> Void {
    { [weak self] in
      guard let self else { return }
      if let onBack { onBack() } else { back() }
    }
  }

  /// Replaces a page by one beside it.
  private func openSibling(_ route: Route) {
    if openPage(of: route) { onOpen?(route) }
  }

  /// The pages beside one of eight, which are a circle.
  private func siblings(
    above: String, below: String, of position: Int, _ route: @escaping @MainActor (Int) -> Route
  ) -> PageFrame.Siblings {
    let siblings = PageFrame.Siblings(above: above, below: below)
    siblings.above = { [weak self] in self?.openSibling(route((position + 7) % 8)) }
    siblings.below = { [weak self] in self?.openSibling(route((position + 1) % 8)) }
    return siblings
  }
}
