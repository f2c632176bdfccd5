import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// Harvests a sprout: its result, a reflection, and whether to continue the leaf.
final class HarvestDialog {
  private let context: WindowContext
  private let sproutID: String
  private let dialog: DialogWindow
  private let deed: Widget
  private let title = paragraph("", "semibold")
  private let story = paragraph("", "hint")
  private let marks: Segments
  private let blooms = column(spacing: 3)
  private let area: TextArea
  private let drafts: DraftKeeper
  private let facts = Facts(name: tr("Harvest gains"), tr("Soil returned"), tr("Capacity"))
  private let page = column(spacing: 18)
  private let trouble = paragraph("", "trouble")
  private let offer = column(spacing: 10)
  private let offerTitle = paragraph("", "title-3").centred()
  private let offerHint = paragraph("", "hint").centred()
  private let next: Widget
  private var wasActive: Bool?
  private var isBusy = false

  /// - Parameter sproutID: a sprout that is ready to harvest.
  init(_ context: WindowContext, _ sproutID: String) {
    (self.context, self.sproutID) = (context, sproutID)
    let content = column()
    dialog = DialogWindow(
      over: context.window, title: tr("Harvest"), closeTitle: tr("Later"), content: content
    )
    deed = dialog.addDeed(tr("Harvest"), "harvest") {}
    marks = Segments(.tiles, name: tr("How did it grow?"), (1...5).map(Self.mark), selected: 2)
    area = TextArea(
      name: tr("What do you take with you?"), placeholder: tr("A sentence for later years"), limit: Limits.journal)
    context.spelling.check(area)
    drafts = DraftKeeper(context, .harvest, about: sproutID, area: area, toaster: dialog.toaster)
    next = button(tr("Plant the Next One"), "plant") {}
    page.append(
      column(spacing: 2, title, story), captioned(tr("How did it grow?"), marks.widget, blooms),
      captioned(tr("What do you take with you?"), area.widget), column(spacing: 8, facts.widget, trouble))
    let done = button(tr("Done")) { [weak self] in self?.dialog.close() }
    offer.append(
      icon("trunk-harvest-symbolic", size: 48).css("green"), offerTitle, offerHint,
      column(spacing: 8, next, done, undoButton(context, sproutID, dialog.toaster)).align(.center)
        .margin(top: 10))
    content.append(page, offer.css("empty-state").align(.center))
    connect()
    context.follow(dialog.widget) { [weak self] in self?.render() }
    dialog.widget.keeps(self)
  }

  func present() {
    dialog.present()
    marks.focus()
    drafts.restore()
  }
}

extension HarvestDialog {
  private var result: Int { marks.selected + 1 }

  private static func mark(_ result: Int) -> String {
    tr("{n}\n{name}", ["n": "\(result)", "name": Formats.result(result)])
  }

  private func connect() {
    deed.on("clicked") { [weak self] in self?.harvest() }
    next.on("clicked") { [weak self] in self?.goOn() }
    marks.onSelect = { [weak self] _ in self?.render() }
    area.onSubmit = { [weak self] in self?.harvest() }
    area.onChange = { [weak self] in self?.drafts.changed() }
    dialog.widget.ignoreRepeats(of: "<Control>Return")
    dialog.widget.on("destroy") { [weak self] in self?.drafts.close() }
  }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    let sprout = garden.sprout(id: sproutID)
    let isActive = sprout?.isActive ?? true
    page.visible(isActive)
    deed.visible(isActive).sensitive(sprout?.isReady(at: now) ?? false)
    offer.visible(!isActive)
    guard let sprout else {
      trouble.setText(IntentError.unknownSprout.message)
      return
    }
    title.setText(oneLine(sprout.title))
    story.setText(
      tr("{place} · {story}", ["place": garden.path(ofTwig: sprout.twigID), "story": sprout.story(in: garden.zone)]))
    trouble.visible(!sprout.isReady(at: now))
    trouble.setText(
      IntentError.notReady(title: sprout.title, due: Formats.date(sprout.harvestDue, in: garden.zone)).message)
    showBlooms(of: sprout)
    showFacts(of: sprout, in: garden)
    showOffer(of: sprout, in: garden)
    // The harvest was undone: its reflection is a draft again.
    if wasActive == false, isActive { drafts.restore() }
    if let wasActive, wasActive != isActive { dialog.fit() }
    wasActive = isActive
  }

  /// Shows the sprout's bloom lines next to results 1, 3 and 5, and highlights those next to the selected result.
  private func showBlooms(of sprout: Sprout) {
    blooms.removeAll()
    let texts = [(1, sprout.bloomWither), (3, sprout.bloomBudding), (5, sprout.bloomFlourish)]
    for (mark, text) in texts {
      guard let text, !text.isEmpty else { continue }
      let isNear = abs(mark - result) <= 1
      let words = paragraph(tr("“{text}”", ["text": text]), isNear ? "second" : "placeholder").expand()
      let number = label("\(mark)", "numeric", isNear ? "semibold" : "placeholder").alignDown(.start)
      blooms.append(line(spacing: 10, number, words).margin(start: 2))
    }
    blooms.visible(!blooms.children.isEmpty)
  }

  private func showFacts(of sprout: Sprout, in garden: Garden) {
    let gained = Soil.capacityGained(sprout.season, sprout.environment, result: result, capacity: garden.capacity)
    let capacity = min(garden.capacity + gained, Soil.maximumCapacity)
    let returned = min(garden.available + sprout.soilCost, capacity) - garden.available
    facts.show(numbers("+" + Formats.soil(returned)), at: 0)
    facts.show(
      numbers(Formats.soil(garden.capacity) + " → " + Formats.soil(capacity)), at: 1)
  }

  private func showOffer(of sprout: Sprout, in garden: Garden) {
    guard let harvest = sprout.harvest else { return }
    offerTitle.setText(tr("{result}: {title}", ["result": Formats.result(harvest.result), "title": sprout.title]))
    let leaf = garden.leaf(id: sprout.leafID)?.name ?? sprout.title
    let canGoOn = context.model.continuation(ofLeaf: sprout.leafID) != nil
    next.visible(canGoOn)
    offerHint.setText(
      canGoOn
        ? tr("The leaf “{leaf}” can go on. What grows on it next?", ["leaf": leaf])
        : tr("It stays in your garden, with everything you wrote."))
  }

  private func harvest() {
    guard !isBusy, deed.isSensitive, deed.isVisible else { return }
    isBusy = true
    let result = result
    page.sensitive(false)
    context.attempt(
      in: dialog.toaster,
      onError: { [weak self] in
        guard let self, dialog.isOpen else { return }
        isBusy = false
        page.sensitive(true)
        area.focus()
      }
    ) { [self] in
      let text = await drafts.settle()
      try await context.model.harvest(sproutID, result: result, reflection: text)
      drafts.clear()
      guard dialog.isOpen else { return }
      isBusy = false
      page.sensitive(true)
      render()
      next.focus()
    }
  }

  private func goOn() {
    guard let sprout = context.model.garden.sprout(id: sproutID),
      let planting = context.model.continuation(ofLeaf: sprout.leafID)
    else { return }
    dialog.close()
    PlantDialog(context, prefill: planting).present()
  }
}

extension Sprout {
  /// `31 waterings since 22 August`.
  fileprivate func story(in zone: Zone) -> String {
    let date = Formats.dayAndMonth(plantedAt, in: zone)
    guard !waterings.isEmpty else { return tr("planted {date}", ["date": date]) }
    return trn(
      "{n} watering since {date}", "{n} waterings since {date}", waterings.count, ["date": date])
  }
}
