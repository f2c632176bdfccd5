import EventStore
import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel

/// The form that plants a sprout: what, and where on the tree. Everything else is a sentence, or behind a quiet link.
///
/// It is a dialog and, in a garden without sprouts, all of Today. There, the place appears with the first letter of the
/// title, and the rest with the place.
final class PlantView {
  /// The words, and the tree beside or below them.
  let widget: Widget
  let title: LimitedRow

  /// Runs the intent of the main action and closes the form if it succeeds.
  var perform: (@escaping @MainActor () async throws -> Void) -> Void = { _ in }
  /// Called after the act of a planting, with the id of the sprout.
  var onPlanted: (String) -> Void = { _ in }
  /// Called now and after every change of what can be planted, with whether there is enough soil for it.
  var onAffordable: ((Bool) -> Void)? {
    didSet { onAffordable?(isAffordable) }
  }

  private let context: WindowContext
  // Weak, because the foot holds the dialog's content, which holds this object.
  private weak var foot: Foot?
  private let seedling = SeedlingChooser()
  private let place: PlaceField
  private let tree: TreeCanvas
  private let words: Widget
  /// The places of the tree: beside the words, and below the field for the place.
  private let beside = bin(), below = bin().size(height: PlantView.heightBelow).visible(false)
  /// The title of what was planted, in the place of the words.
  private let planted = paragraph("", "moment-title").visible(false)
  private let clock: ActClock
  private let season: WordChoice
  private let ground: WordChoice
  private let harvest = paragraph("", "second")
  private let soil = PlantSoil()
  private let leaf = LeafChooser()
  private let wither, budding, flourish: LimitedRow
  private let blooms, leafLink, seedlingLink: Disclosure
  private let hopes: Widget
  private let restored = line(spacing: 12)
  /// What follows the place.
  private let details = column(spacing: 18)
  /// What comes next, below the title of a form that isn't complete yet.
  private let next = paragraph(tr("Then choose a limb of your tree for it."), "hint").margin(start: 2)
  private let start: GardenModel.PlantForm
  private let isGradual: Bool
  private let drafts: DraftSession
  /// The form as it was opened. It is no draft until it differs from this.
  private var opened: GardenModel.PlantForm?
  private var isAffordable = true
  /// Offers to bring the form back. It ends with the form.
  private weak var emptied: FootMessage?
  /// The twig whose leaves can be chosen.
  private var leafTwig: Node?

  private static let wordsWidth = 460
  /// Of the tree below the words, with its line: a limb must be large enough for a finger.
  private static let heightBelow = 300
  /// From this width on, the tree is beside the words.
  private static let wideWidth = 760

  /// - Parameters:
  ///   - start: the initial values.
  ///   - origin: what the form was opened for, as in `DraftKey.plantForm`.
  ///   - slot: where the draft to continue is, if it isn't the newest one of the origin.
  ///   - window: the window that the form belongs to, or the page. The form is saved when it is destroyed, which is
  ///     before its fields are.
  ///   - frame: what is above a form whose parts appear one after the other, and its main action.
  init(
    _ context: WindowContext, start: GardenModel.PlantForm, origin: String, slot: DraftKey? = nil,
    window: Widget, foot: Foot, frame: (above: Widget, action: Widget)? = nil
  ) {
    (self.context, self.start, self.foot, isGradual) = (context, start, foot, frame != nil)
    title = LimitedRow(
      tr("What will you grow?"), text: start.title, placeholder: isGradual ? tr("play the first Bach suite") : nil,
      limit: .title)
    place = PlaceField(isBesideTree: true) { context.model.garden }
    var picked: (@MainActor (Node) -> Void)?
    tree = TreeCanvas(context, onPick: { picked?($0) })
    (season, ground) = (PlantView.choice(of: start.season), PlantView.choice(of: start.ground))
    wither = LimitedRow(tr("Withering"), text: start.bloomWither, limit: .withering)
    budding = LimitedRow(tr("Budding"), text: start.bloomBudding, limit: .budding)
    flourish = LimitedRow(tr("Flourishing"), text: start.bloomFlourish, limit: .flourishing)
    hopes = PlantView.hopes(wither, budding, flourish)
    let idea = boxedList(seedling.row.widget).accessibleName(tr("From a seedling"))
    blooms = Disclosure(tr("How Will You Know?"), hopes)
    leafLink = Disclosure("", leaf.widget)
    seedlingLink = Disclosure(tr("From a Seedling"), idea)
    drafts = .open(.plant, about: slot?.entity ?? origin, in: context, foot: foot)
    let words = column(spacing: 18)
    self.words = scrolled(words.margin(top: 12, bottom: 24, start: 18, end: 18))
    clock = ActClock(window, in: frame == nil ? nil : context.window)
    widget = overlay(
      besideOrBelow(self.words, beside, width: PlantView.wideWidth, firstWidth: PlantView.wordsWidth, height: 320),
      planted.size(width: PlantView.wordsWidth - 60).halign(.start).valign(.center).margin(start: 30).targetable(false))
    picked = { [weak self] in self?.pick($0) }
    beside.setChild(tree.widget)
    // This runs during size allocation, so the tree must wait for the next turn of the loop.
    tree.picture.on("resize") { [weak self] in Task { self?.placeTree() } }
    if let frame { words.append(frame.above) }
    fill(words, idea: idea, action: frame?.action)
    connect()
    seedling.show(context.model.garden, selected: start.seedlingID)
    showPlace(start.twig, leaf: start.leaf)
    openFilled(start)
    context.follow(window) { [weak self] in self?.render() }
    window.on("destroy") { [weak self] in
      self?.drafts.close()
      self?.emptied?.dismiss()
    }
    opened = form
    tree.usesFoot = isGradual
    if isGradual { for part in [place.widget, details] { part.visible(false) } }
    reveal()
    widget.keeps(self)
  }

  private static func choice(of season: Season) -> WordChoice {
    WordChoice(
      name: tr("Season"), sentence: tr("for {season}", ["season": WordChoice.gap]),
      words: Season.allCases.map(Formats.seasonWord),
      titles: Season.allCases.map { startingLarge(Formats.seasonWord($0)) },
      selected: Season.allCases.firstIndex(of: season) ?? 0)
  }

  private static func choice(of ground: Ground) -> WordChoice {
    WordChoice(
      name: tr("Ground"), sentence: tr("on {ground} ground.", ["ground": WordChoice.gap]),
      words: Ground.allCases.map(Formats.groundWord), titles: Ground.allCases.map(Formats.ground),
      picture: { rootsPicture(Ground.allCases[$0]) }, selected: Ground.allCases.firstIndex(of: ground) ?? 0)
  }

  private static func hopes(_ lines: LimitedRow...) -> Widget {
    let hint = tr(
      "Describe a poor, a fair and a rich harvest, one line each. You will see them again when you harvest.")
    let list = boxedList().accessibleName(tr("How will you know?"))
    for line in lines { list.append(line.widget) }
    return column(spacing: 8, list, paragraph(hint, "hint").margin(start: 2))
  }

  /// Looks for the form from earlier. If the user changes the new form before the old one is found, the new form keeps
  /// its own slot, and the old one is restored next time.
  func restore() { drafts.restore() }

  /// Waits until it is clear which draft this form continues.
  func restored() async { await drafts.restored() }

  func isOwn(_ draft: DraftKey) -> Bool { drafts.isOwn(draft) }

  /// Moves the focus to the title, so that typing replaces a suggested one.
  func focus() { title.focusToReplace() }

  /// Plants, or moves the focus to what is missing.
  func submit() {
    let form = form
    if form.title.trimmed.isEmpty {
      title.show(problem: IntentError.titleMissing.message)
      return title.focus()
    }
    guard form.twig != nil else { return place.askForPlace() }
    guard Soil.cost(form.season, form.ground) <= context.model.garden.available else { return soil.focusWayOut() }
    perform { [self] in
      let before = context.treeState
      var sproutID = ""
      try await drafts.commit { sproutID = try await context.model.plant(form, from: $0.key) }
      await showAct(of: sproutID, from: before)
      onPlanted(sproutID)
    }
  }

  /// Lets the sprout come out of its twig, with its title in place of the form. Returns when that is over.
  private func showAct(of sproutID: String, from before: TreeState) async {
    // The window may have been closed while the sprout was written.
    guard context.foot.isOnScreen, foot?.isOnScreen == true, tree.widget.isMapped,
      let sprout = context.model.garden.sprout(id: sproutID)
    else { return }
    let isWide = widget.width >= PlantView.wideWidth
    // Among the words, the tree may be out of sight.
    if !isWide {
      setTree(isBelow: false)
      words.visible(false)
    }
    planted.visible(isWide).setText(sprout.title)
    tree.begin(planting: sprout, from: before, title: isWide ? "" : sprout.title)
    await withCheckedContinuation { over in
      clock.run(.planting, pause: PlantView.rest, on: tree.widget) { [tree, words, planted] time in
        words.opacity(1 - time / 200)
        planted.opacity(Act.planting.words(at: time))
        tree.showAct(at: time)
      } onEnd: {
        over.resume()
      }
    }
  }

  /// How long the open leaflets are shown before the form closes, in milliseconds.
  private static let rest = 300.0
}

extension PlantView {
  /// - Parameter action: follows the sentence.
  private func fill(_ words: Widget, idea: Widget, action: Widget?) {
    let links = wrapping(spacing: 18, lineSpacing: 4, blooms.link, leafLink.link, seedlingLink.link)
    let what = boxedList(title.widget.css("main-title")).accessibleName(tr("The sprout"))
    words.append(restored, column(spacing: 8, what, next, seedling.notes), place.widget, below, details)
    let date = column(spacing: 10, harvest, soil.widget)
    if let action { date.append(action.margin(top: 8)) }
    details.append(
      column(spacing: 4, season.widget, ground.widget), date, column(spacing: 12, links, hopes, leaf.widget, idea))
  }

  /// Moves the tree to the place where there is room for it. An act has its own.
  private func placeTree() {
    guard words.isVisible, widget.width > 0 else { return }
    setTree(isBelow: widget.width < PlantView.wideWidth)
  }

  private func setTree(isBelow: Bool) {
    guard isBelow != below.isVisible else { return }
    beside.visible(!isBelow)
    below.visible(isBelow)
    if isBelow { beside.moveChild(to: below) } else { below.moveChild(to: beside) }
  }

  /// Shows the parts of the form that follow what is filled in. What is shown stays, because what is below it would
  /// move away from the pointer.
  private func reveal() {
    place.widget.visible(!isGradual || place.widget.isVisible || !title.text.trimmed.isEmpty || place.twig != nil)
    details.visible(!isGradual || details.isVisible || place.twig != nil)
    next.visible(!place.widget.isVisible)
  }

  private var form: GardenModel.PlantForm {
    var form = GardenModel.PlantForm(twig: place.twig, leaf: leaf.choice)
    form.title = title.text
    form.season = Season.allCases[season.selected]
    form.ground = Ground.allCases[ground.selected]
    form.bloomWither = wither.text
    form.bloomBudding = budding.text
    form.bloomFlourish = flourish.text
    form.seedlingID = seedling.picked?.id
    return form
  }

  private func connect() {
    title.onChange = { [weak self] in
      self?.place.titleChanged()
      self?.changed()
    }
    // In a dialog, Enter presses the button of its main action.
    if isGradual { title.onSubmit = { [weak self] in self?.submit() } }
    tree.onLetter = { [weak self] in self?.type($0) }
    place.title = { [weak self] in self?.title.text ?? "" }
    place.onSubmit = { [weak self] in self?.submit() }
    place.onPick = { [weak self] in
      self?.showLeaves(of: $0)
      self?.tree.show($0)
      self?.changed()
    }
    for row in [wither, budding, flourish] { row.onChange = { [weak self] in self?.changed() } }
    leaf.onChange = { [weak self] in
      self?.showLeafLink()
      self?.changed()
    }
    for choice in [season, ground] { choice.onSelect = { [weak self] _ in self?.choiceChanged() } }
    soil.onShorten = { [weak self] in self?.select($0) }
    soil.onKeepIdea = { [weak self] in self?.keepIdea() }
    blooms.onOpen = { [weak self] in self?.wither.focus() }
    drafts.onShow = { [weak self] in
      if let form = $0.plantForm { self?.bringBack(form) }
    }
    restored.append(
      paragraph(tr("This is a draft from earlier."), "hint").hexpand(),
      button(tr("Start Over"), "flat", "link") { [weak self] in self?.startOver() })
    restored.visible(false)
    seedling.onPick = { [weak self] in self?.take($0) }
  }

  /// Takes a letter that was typed on the tree, for the place or, before that is shown, for the title.
  private func type(_ letter: String) {
    if place.widget.isVisible { return place.begin(with: letter) }
    title.text += letter
    title.focus()
  }

  /// Takes Alt and a digit for the season, with Shift for the ground.
  func takeAltDigit(_ digit: Int, isGround: Bool) -> Bool {
    let (choice, count) = isGround ? (ground, Ground.allCases.count) : (season, Season.allCases.count)
    guard digit <= count else { return false }
    choice.selected = digit - 1
    choiceChanged()
    return true
  }

  private func select(_ season: Season) {
    self.season.selected = Season.allCases.firstIndex(of: season) ?? 0
    choiceChanged()
    title.focus()
  }

  private func choiceChanged() {
    render()
    changed()
  }

  private func changed() {
    reveal()
    let (form, key) = (form, drafts.value.key)
    drafts.change(to: form == opened ? DraftContent([:], in: key) : DraftContent(form, in: key))
  }

  private func show(_ form: GardenModel.PlantForm) {
    title.text = form.title
    season.selected = Season.allCases.firstIndex(of: form.season) ?? 0
    ground.selected = Ground.allCases.firstIndex(of: form.ground) ?? 0
    (wither.text, budding.text, flourish.text) = (form.bloomWither, form.bloomBudding, form.bloomFlourish)
    showPlace(form.twig, leaf: form.leaf)
    seedling.show(context.model.garden, selected: form.seedlingID)
    openFilled(form)
    render()
    changed()
  }

  /// Opens what is behind a link if there is something in it.
  private func openFilled(_ form: GardenModel.PlantForm) {
    blooms.isOpen = !(form.bloomWither + form.bloomBudding + form.bloomFlourish).isEmpty
    leafLink.isOpen = form.leaf != .new(name: "")
    seedlingLink.link.visible(!context.model.garden.seedlings.isEmpty)
  }

  private func showPlace(_ twig: Node?, leaf choice: GardenModel.LeafChoice) {
    place.show(twig)
    tree.show(twig)
    leafTwig = twig
    leaf.show(context.model.garden, twig: twig, choice: choice)
    showLeafLink()
  }

  /// Chooses a twig on the tree.
  private func pick(_ twig: Node) {
    place.show(twig)
    tree.show(twig)
    showLeaves(of: twig)
    changed()
  }

  /// A leaf belongs to its twig, so only the name of a new leaf is kept for another twig.
  private func showLeaves(of twig: Node?) {
    guard let twig, twig != leafTwig else { return }
    leafTwig = twig
    var choice = leaf.choice
    if case .existing = choice { choice = .new(name: "") }
    leaf.show(context.model.garden, twig: twig, choice: choice)
    showLeafLink()
  }

  private func showLeafLink() {
    leafLink.setTitle(
      leaf.leafName.map { tr("Leaf: {name}", ["name": clamped($0, to: 40)]) } ?? tr("Leaf: a new one"))
  }

  private func bringBack(_ form: GardenModel.PlantForm) {
    show(form)
    restored.visible(true)
    title.focus()
  }

  private func startOver() {
    let before = form
    show(start)
    restored.visible(false)
    title.focus()
    emptied = foot?.show(
      tr("The form is empty again."), button: (tr("Undo"), { [weak self] in self?.bringBack(before) }), isUndo: true)
  }

  /// Takes over the title and the twig of a picked seedling.
  private func take(_ seedling: Seedling?) {
    if let seedling {
      title.text = seedling.title
      if let node = Node(id: seedling.twigID), node.isTwig, node != place.twig {
        showPlace(node, leaf: .new(name: ""))
      }
    }
    render()
    changed()
  }

  /// Keeps what was written as a seedling, which costs no soil. The lines for its harvest become its notes.
  private func keepIdea() {
    let form = form
    guard let twig = form.twig else { return place.askForPlace() }
    let notes = [form.bloomWither, form.bloomBudding, form.bloomFlourish].filter { !$0.trimmed.isEmpty }
    perform { [self] in
      try await drafts.commit {
        try await context.createSeedling(form.title, notes: notes.joined(separator: "\n"), on: twig, clearing: $0)
      }
    }
  }

  private func render() {
    let (garden, now, form) = (context.model.garden, context.model.now, form)
    season.show(
      meanings: Season.allCases.map { season in
        tr(
          "Harvest from {date}. Takes {share} of your soil.",
          [
            "date": Formats.dayAndYear(now.adding(seconds: season.seconds), now: now, in: garden.zone),
            "share": garden.soilShare(of: Soil.cost(season, form.ground)).words,
          ])
      })
    ground.show(meanings: Ground.allCases.map { $0.meaning(garden.soilShare(of: Soil.cost(form.season, $0))) })
    let date = Formats.dayAndYear(now.adding(seconds: form.season.seconds), now: now, in: garden.zone)
    harvest.setMarkup(tr("Harvest it from {date}.", ["date": "<b>\(escaped(date))</b>"]))
    soil.show(form, in: garden, at: now, isIdea: form.seedlingID != nil)
    isAffordable = garden.available >= Soil.cost(form.season, form.ground)
    onAffordable?(isAffordable)
  }
}
