import Garden
import Gardening
import GtkKit
import Localization

/// Plants a sprout: what, where, how long, how hard, and how one will know.
final class PlantDialog {
  private let session: Session
  private let dialog: DialogWindow
  private let deed: Widget
  private let title: LimitedRow
  private let ideas = PickRow(tr("From an idea"), [""])
  private let idea = paragraph("", "hint").margin(start: 4, end: 4)
  private let twig: TwigChooser
  private let season: Segments
  private let environment: Segments
  private let ground = paragraph("", "hint").margin(start: 2)
  private let history = paragraph("", "hint").margin(start: 2)
  private let leaf = LeafChooser()
  private let wither: LimitedRow
  private let budding: LimitedRow
  private let flourish: LimitedRow
  private let facts = Facts(
    name: tr("What it takes and gives"), tr("Harvest from"), tr("Soil"), tr("Capacity at harvest"))
  private let gains = paragraph("", "hint", "numeric")
  private let trouble = paragraph("", "trouble").visible(false)
  private var seedlings: [Seedling] = []
  private lazy var titledDeed = TitledDeed(session, dialog, title: title)

  /// - Parameter prefill: what the form starts from; without it, the twig that was planted on last.
  init(_ session: Session, prefill: Gardener.Planting? = nil) {
    self.session = session
    let garden = session.gardener.garden
    let start =
      prefill ?? Gardener.Planting(twig: garden.sprouts.last?.node ?? .twig(branch: 0, twig: 0))
    title = LimitedRow(tr("What will you grow?"), text: start.title, limit: Limits.title)
    twig = TwigChooser(garden, twig: start.twig)
    season = Segments(
      name: tr("Season"), Season.allCases.map(Formats.season),
      selected: Season.allCases.firstIndex(of: start.season) ?? 0)
    environment = Segments(
      name: tr("Ground"), Environment.allCases.map(Formats.environment),
      selected: Environment.allCases.firstIndex(of: start.environment) ?? 0)
    wither = LimitedRow(tr("Withering"), text: start.bloomWither, limit: Limits.bloom)
    budding = LimitedRow(tr("Budding"), text: start.bloomBudding, limit: Limits.bloom)
    flourish = LimitedRow(tr("Flourishing"), text: start.bloomFlourish, limit: Limits.bloom)
    let content = column(spacing: 18)
    dialog = DialogWindow(
      over: session.window, title: tr("Plant a Sprout"), closeTitle: tr("Cancel"),
      content: content)
    deed = dialog.addDeed(tr("Plant"), "plant") {}
    content.append(
      column(spacing: 8, boxedList(title.widget, ideas.widget).named(tr("The sprout")), idea),
      captioned(tr("Where"), twig.widget), captioned(tr("Season"), season.widget),
      captioned(tr("Ground"), environment.widget, ground, history), leaf.widget,
      captioned(
        tr("How will you know?"),
        boxedList(wither.widget, budding.widget, flourish.widget).named(tr("How will you know?")),
        paragraph(tr("A line for a poor, a fair and a rich harvest. You read them again on that day."), "hint")
          .margin(start: 2)),
      column(spacing: 8, facts.widget, gains, trouble))
    connect()
    showIdeas(planted: start.seedlingID)
    leaf.show(garden, twig: start.twig, choice: start.leaf)
    session.follow(dialog.widget) { [weak self] in self?.render() }
    dialog.widget.keeps(self)
  }

  /// Plants on this twig.
  convenience init(_ session: Session, twig: Node) {
    self.init(session, prefill: twig.isTwig ? .init(twig: twig) : nil)
  }

  /// Plants what was an idea.
  convenience init(_ session: Session, seedling: Seedling) {
    self.init(session, prefill: .init(from: seedling))
  }

  func present() {
    dialog.present()
    title.focus()
  }
}

extension PlantDialog {
  private var planting: Gardener.Planting {
    var planting = Gardener.Planting(twig: twig.twig, leaf: leaf.choice)
    planting.title = title.text
    planting.season = Season.allCases[season.selected]
    planting.environment = Environment.allCases[environment.selected]
    planting.bloomWither = wither.text
    planting.bloomBudding = budding.text
    planting.bloomFlourish = flourish.text
    planting.seedlingID = pickedIdea?.id
    return planting
  }

  private var pickedIdea: Seedling? { ideas.selected == 0 ? nil : seedlings[ideas.selected - 1] }

  private func connect() {
    deed.on("clicked") { [weak self] in self?.plant() }
    // A complaint about it is answered.
    title.onChange = { [weak self] in self?.dialog.toaster.dismiss() }
    season.onSelect = { [weak self] _ in self?.render() }
    environment.onSelect = { [weak self] _ in self?.render() }
    ideas.onPick = { [weak self] _ in self?.takeIdea() }
    twig.onPick = { [weak self] in
      guard let self else { return }
      // A leaf belongs to its twig; the name of a new one moves along.
      var choice = leaf.choice
      if case .existing = choice { choice = .new(name: "") }
      leaf.show(session.gardener.garden, twig: twig.twig, choice: choice)
    }
  }

  private func showIdeas(planted seedlingID: String?) {
    seedlings = session.gardener.garden.seedlings.reversed()
    ideas.widget.visible(!seedlings.isEmpty)
    let position = seedlings.firstIndex { $0.id == seedlingID }.map { $0 + 1 } ?? 0
    ideas.show([tr("None")] + seedlings.map(\.title), selected: position)
    showNotes()
  }

  private func takeIdea() {
    if let idea = pickedIdea {
      title.text = idea.title
      if let node = Node(id: idea.twigID), node.isTwig, node != twig.twig {
        twig.show(node)
        leaf.show(session.gardener.garden, twig: node, choice: .new(name: ""))
      }
    }
    showNotes()
  }

  private func showNotes() {
    let notes = pickedIdea?.notes ?? ""
    idea.visible(!notes.isEmpty)
    idea.setText(notes)
  }

  private func render() {
    let (garden, now, planting) = (session.gardener.garden, session.gardener.now, planting)
    let cost = Soil.cost(planting.season, planting.environment)
    let short = Formats.shortSoil(cost)
    // Translators: {change} has its sign, as in +0.05.
    deed.setText(tr("Plant {change}", ["change": numbers(Formats.gain(-cost))]))
    facts.show(Formats.date(now.adding(seconds: planting.season.seconds), in: garden.zone), at: 0)
    facts.show(tr("{cost} of {available}", ["cost": short, "available": Formats.soil(garden.available)]), at: 1)
    let gained = garden.capacityGains(planting.season, planting.environment).map { "+" + Formats.soil($0) }
    facts.show(numbers(gained[0] + " … " + gained[4]), at: 2)
    gains.setText(
      tr(
        "Withered {one} · Wilted {two} · Budded {three} · Bloomed {four} · Flourished {five}",
        [
          "one": numbers(gained[0]), "two": numbers(gained[1]), "three": numbers(gained[2]),
          "four": numbers(gained[3]), "five": numbers(gained[4]),
        ]))
    ground.setText(planting.environment.meaning)
    history.setText(garden.history(planting.season, planting.environment).sentence)
    let affordability = garden.affordability(of: cost, at: now)
    deed.sensitive(affordability == .now)
    trouble.visible(affordability != .now)
    trouble.setText(garden.sentence(affordability, cost: cost, now: now))
  }

  private func plant() {
    titledDeed.run { [self] in
      let planting = planting
      try await session.gardener.plant(planting)
      session.toaster.show(tr("Planted “{title}”", ["title": String(planting.title.trimmed)]))
    }
  }
}

extension Environment {
  /// What it is like to grow there, and what that is worth.
  fileprivate var meaning: String {
    switch self {
    case .fertile: tr("Fertile: it comes easily, time and help are there. Costs the least, gains the least.")
    case .firm: tr("Firm: it takes an effort, and you know how.")
    case .barren: tr("Barren: hard, and far from what you do now. Costs the most, gains the most.")
    }
  }
}

extension Garden.History {
  /// How it went with this season and ground so far.
  fileprivate var sentence: String {
    guard planted > 0 else { return tr("The first of this season and ground.") }
    let start = trn("You planted {n} like this before", "You planted {n} like this before", planted)
    guard harvested > 0, let usualResult else { return tr("{start}; none is harvested yet.", ["start": start]) }
    return trn(
      "{start}: {n} harvested, “{result}”.", "{start}: {n} harvested, mostly “{result}”.", harvested,
      ["start": start, "result": Formats.result(usualResult)])
  }
}

extension Garden {
  /// Why something can't be planted, and when it could.
  fileprivate func sentence(_ affordability: Affordability, cost: Double, now: Instant) -> String {
    let cost = Formats.shortSoil(cost)
    switch affordability {
    case .now: return ""
    case .later(let instant) where instant <= now:
      return tr(
        "This needs {cost} soil, and {available} is free. Harvest what is ready, and it is there.",
        ["cost": cost, "available": Formats.soil(available)])
    case .later(let instant):
      return tr(
        "This needs {cost} soil, and {available} is free. With daily care it is there around {date}.",
        ["cost": cost, "available": Formats.soil(available), "date": Formats.dayAndMonth(instant, in: zone)])
    case .beyondCapacity:
      return tr(
        "This needs {cost} soil, and your garden holds {capacity} in all. Harvests make it larger: begin with a shorter season or gentler ground.",
        ["cost": cost, "capacity": Formats.soil(capacity)])
    }
  }
}
