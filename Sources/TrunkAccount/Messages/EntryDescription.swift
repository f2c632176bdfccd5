import EventStore
import Localization
import SyncEngine
import TrunkKit
import TrunkModel

/// Describes an entry that the server lacks, for windows and terminals.
public struct EntryDescription: Sendable {
  /// The action and its object: `Watered · Learn the cello prelude`.
  public let title: String
  /// The entry's date and time; `nil` if it has no readable instant.
  public let time: String?
  /// The first text that the user wrote in the entry; `nil` if there is none, the title ends with it or it is hidden.
  public let text: String?
  /// Why the server lacks it, in a word or two.
  public let state: String

  fileprivate init(_ event: Event, _ state: String, isHidden: Bool, in garden: Garden) {
    title = event.summary(in: garden)
    time = garden.time(of: event).map(Formats.dateAndTime)
    text = isHidden ? nil : event.journalText.first.flatMap { [title] text in title.hasSuffix(text) ? nil : text }
    self.state = state
  }
}

extension MissingEntry {
  public func description(in garden: Garden) -> EntryDescription {
    let state =
      switch reason {
      case .unsent: EntryDescription.unsent
      case .rejected: EntryDescription.rejected
      case .localOnly: EntryDescription.localOnly
      case .lost: tr("no longer on the server")
      }
    return EntryDescription(event, state, isHidden: isHidden, in: garden)
  }
}

extension UnsentEntry {
  public func description(in garden: Garden) -> EntryDescription {
    let state =
      switch item.state {
      case .pending: EntryDescription.unsent
      case .rejected: EntryDescription.rejected
      case .localOnly: EntryDescription.localOnly
      }
    return EntryDescription(event, state, isHidden: isHidden, in: garden)
  }

  /// Why the server rejected the entry, in plain words.
  public var reason: String {
    let code = item.lastCode ?? ""
    switch code.split(separator: " ").last ?? "" {
    case "23505": return tr("The server already uses this entry’s ID for another account.")
    case "42501", "401", "403": return tr("The server doesn’t allow this account to store it.")
    case "22P02", "22P05", "22021": return tr("It contains characters that the server can’t store.")
    case "22001", "23514": return tr("It breaks a rule of the server, such as a length limit.")
    case "413", "414", "54000": return tr("It is too large for the server.")
    default: return tr("The server gave no reason that Trunk understands.")
    }
  }

  /// The entry's size, the number of attempts and the server's last answer.
  public var details: [String] {
    var parts = [trn("{n} byte", "{n} bytes", item.size)]
    if item.attempts > 0 { parts.append(trn("tried {n} time", "tried {n} times", item.attempts)) }
    if let answer { parts.append(answer) }
    return parts
  }

  /// The result of the last attempt: in plain words for a known code, else as the server sent it.
  private var answer: String? {
    guard item.state == .pending, let code = item.lastCode, ["413", "414"].contains(code) else {
      return item.lastAnswer
    }
    return tr("too large for a proxy in front of the server; Trunk will try again")
  }
}

extension EntryDescription {
  fileprivate static var unsent: String { tr("not sent") }
  fileprivate static var rejected: String { tr("rejected") }
  fileprivate static var localOnly: String { tr("only on this computer") }
}
