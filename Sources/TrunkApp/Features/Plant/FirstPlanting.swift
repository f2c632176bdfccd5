import EventStore
import GtkKit
import Localization
import TrunkKit

/// Today in a garden without sprouts: the form for planting, with the bare tree beside or below it.
final class FirstPlanting {
  /// The page; the form is saved when it is destroyed.
  let widget = bin()
  /// Called when the form has nothing more to show, with the id of the sprout, or `nil` if a seedling was kept.
  var onDone: ((String?) -> Void)?

  private let context: WindowContext
  private let view: PlantView
  private let action: BusyAction
  private let plant = button(tr("Plant"), "plant") {}
  private var planted: String?
  private let question = paragraph(tr("What do you want to grow?"), "first-question").withoutHyphens()
    .maxChars(18).halign(.start)

  /// The greatest width of the form and the tree, in pixels.
  private static let width = 1180

  init(_ context: WindowContext) {
    self.context = context
    action = BusyAction(context)
    // This form continues its own draft.
    var isOwn: (DraftKey) -> Bool = { $0.origin.isEmpty }
    let drafts = DraftCards(context) {
      if case .plant = $0.subject { !isOwn($0.key) } else { true }
    }
    view = PlantView(
      context, start: GardenModel.PlantForm(), origin: "", window: widget, foot: context.foot,
      frame: (
        column(spacing: 12, drafts.widget.margin(bottom: 6), question, FirstPlanting.hint),
        line(spacing: 12, plant, label(tr("Ctrl+Enter"), "hint"))
      ))
    let links = wrapping(
      spacing: 24, lineSpacing: 2,
      button(tr("I Have a Garden Already…"), "link", "flush") { EarlierGarden(context).present() },
      button(tr("How It Works"), "link", "flush", command: "win.help"))
    let page = column(view.widget.vexpand(), links.margin(top: 4, bottom: 18, start: 18, end: 18))
    widget.setChild(scrolled(clamp(page, width: Self.width)))
    connect()
    layOut()
    isOwn = { [weak view] in view?.isOwn($0) ?? true }
    view.restore()
    Task { [weak self, view] in
      await view.restored()
      if self != nil { drafts.render() }
    }
    widget.vexpand().keeps(self)
  }

  /// Whether the sprout is being planted: the garden may have it already.
  var isPlanting: Bool { action.isBusy }

  /// Moves the focus to the title.
  func focus() { view.title.focus() }

  /// Whether the window is narrow.
  var isNarrow = false {
    didSet { if isNarrow != oldValue { layOut() } }
  }

  private func layOut() {
    question.margin(top: isNarrow ? 0 : FirstPlanting.top).css("small", when: isNarrow)
  }

  /// Above the question in a wide window, in pixels.
  private static let top = 28

  private static var hint: Widget {
    paragraph(
      tr(
        "A skill, a habit, a person, a piece of work. You give it a few lines a day, and after a season you harvest it."
      ), "second")
  }

  private func connect() {
    view.perform = { [weak self] in self?.run($0) }
    view.onPlanted = { [weak self] in self?.planted = $0 }
    view.onAffordable = { [plant] in plant.sensitive($0) }
    plant.on("clicked") { [weak self] in self?.view.submit() }
    widget.onShortcut("<Control>Return") { [weak self] in self?.view.submit() }
    widget.ignoreRepeats(of: "<Control>Return")
    widget.onAltDigit { [weak self] in self?.view.takeAltDigit($0, isGround: $1) ?? false }
  }

  private func run(_ intent: @escaping @MainActor () async throws -> Void) {
    guard !action.isBusy else { return }
    // GTK complains if a text field with the focus becomes insensitive.
    context.window.clearFocus()
    widget.sensitive(false)
    action.run(keeping: widget, intent) { [weak self] in
      self?.onDone?(self?.planted)
    } onError: { [weak self] in
      self?.widget.sensitive(true)
      self?.focus()
    }
  }
}
