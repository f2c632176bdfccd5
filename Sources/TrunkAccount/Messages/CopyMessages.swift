import EventStore
import Localization
import TrunkKit

/// The messages for the user about deleting copies and backups of a signed-out garden.
public struct CopyMessages {
  private let account: String
  private let deletable: DeletableCopies
  private let secondFolder: String?

  /// - Parameter secondFolder: the user's second backup folder, which has backups of all gardens on this computer.
  public init(account: String, deletable: DeletableCopies, secondFolder: String?) {
    (self.account, self.deletable, self.secondFolder) = (account, deletable, secondFolder)
  }

  /// The question before deleting, as paragraphs that list exactly what is deleted and what stays.
  public var question: [String] {
    [what, others, whatStays].compactMap(\.self)
  }

  private var what: String {
    let copies = trn(
      "{n} copy in {folder}", "{n} copies in {folder}", deletable.copies.count,
      ["folder": Folders.signedOut(account: account)])
    let start =
      deletable.backups.isEmpty
      ? tr("Delete {copies} permanently?", ["copies": copies])
      : tr(
        "Delete {copies} and {backups} permanently?",
        [
          "copies": copies,
          "backups": trn(
            "{n} backup in {folder}", "{n} backups in {folder}", deletable.backups.count,
            ["folder": Folders.garden(account: account) + "/backups"]),
        ])
    return start + " " + tr("When you signed out, the server had every entry in them.")
  }

  private var others: String? {
    var parts: [String] = []
    if deletable.drafts > 0 {
      parts.append(trn("{n} draft", "{n} drafts", deletable.drafts))
    }
    if deletable.superseded > 0 {
      parts.append(trn("{n} superseded version", "{n} superseded versions", deletable.superseded))
    }
    if deletable.pages > 0 { parts.append(trn("{n} earlier page", "{n} earlier pages", deletable.pages)) }
    if parts.isEmpty { return nil }
    return tr(
      "The server doesn’t have these, and they are deleted too: {list}.", ["list": parts.joined(separator: ", ")])
  }

  private var whatStays: String? {
    var parts: [String] = []
    if let secondFolder { parts.append(tr("Backups in {folder} stay.", ["folder": secondFolder])) }
    if let damaged = CopyMessages.damagedFiles(account) { parts.append(damaged) }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// Returns the message that damaged files stay; `nil` if there are none.
  private static func damagedFiles(_ account: String) -> String? {
    let folder = Folders.garden(account: account)
    do throws(StoreError) {
      guard try EventStore.hasDamagedFiles(in: folder) else { return nil }
      return tr("Damaged files that Trunk has set aside in {folder} stay.", ["folder": folder])
    } catch {
      return error.message
    }
  }

  /// Returns the message, shown before signing out, about files other than the copy that stay on this computer.
  /// - Returns: `nil` if nothing stays.
  public static func filesThatStay(account: String, secondFolder: String?) -> String? {
    let folder = Folders.garden(account: account)
    var folders: [String] = []
    do throws(StoreError) {
      for place in [folder, secondFolder].compactMap(\.self) where try !EventStore.backups(in: place).isEmpty {
        folders.append(place + "/backups")
      }
    } catch {
      return error.message
    }
    let backups =
      folders.isEmpty ? nil : tr("Backups stay in {folders}.", ["folders": folders.joined(separator: ", ")])
    let parts = [backups, damagedFiles(account)].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}

extension UndeletableCopies {
  /// The message for the user: why nothing is deleted.
  public var message: String {
    switch self {
    case .holdsMore(let path):
      tr("All copies and backups stay: the server may not have every entry that is in “{path}”.", ["path": path])
    case .unchecked: tr("All copies and backups stay: the server couldn’t be checked.")
    case .unreadable(let path):
      tr("All copies and backups stay: “{path}” can’t be read, so Trunk can’t tell what is in it.", ["path": path])
    }
  }
}
