import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// The fields for the name and note of a branch or twig.
final class NodeForm {
  let widget = column(spacing: 12)

  private let context: WindowContext
  private let node: Node
  private let onEnd: @MainActor () -> Void
  private let name: LimitedRow
  private let note: TextArea
  private lazy var action = BusyAction(context)

  /// - Parameter onEnd: called when the changes are saved or discarded.
  init(_ context: WindowContext, _ node: Node, onEnd: @escaping @MainActor () -> Void) {
    (self.context, self.node, self.onEnd) = (context, node, onEnd)
    let garden = context.model.garden
    name = LimitedRow(tr("Name"), text: garden.label(of: node), limit: Limits.nodeLabel)
    note = TextArea(
      name: tr("Note"), placeholder: tr("What belongs here?"), limit: Limits.nodeNote, height: 70)
    note.text = garden.note(of: node)
    let restore = button(tr("Restore Original")) { [weak self] in self?.restore() }
    widget.append(
      boxedList(name.widget).accessibleName(tr("Name")), captioned(tr("Note"), note.widget),
      wrapping(
        button(tr("Save"), "suggested-action") { [weak self] in self?.save() },
        button(tr("Cancel"), action: onEnd), restore.visible(garden.isChanged(node))),
      paragraph(tr("Other versions of Trunk keep showing the original name and note."), "hint"))
    name.onSubmit = { [weak self] in self?.save() }
    widget.onShortcut("<Control>Return") { [weak self] in self?.save() }
    widget.onKey { press in
      if press.key == .escape { onEnd() }
      return press.key == .escape
    }
    widget.keeps(self)
  }

  func focus() { name.focus() }

  private func save() {
    run { [context, node, name, note] in
      try await context.model.update(node, label: name.text, note: note.text)
    }
  }

  private func restore() {
    run { [context, node] in try await context.model.restoreOriginal(node) }
  }

  /// After an error, the form stays.
  private func run(_ intent: @escaping @MainActor () async throws -> Void) {
    action.run(keeping: widget, intent, done: onEnd)
  }
}
