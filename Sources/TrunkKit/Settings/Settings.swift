import CGLib
import Observation
import SQLiteKit
import TrunkModel

/// The user's preferences in `trunk.conf`, a key file that may be edited by hand; comments are kept.
///
/// If the file can't be read, the defaults apply, and it is never overwritten.
@MainActor
@Observable
public final class Settings {
  public enum TreeForm: String, Sendable {
    case picture, list
  }

  public enum Appearance: String, CaseIterable {
    case system, light, dark
  }

  /// The file exists but can't be used; `detail` is the system's message.
  public struct Unreadable: Error {
    public let path: String
    public let detail: String

    public init(path: String, detail: String) {
      self.path = path
      self.detail = detail
    }
  }

  /// Why the file could not be read; shown as a notice.
  public private(set) var problem: Unreadable?

  /// Increases with every change, so that observers notice all of them.
  public private(set) var revision = 0

  /// Where the file is, or will be.
  public let path: String
  private let file = KeyFile()

  /// - Parameter folder: created with the first change.
  public init(folder: String = Folders.configuration) {
    path = folder + "/trunk.conf"
    problem = load()
  }

  /// Reads the file again, because another program, such as `trunkctl rest`, may have changed it.
  public func reload() {
    let text = file.text
    let problem = load()
    if (problem == nil) != (self.problem == nil) { self.problem = problem }
    if file.text != text { revision += 1 }
  }

  public var appearance: Appearance {
    text("appearance", "color-scheme").flatMap(Appearance.init(rawValue:)) ?? .system
  }

  /// The name in the greeting; by default the first name of the system's account.
  public var name: String {
    text("profile", "name") ?? Settings.accountName
  }

  /// A second folder for the daily backups, besides the garden's own.
  public var backupFolder: String? { text("backups", "folder").flatMap { $0.isEmpty ? nil : Folders.typed($0) } }

  /// How the tree is shown; `nil` if the user hasn't chosen.
  public var treeForm: TreeForm? { text("tree", "form").flatMap(TreeForm.init(rawValue:)) }

  public func set(treeForm: TreeForm) throws { try set("tree", "form", treeForm.rawValue) }

  /// Whether the tree shows when each limb was last tended.
  public var showsLastTended: Bool { text("tree", "last-tended") == "true" }

  public func set(showsLastTended: Bool) throws { try set("tree", "last-tended", showsLastTended ? "true" : "false") }

  /// Whether the user has read that this computer has no keyring for the sign-in.
  public var knowsOfMissingKeyring: Bool { text("account", "no-keyring") == "read" }

  public func set(knowsOfMissingKeyring: Bool) throws {
    try set("account", "no-keyring", knowsOfMissingKeyring ? "read" : "")
  }

  /// Whether the colours of the tree follow the season and the time of day.
  public var hasSeasons: Bool { text("tree", "seasons") != "false" }

  public func set(hasSeasons: Bool) throws { try set("tree", "seasons", hasSeasons ? "true" : "false") }

  public func set(appearance: Appearance) throws { try set("appearance", "color-scheme", appearance.rawValue) }

  public func set(name: String) throws { try set("profile", "name", name.visibleLine) }

  /// Whether the user has dismissed the question how the success of a sprout can be told. Only the latest sprouts are
  /// known, because the question is asked on a single day.
  public func hasDismissedHopes(of sproutID: String) -> Bool {
    text("today", "dismissed")?.split(separator: " ").contains { sproutID.hasSameBytes(as: String($0)) } ?? false
  }

  public func dismissHopes(of sproutID: String) throws {
    let earlier = (text("today", "dismissed") ?? "").split(separator: " ").suffix(Settings.dismissedLimit - 1)
    try set("today", "dismissed", (earlier + [sproutID[...]]).joined(separator: " "))
  }

  /// Whether the user has answered the offer of the book of a year.
  public func hasAnsweredBook(of year: Int32) -> Bool { text("today", "book").flatMap { Int32($0) } ?? 0 >= year }

  public func answerBook(of year: Int32) throws { try set("today", "book", "\(year)") }

  /// For how many sprouts a dismissal is remembered.
  private static let dismissedLimit = 8

  /// The notices in the foot of the window that the user has put off until the day after this one.
  public func noticesPutOff(on day: Day) -> Set<String> {
    let words = (text("today", "put-off") ?? "").split(separator: " ").map(String.init)
    return words.first == "\(day)" ? Set(words.dropFirst()) : []
  }

  public func putOff(notice: String, on day: Day) throws {
    let notices = noticesPutOff(on: day).union([notice]).sorted()
    try set("today", "put-off", (["\(day)"] + notices).joined(separator: " "))
  }

  public func set(backupFolder: String?) throws { try set("backups", "folder", backupFolder ?? "") }
}

extension Settings {
  private static var accountName: String {
    let name = String(cString: g_get_real_name())
    let first = name.split(separator: " ").first.map(String.init) ?? ""
    // GLib returns "Unknown" if the account has no name, and service accounts are named after themselves.
    return first == "Unknown" || first == "root" ? "" : first
  }

  /// - Returns: why the file can't be used; `nil` if it was read or there is none.
  private func load() -> Unreadable? {
    if PrivateFiles.isMissing(path) { return nil }
    do throws(Unreadable) { try file.load(path, keepsComments: true) } catch { return error }
    return nil
  }

  /// - Returns: `nil` if the file doesn't have the key.
  package func text(_ group: String, _ key: String) -> String? {
    // Reading a preference must register with observation: the key file itself is not observable.
    _ = revision
    return file[group, key]
  }

  /// The text of a key as it is in the file, even if it isn't a valid text for `text`.
  package func rawText(_ group: String, _ key: String) -> String? {
    _ = revision
    return file.raw(group, key)
  }

  private func set(_ group: String, _ key: String, _ value: String) throws { try set(group, [key: value]) }

  /// Writes several keys of one group at once.
  /// - Throws: `Unreadable`; then the file is unchanged.
  package func set(_ group: String, _ values: [String: String]) throws {
    try change { for (key, value) in values { file[group, key] = value } }
  }

  /// Changes the text of a key as it is in the file now.
  /// - Throws: `Unreadable`; then the file is unchanged.
  package func changeRaw(_ group: String, _ key: String, _ text: (String?) -> String) throws {
    try change { file.setRaw(text(file.raw(group, key)), group, key) }
  }

  private func change(_ body: () -> Void) throws {
    // The user may have edited the file since it was read.
    if problem == nil { problem = load() }
    if let problem { throw problem }
    body()
    try file.save(to: path)
    revision += 1
  }
}
