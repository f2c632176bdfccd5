import Gardening
import GtkKit
import Localization

/// What stands where nothing is planted: how to begin, or, while the first download runs, how far it is.
final class EmptyGarden {
  let widget: Widget

  private let session: Session
  private let beginning: Widget
  private let arrival: Widget
  private let count = label("", "hint", "numeric")

  init(_ session: Session, title: String, hint: String) {
    self.session = session
    beginning = emptyState(
      icon: "trunk-sprout-symbolic", title: title, hint: hint,
      button: button(tr("Plant your first sprout"), "plant", command: "win.plant"))
    arrival = EmptyGarden.arrival(count)
    widget = column(beginning, arrival)
    widget.keeps(self)
    session.follow(widget, sync: true) { [weak self] in self?.render() }
  }

  /// What is said while the garden comes.
  /// - Parameter below: what stands under the words.
  static func arrival(_ below: Widget? = nil) -> Widget {
    emptyState(
      icon: "trunk-sprout-symbolic", title: tr("Your garden is on its way"),
      hint: tr("It comes from the server, only this once. You can write already."), button: below)
  }

  private func render() {
    let synchroniser = session.synchroniser
    beginning.visible(!synchroniser.isLoading)
    arrival.visible(synchroniser.isLoading)
    let fetched = synchroniser.status.fetched
    count.setText(fetched == 0 ? "" : trn("{n} entry so far", "{n} entries so far", fetched))
  }
}
