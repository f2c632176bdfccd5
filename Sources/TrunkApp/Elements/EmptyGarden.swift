import Garden
import Gardening
import GtkKit
import Localization

/// What is shown where nothing is planted: how to begin; until the initial sync is done, that the garden is loading, or why
/// it is not here yet.
final class EmptyGarden {
  let widget: Widget

  private let session: Session
  private let beginning: Widget
  private let loading: Widget
  private let missing: Widget
  private let count = label("", "hint", "numeric")
  private let reason = paragraph("", "hint").centred()

  init(_ session: Session, title: String, hint: String) {
    self.session = session
    beginning = emptyState(
      icon: "trunk-sprout-symbolic", title: title, hint: hint,
      button: button(tr("Plant your first sprout"), "plant", command: "win.plant"))
    loading = EmptyGarden.loading(count)
    missing = emptyState(
      icon: "trunk-sprout-symbolic", title: tr("Your garden isn’t on this computer yet"),
      hint: tr("It is safe on the server, and you can already write here."),
      button: column(spacing: 12, reason, button(tr("Try Again"), command: "win.sync-now").align(GTK_ALIGN_CENTER)))
    widget = column(beginning, loading, missing)
    widget.keeps(self)
    session.follow(widget, sync: true) { [weak self] in self?.render() }
  }

  /// What is said while the garden is downloaded.
  /// - Parameter below: what stands under the words.
  static func loading(_ below: Widget? = nil) -> Widget {
    emptyState(
      icon: "trunk-sprout-symbolic", title: tr("Loading your garden…"),
      hint: tr("It is downloaded from the server once. You can already write."), button: below)
  }

  private func render() {
    let synchroniser = session.synchroniser
    let isAwaited = session.isAwaitingGarden || synchroniser.isLoading
    let failure = synchroniser.status.phase == .offline ? synchroniser.status.failure : nil
    let isStuck = failure != nil || synchroniser.standing == .signedOut
    beginning.visible(!isAwaited)
    loading.visible(isAwaited && !isStuck)
    missing.visible(isAwaited && isStuck)
    reason.setText(failure?.message ?? "")
    reason.visible(failure != nil)
    let fetched = synchroniser.status.fetched
    count.setText(fetched == 0 ? "" : trn("{n} entry so far", "{n} entries so far", fetched))
  }
}

extension Garden {
  /// Nothing was ever planted or written.
  var isEmpty: Bool { sprouts.isEmpty && journal.isEmpty }
}
