import Gardening
import GtkKit
import Localization
import Sync

/// Which server keeps the garden for several devices: its kind, address and key, and a test of all three.
final class ServerSection {
  let widget: Widget
  /// The window that it is in.
  weak var window: DialogWindow?

  private let session: Session
  private let kind: Segments
  private let address: Widget
  private let key: Widget
  private let note = paragraph("", "hint")
  private let ways = wrapping(spacing: 8)
  private static let kinds = ServerConfiguration.Backend.allCases

  init(_ session: Session) {
    self.session = session
    let settings = session.settings
    let backend = settings.backend.flatMap(ServerConfiguration.Backend.init(rawValue:)) ?? .supabase
    kind = Segments(
      name: tr("Kind of server"), Self.kinds.map(\.title), selected: Self.kinds.firstIndex(of: backend) ?? 0)
    address = entryRow(tr("Address, as https://…"), text: settings.serverURL ?? "")
    key = entryRow(tr("Publishable key"), text: settings.serverKey ?? "")
    widget = column(
      spacing: 8, sectionHeader(tr("Sync")),
      paragraph(
        tr("A server keeps the same garden on all your devices. Without one, everything stays on this computer."),
        "hint"), kind.widget, boxedList(address, key), note, ways)
    ways.append(
      button(tr("Test Connection")) { [weak self] in self?.test() },
      button(tr("Use This Server")) { [weak self] in self?.use() },
      button(tr("Use No Server")) { [weak self] in self?.useNone() })
    kind.onSelect = { [weak self] _ in self?.render() }
    widget.keeps(self)
    render()
  }

  func render() {
    key.visible(Self.kinds[kind.selected] == .supabase)
    note.visible(ServerConfiguration.isSetByEnvironment || session.synchroniser.account != nil)
    note.setText(
      ServerConfiguration.isSetByEnvironment
        ? tr("The environment of this run names a server, which goes before this.")
        : tr(
          "You are signed in. Another server is used after signing out. If yours has moved, name it here and sign in again."
        ))
  }

  private func typed() throws -> ServerConfiguration {
    try ServerConfiguration(backend: Self.kinds[kind.selected], url: address.text, key: key.text)
  }

  private func test() {
    let (session, toaster) = (session, window?.toaster)
    session.attempt(in: toaster, keeping: widget) { [weak self] in
      guard let configuration = try self?.typed() else { return }
      try await session.synchroniser.test(configuration)
      toaster?.show(tr("The server answers as it should."))
    }
  }

  private func use() {
    session.attempt(in: window?.toaster, keeping: widget) { [weak self] in
      guard let self else { return }
      try session.settings.set(server: typed())
      window?.toaster.show(tr("Kept. Now you can sign in."))
    }
  }

  private func useNone() {
    session.attempt(in: window?.toaster, keeping: widget) { [weak self] in
      guard let self else { return }
      try session.settings.set(server: nil)
      address.text = ""
      key.text = ""
    }
  }
}

extension ServerConfiguration.Backend {
  fileprivate var title: String {
    switch self {
    case .supabase: "Supabase"
    case .trunk: "trunk-server"
    }
  }
}
