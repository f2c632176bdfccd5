import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Plants a sprout: title, place, season, ground and bloom lines.
final class PlantDialog {
  private let context: WindowContext
  private let dialog: DialogWindow
  private let actionButton: Widget
  private let title: LimitedRow
  private let seedling = SeedlingChooser()
  private let twig: TwigChooser
  private let season: Segments
  private let ground: Segments
  private let groundHint = paragraph("", "hint").margin(start: 2)
  private let history = paragraph("", "hint").margin(start: 2)
  private let leaf = LeafChooser()
  private let wither: LimitedRow
  private let budding: LimitedRow
  private let flourish: LimitedRow
  private let outlook = PlantOutlook()
  /// Why it can't be planted, above everything, and next to the choices that decide the cost.
  private let problem = paragraph("", "trouble").visible(false)
  private let costProblem = paragraph("", "error").margin(start: 2).visible(false)
  private let restored = line(spacing: 12)
  private let start: GardenModel.PlantForm
  private let drafts: PlantFormKeeper
  private lazy var titledAction = TitledAction(context, dialog, title: title)

  /// - Parameters:
  ///   - prefill: initial values of the form; without it, the twig that was planted on last.
  ///   - origin: where the form was opened, if it isn't for the prefilled object.
  init(_ context: WindowContext, prefill: GardenModel.PlantForm? = nil, origin: String? = nil) {
    self.context = context
    let garden = context.model.garden
    let start =
      prefill ?? GardenModel.PlantForm(twig: garden.sprouts.last?.node ?? .twig(branch: 0, twig: 0))
    self.start = start
    title = LimitedRow(tr("What will you grow?"), text: start.title, limit: .title)
    twig = TwigChooser(garden, twig: start.twig)
    season = Segments(
      name: tr("Season"), Season.allCases.map(Formats.season),
      selected: Season.allCases.firstIndex(of: start.season) ?? 0)
    ground = Segments(
      name: tr("Ground"), Ground.allCases.map(Formats.ground),
      selected: Ground.allCases.firstIndex(of: start.ground) ?? 0)
    wither = LimitedRow(tr("Withering"), text: start.bloomWither, limit: .withering)
    budding = LimitedRow(tr("Budding"), text: start.bloomBudding, limit: .budding)
    flourish = LimitedRow(tr("Flourishing"), text: start.bloomFlourish, limit: .flourishing)
    let content = column(spacing: 18)
    dialog = DialogWindow(
      over: context.window, title: tr("Plant a Sprout"), closeTitle: tr("Close"),
      content: content)
    drafts = PlantFormKeeper(context, origin: origin ?? prefill?.origin ?? "", toaster: dialog.toaster)
    actionButton = dialog.addActionButton(tr("Plant"), "plant", keys: tr("Ctrl+Enter")) {}
    fill(content)
    connect()
    seedling.show(garden, selected: start.seedlingID)
    leaf.show(garden, twig: start.twig, choice: start.leaf)
    context.follow(dialog.widget) { [weak self] in self?.render() }
    dialog.widget.keeps(self)
    dialog.widget.on("destroy") { [weak self] in self?.drafts.close() }
    drafts.begin(with: form)
  }

  /// Opens the form for this twig.
  convenience init(_ context: WindowContext, twig: Node) {
    self.init(context, prefill: twig.isTwig ? .init(twig: twig) : nil)
  }

  /// Opens the form with the values of this seedling.
  convenience init(_ context: WindowContext, seedling: Seedling) {
    self.init(context, prefill: .init(from: seedling))
  }

  /// Opens the form for its draft.
  /// - Parameter origin: the id of the leaf, twig or seedling that the form was first opened for; it may be gone.
  convenience init(_ context: WindowContext, continuing origin: String) {
    let idea = context.model.garden.seedling(id: origin).flatMap(GardenModel.PlantForm.init)
    let twig = Node(id: origin).flatMap { $0.isTwig ? GardenModel.PlantForm(twig: $0) : nil }
    self.init(
      context, prefill: idea ?? context.model.continuation(ofLeaf: origin) ?? twig, origin: origin)
  }

  func present() {
    title.focusToReplace()
    dialog.present()
    drafts.restore()
  }
}

extension PlantDialog {
  private func fill(_ content: Widget) {
    content.append(
      restored, problem,
      column(spacing: 8, boxedList(title.widget, seedling.row.widget).accessibleName(tr("The sprout")), seedling.notes),
      captioned(tr("Where"), twig.widget), captioned(tr("Season"), season.widget),
      captioned(tr("Ground"), ground.widget, costProblem, groundHint, history), leaf.widget,
      captioned(
        tr("How will you know?"),
        boxedList(wither.widget, budding.widget, flourish.widget).accessibleName(tr("How will you know?")),
        paragraph(
          tr("Describe a poor, a fair and a rich harvest, one line each. You will see them again when you harvest."),
          "hint"
        )
        .margin(start: 2)),
      outlook.widget)
  }

  private var form: GardenModel.PlantForm {
    var form = GardenModel.PlantForm(twig: twig.twig, leaf: leaf.choice)
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
    actionButton.on("clicked") { [weak self] in self?.plant() }
    dialog.onSubmit { [weak self] in self?.plant() }
    title.onChange = { [weak self] in
      // Dismiss the message that the title is missing.
      self?.dialog.toaster.dismiss()
      self?.changed()
    }
    for row in [wither, budding, flourish] { row.onChange = { [weak self] in self?.changed() } }
    leaf.onChange = { [weak self] in self?.changed() }
    for choice in [season, ground] {
      choice.onSelect = { [weak self] _ in
        self?.render()
        self?.changed()
      }
    }
    drafts.onRestore = { [weak self] in self?.bringBack($0) }
    restored.append(
      paragraph(tr("This is a draft from earlier."), "hint").hexpand(),
      button(tr("Start Over"), "flat", "link") { [weak self] in self?.startOver() })
    restored.visible(false)
    seedling.onPick = { [weak self] in self?.take($0) }
    twig.onPick = { [weak self] in
      guard let self else { return }
      // A leaf belongs to its twig, so only the name of a new leaf is kept for the new twig.
      var choice = leaf.choice
      if case .existing = choice { choice = .new(name: "") }
      leaf.show(context.model.garden, twig: twig.twig, choice: choice)
      changed()
    }
  }

  private func changed() { drafts.changed(to: form) }

  private func show(_ form: GardenModel.PlantForm) {
    let garden = context.model.garden
    title.text = form.title
    twig.show(form.twig)
    season.selected = Season.allCases.firstIndex(of: form.season) ?? 0
    ground.selected = Ground.allCases.firstIndex(of: form.ground) ?? 0
    (wither.text, budding.text, flourish.text) = (form.bloomWither, form.bloomBudding, form.bloomFlourish)
    leaf.show(garden, twig: form.twig, choice: form.leaf)
    seedling.show(garden, selected: form.seedlingID)
    render()
    changed()
  }

  private func bringBack(_ form: GardenModel.PlantForm) {
    show(form)
    restored.visible(true)
    dialog.fit()
    title.focus()
  }

  private func startOver() {
    let before = form
    show(start)
    restored.visible(false)
    title.focus()
    dialog.toaster.show(
      tr("The form is empty again."), button: (tr("Undo"), { [weak self] in self?.bringBack(before) }))
  }

  /// Takes over the title and the twig of a picked seedling.
  private func take(_ seedling: Seedling?) {
    if let seedling {
      title.text = seedling.title
      if let node = Node(id: seedling.twigID), node.isTwig, node != twig.twig {
        twig.show(node)
        leaf.show(context.model.garden, twig: node, choice: .new(name: ""))
      }
    }
    changed()
  }

  private func render() {
    let (garden, now, form) = (context.model.garden, context.model.now, form)
    let cost = Soil.cost(form.season, form.ground)
    let short = Formats.shortSoil(cost)
    // Translators: {change} has its sign, as in +0.05.
    actionButton.setText(tr("Plant {change}", ["change": numbers(Formats.gain(-cost))]))
    outlook.show(form, in: garden, at: now)
    groundHint.setText(form.ground.meaning)
    history.setText(garden.history(form.season, form.ground).sentence)
    let affordability = garden.affordability(of: cost, at: now)
    actionButton.sensitive(affordability == .now)
    costProblem.visible(affordability != .now)
    costProblem.setText(
      tr("Costs {cost}, but only {available} is free.", ["cost": short, "available": Formats.soil(garden.available)]))
    problem.visible(affordability != .now)
    problem.setText(garden.sentence(affordability, cost: cost, now: now))
  }

  private func plant() {
    titledAction.run { [self] in
      let form = form
      try await drafts.finish { try await context.model.plant(form, from: $0) }
    }
  }
}
