import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The fields for the name and note of a branch or twig. Both are a draft until they are saved.
final class NodeForm {
  let widget = column(spacing: 12)

  private let context: WindowContext
  private let node: Node
  private let onEnd: @MainActor () -> Void
  private let name: LimitedRow
  private let note: TextArea
  private let drafts: FieldDraft
  private lazy var action = BusyAction(context)

  /// - Parameter onEnd: called when the changes are saved, or when the user cancels.
  init(_ context: WindowContext, _ node: Node, onEnd: @escaping @MainActor () -> Void) {
    (self.context, self.node, self.onEnd) = (context, node, onEnd)
    let garden = context.model.garden
    name = LimitedRow(tr("Name"), text: garden.label(of: node), limit: .nodeLabel)
    note = TextArea(
      name: tr("Note"), placeholder: tr("What belongs here?"), limit: .nodeNote, height: 70)
    note.begin(with: garden.note(of: node))
    drafts = FieldDraft(context, .node, about: node.id, foot: context.foot, ["name": name, "note": note])
    let restore = button(tr("Restore Original")) { [weak self] in self?.restore() }
    widget.append(
      boxedList(name.widget).accessibleName(tr("Name")), captioned(tr("Note"), note.widget),
      wrapping(
        button(tr("Save"), "suggested-action") { [weak self] in self?.save() },
        button(tr("Cancel")) { [weak self] in self?.onEnd() }, restore.visible(garden.isChanged(node))),
      paragraph(tr("Other versions of Trunk keep showing the original name and note."), "hint"))
    name.onSubmit = { [weak self] in self?.save() }
    widget.onShortcut("<Control>Return") { [weak self] in self?.save() }
    widget.onKey { [weak self] press in
      if press.key == .escape { self?.onEnd() }
      return press.key == .escape
    }
    widget.on("destroy") { [weak self] in self?.drafts.close() }
    widget.keeps(self)
  }

  /// Begins editing.
  func begin() {
    name.focusToReplace()
    drafts.restore()
  }

  private func save() {
    run { [context, node, name, note, drafts] in
      try await drafts.finish {
        // Saves only changed fields: another device may have changed the others. A field may have an earlier draft,
        // which `finish` has waited for.
        let (label, text) = (name.isChanged ? name.text : nil, note.isChanged ? note.text : nil)
        try await context.model.update(node, label: label, note: text, clearing: $0)
      }
    }
  }

  private func restore() {
    run { [context, node, drafts] in
      try await drafts.finish { try await context.model.restoreOriginal(node, clearing: $0) }
    }
  }

  /// After an error, the form stays.
  private func run(_ intent: @escaping @MainActor () async throws -> Void) {
    action.run(keeping: widget, intent, done: onEnd)
  }
}
