import EventStore
import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The window with the form that plants a sprout.
final class PlantDialog {
  private let dialog: DialogWindow
  private let view: PlantView
  private let titledAction: TitledAction

  /// - Parameters:
  ///   - prefill: initial values of the form; without it, no place is chosen.
  ///   - slot: where the draft to continue is.
  init(_ context: WindowContext, prefill: GardenModel.PlantForm? = nil, slot: DraftKey? = nil) {
    let content = bin()
    dialog = DialogWindow(
      over: context.window, title: tr("Plant a Sprout"), closeTitle: tr("Close"), width: 960, height: 640,
      content: content)
    content.margin(0)
    view = PlantView(
      context, start: prefill ?? GardenModel.PlantForm(), origin: prefill?.origin ?? "", slot: slot,
      window: dialog.widget, foot: dialog.foot)
    content.setChild(view.widget)
    titledAction = TitledAction(context, dialog, title: view.title)
    // The action holds the dialog, whose content holds the view.
    view.perform = { [weak titledAction] in titledAction?.run($0) }
    view.onPlanted = { [context, dialog] in
      guard dialog.isOpen else { return }
      // What is next is in the window below.
      let row = context.window.shown(command: "win.sprout", target: $0)
      row?.accessibleDescription(tr("Planted.")).focus()
    }
    let actionButton = dialog.addActionButton(tr("Plant"), "plant", keys: tr("Ctrl+Enter")) { [weak view] in
      view?.submit()
    }
    view.onAffordable = { actionButton.sensitive($0) }
    dialog.onSubmit { [weak view] in view?.submit() }
    dialog.widget.onAltDigit { [weak view] in view?.takeAltDigit($0, isGround: $1) ?? false }
    dialog.widget.keeps(self)
  }

  /// Opens the form for this twig.
  convenience init(_ context: WindowContext, twig: Node) {
    self.init(context, prefill: twig.isTwig ? .init(twig: twig) : nil)
  }

  /// Opens the form with the values of this seedling.
  convenience init(_ context: WindowContext, seedling: Seedling) {
    self.init(context, prefill: .init(from: seedling))
  }

  /// Opens the form for its draft. The leaf, twig or seedling that it was first opened for may be gone.
  convenience init(_ context: WindowContext, continuing slot: DraftKey) {
    let origin = slot.origin
    let idea = context.model.garden.seedling(id: origin).flatMap(GardenModel.PlantForm.init)
    let twig = Node(id: origin).flatMap { $0.isTwig ? GardenModel.PlantForm(twig: $0) : nil }
    self.init(
      context, prefill: idea ?? context.model.continuation(ofLeaf: origin) ?? twig, slot: slot)
  }

  func present() {
    view.focus()
    dialog.present()
    view.restore()
  }
}
