import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// The sync server: its kind, address and key, and a connection test.
final class ServerSection: PreferencesSection {
  let groups: [Widget]
  weak var window: (any DialogParent)?

  private let context: WindowContext
  private let kind: Segments
  private let address: Widget
  private let key: Widget
  private let note = paragraph("", "hint")
  private let buttons = wrapping(spacing: 8)
  private static let kinds = ServerSettings.Backend.allCases

  init(_ context: WindowContext) {
    self.context = context
    let settings = context.settings
    let backend = settings.backend.flatMap(ServerSettings.Backend.init(rawValue:)) ?? .supabase
    kind = Segments(
      name: tr("Kind of server"), Self.kinds.map(\.title), selected: Self.kinds.firstIndex(of: backend) ?? 0)
    address = entryRow(tr("Address (https://…)"), text: settings.serverURL ?? "")
    key = entryRow(tr("Publishable key"), text: settings.serverKey ?? "")
    groups = [
      settingsGroup(
        tr("Sync"),
        note: tr("A server keeps the same garden on all your devices. Without one, everything stays on this computer."),
        contentRow(kind.widget.margin(12), title: tr("Kind of server")), address, key,
        note.margin(top: 8, start: 4, end: 4), buttons.margin(top: 8))
    ]
    buttons.append(
      button(tr("Test Connection")) { [weak self] in self?.testConnection() },
      button(tr("Use This Server")) { [weak self] in self?.useServer() },
      button(tr("Remove Server")) { [weak self] in self?.removeServer() })
    kind.onSelect = { [weak self] _ in self?.render() }
    kind.widget.keeps(self)
    render()
  }

  func render() {
    key.visible(Self.kinds[kind.selected] == .supabase)
    note.visible(ServerSettings.isSetByEnvironment || context.accountModel.account != nil)
    note.setText(
      ServerSettings.isSetByEnvironment
        ? tr("Environment variables set the server and override these settings.")
        : tr(
          "You are signed in. To use another server, sign out first. If your server has a new address, enter it here and sign in again."
        ))
  }

  private func enteredSettings() throws -> ServerSettings {
    try ServerSettings(backend: Self.kinds[kind.selected], url: address.text, key: key.text)
  }

  private func testConnection() {
    let (context, foot) = (context, window?.foot)
    context.attempt(in: foot) { [weak self] in
      guard let serverSettings = try self?.enteredSettings() else { return }
      try await context.accountModel.signIn.test(serverSettings)
      foot?.show(tr("The connection works."))
    }
  }

  private func useServer() {
    let entered = Result { try enteredSettings() }
    context.attempt(in: window?.foot) { [context, foot = window?.foot] in
      try context.settings.set(server: entered.get())
      foot?.show(tr("Saved. You can sign in now."))
    }
  }

  private func removeServer() {
    context.attempt(in: window?.foot) { [context, weak self] in
      try context.settings.set(server: nil)
      self?.address.text = ""
      self?.key.text = ""
    }
  }
}

extension ServerSettings.Backend {
  var title: String {
    switch self {
    case .supabase: "Supabase"
    case .trunk: "trunk-server"
    }
  }
}
