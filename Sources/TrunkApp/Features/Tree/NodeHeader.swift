import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The name and note of a branch or twig, which can be edited in place.
final class NodeHeader {
  let widget: Widget

  private let context: WindowContext
  private let node: Node
  let title = paragraph("", "title-2", selectable: true)
  private let note = paragraph("", "second", selectable: true)
  private let edit = iconButton("document-edit-symbolic", name: tr("Edit Name and Note")) {}
  private let texts: Widget
  private let place = bin()

  init(_ context: WindowContext, _ node: Node) {
    (self.context, self.node) = (context, node)
    texts = line(spacing: 8, column(spacing: 4, title, note).hexpand(), edit.valign(.start))
    widget = column(texts, place)
    edit.on("clicked") { [weak self] in self?.beginEditing() }
    widget.keeps(self)
  }

  func show(_ garden: Garden) {
    title.setText(garden.label(of: node))
    note.setText(garden.note(of: node))
  }

  private func beginEditing() {
    let form = NodeForm(context, node) { [weak self] in self?.endEditing() }
    texts.visible(false)
    place.setChild(form.widget)
    form.begin()
  }

  private func endEditing() {
    texts.visible(true)
    edit.focus()
    place.setChild(nil)
  }
}
