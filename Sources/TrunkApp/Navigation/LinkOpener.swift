import GtkKit
import Localization
import TrunkKit

/// Opens what the desktop or a drop passes to the window: addresses of pages, and files and folders to import, which
/// are previewed.
final class LinkOpener {
  private let context: WindowContext
  private weak var navigator: Navigator?
  private var waiting: Task<Void, Never>?

  init(_ context: WindowContext, _ navigator: Navigator) {
    (self.context, self.navigator) = (context, navigator)
    context.scope.on("destroy") { [weak self] in self?.waiting?.cancel() }
  }

  /// - Parameter address: from any program, so that it may be anything. A page or a preview is all that it can open.
  func open(_ address: String) {
    if address.lowercased().hasPrefix(Route.scheme + ":") { openPage(address) } else { openFile(address) }
  }

  /// Opens the first of several files: each needs a separate decision.
  func open(_ addresses: [String]) {
    guard let first = addresses.first else { return }
    open(first)
    if addresses.count > 1 { context.foot.show(tr("Trunk opens one file at a time.")) }
  }

  private func openPage(_ address: String) {
    guard let route = Route(address: address) else {
      return context.report(tr("This link doesn’t lead to a page of Trunk."))
    }
    guard context.model.garden.has(route) else {
      return context.report(tr("The page of this link is not in your garden."))
    }
    navigator?.open(route)
  }

  private func openFile(_ address: String) {
    guard let path = localPath(ofAddress: address) else {
      return context.report(tr("Trunk can only open files on this computer."))
    }
    waiting?.cancel()
    waiting = Task { [context] in
      // A preview over an open form would hide what the user is writing.
      await context.window.waitUntilNoDialogIsOpen()
      guard !Task.isCancelled else { return }
      context.attempt { try await ImportDialog.present(context, path) }
    }
  }
}
