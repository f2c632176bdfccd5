extension Settings {
  private nonisolated static let group = "search"
  private nonisolated static let key = "desktop-entries"

  /// Whether the desktop's search shows what the user wrote. It may be seen by others who look at the screen, so the
  /// user has to allow it.
  public var showsEntriesInDesktopSearch: Bool { text(Settings.group, Settings.key) == "true" }

  public func set(showsEntriesInDesktopSearch isShown: Bool) throws {
    try set(Settings.group, [Settings.key: "\(isShown)"])
  }

  /// The same setting, for programs without a main actor. `false` if the preferences can't be read: entries are shown
  /// only if the user has allowed it.
  nonisolated static func showsEntriesInDesktopSearch(folder: String = Folders.configuration) -> Bool {
    (try? KeyFile(path: folder + "/trunk.conf"))?[group, key] == "true"
  }
}
