import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// A page of a garden that may still have to be downloaded. Until the initial sync is done, it says that the garden is
/// loading, or why it is not here yet.
final class AwaitedGarden {
  let widget: Widget

  private let context: WindowContext
  private let page: Widget
  private let loading: Widget
  private let missing: Widget
  private let count = label("", "hint", "numeric")
  private let reason = paragraph("", "hint").centred()

  /// - Parameter page: what is shown when the garden is here.
  init(_ context: WindowContext, otherwise page: Widget = bin()) {
    (self.context, self.page) = (context, page)
    loading = AwaitedGarden.loading(count)
    missing = emptyState(
      icon: "trunk-sprout-symbolic", title: tr("Your garden isn’t on this computer yet"),
      hint: tr("It is safe on the server, and you can already write here."),
      button: column(spacing: 12, reason, button(tr("Try Again"), command: "win.sync-now").halign(.center)))
    widget = column(page, loading, missing)
    widget.keeps(self)
    context.follow(widget, sync: true) { [weak self] in self?.render() }
  }

  /// The page while the garden is being downloaded.
  /// - Parameter below: a widget below the text.
  static func loading(_ below: Widget? = nil) -> Widget {
    emptyState(
      icon: "trunk-sprout-symbolic", title: tr("Loading your garden…"),
      hint: tr("It is downloaded from the server once. You can already write."), button: below)
  }

  private func render() {
    let accountModel = context.accountModel
    let isAwaited = context.model.awaitsInitialSync
    let failure = accountModel.status.phase == .offline ? accountModel.status.failure : nil
    let isStuck = failure != nil || accountModel.signInState == .signedOut
    page.visible(!isAwaited)
    loading.visible(isAwaited && !isStuck)
    missing.visible(isAwaited && isStuck)
    reason.setText(failure?.message ?? "")
    reason.visible(failure != nil)
    let fetched = accountModel.status.fetched
    count.setText(fetched == 0 ? "" : trn("{n} entry so far", "{n} entries so far", fetched))
  }
}
