import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// Asks where the garden is, before the first sign-in. Settings that few people need are under Advanced.
final class ServerDialog {
  private let context: WindowContext
  private let dialog: DialogWindow
  private let actionButton: Widget
  private let address: LimitedRow
  private let key: LimitedRow
  private let kind: Segments
  private let advanced = expanderRow()
  private let onServer: @MainActor () -> Void
  private var isBusy = false

  private static let kinds = ServerSettings.Backend.allCases
  /// Longer than any address.
  private static let limit = 2000

  /// - Parameter onServer: called when the server was found and saved.
  init(_ context: WindowContext, onServer: @escaping @MainActor () -> Void) {
    (self.context, self.onServer) = (context, onServer)
    address = LimitedRow(tr("Address of the server"), text: "https://", limit: ServerDialog.limit)
    key = LimitedRow(tr("Publishable key"), limit: ServerDialog.limit)
    kind = Segments(
      name: tr("Kind of server"), ServerDialog.kinds.map(\.title),
      selected: ServerDialog.kinds.firstIndex(of: .trunk) ?? 0)
    advanced.accessibleName(tr("Advanced")).setText(tr("Advanced"))
    advanced.append(contentRow(kind.widget.margin(12)), key.widget)
    let content = column(
      spacing: 12, icon("trunk-sprout-symbolic", size: 40).css("wood"),
      paragraph(tr("Where is your garden?"), "title-3").centred(),
      paragraph(
        tr("A server keeps your garden the same on all your devices. The person who runs it can tell you its address."),
        "second"
      ).centred(), boxedList(address.widget).accessibleName(tr("Address of the server")),
      boxedList(advanced).accessibleName(tr("Advanced")))
    dialog = DialogWindow(
      over: context.window, title: tr("Sign In"), closeTitle: tr("Close"), width: 440, content: content)
    content.append(
      button(tr("What Is a Server?"), "link") { [dialog] in HelpWindow(over: dialog.widget).present() }.halign(.center))
    actionButton = dialog.addActionButton(tr("Continue"), "suggested-action") {}
    actionButton.on("clicked") { [weak self] in self?.advance() }
    address.onChange = { [weak self] in self?.addressChanged() }
    kind.onSelect = { [weak self] _ in self?.showKey() }
    showKey()
    dialog.widget.keeps(self)
  }

  func present() { dialog.present() }
}

extension ServerDialog {
  private var backend: ServerSettings.Backend { ServerDialog.kinds[kind.selected] }

  /// Supabase is recognised by the address of its projects.
  private func addressChanged() {
    let isSupabase = address.text.split(separator: ".").dropFirst().dropLast().contains("supabase")
    guard isSupabase, let position = ServerDialog.kinds.firstIndex(of: .supabase) else { return }
    kind.selected = position
    showKey()
  }

  private func showKey() { key.widget.visible(backend == .supabase) }

  private func advance() {
    guard !isBusy else { return }
    isBusy = true
    actionButton.sensitive(false)
    let context = context
    Task {
      defer {
        isBusy = false
        if dialog.isOpen { actionButton.sensitive(true) }
      }
      do {
        let server = try ServerSettings(backend: backend, url: address.text, key: key.text)
        try await context.accountModel.signIn.test(server)
        guard dialog.isOpen else { return }
        try context.settings.set(server: server)
        dialog.close()
        onServer()
      } catch {
        guard dialog.isOpen else { return }
        let isKeyMissing = error as? ServerSettings.Invalid == .keyMissing
        if isKeyMissing { advanced.openRow() }
        let row = isKeyMissing ? key : address
        row.show(problem: userMessage(for: error))
        dialog.fit()
        row.focus()
      }
    }
  }
}
