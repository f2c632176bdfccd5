import EventStore
import GtkKit
import Localization
import SyncEngine
import TrunkAccount
import TrunkKit

/// Asks before signing out: states what the server has, lists what it lacks, and names the folder for the copy.
struct SignOutQuestion {
  enum Answer {
    case stay, uploadAgain, signOut
  }

  let comparison: ServerComparison
  private let missing: [MissingEntry]
  /// The message about the garden from before the sign-in; `nil` if there is none.
  private let staying: String?
  private let context: WindowContext

  /// The maximum number of rows. Users skim a longer list anyway.
  private static let maxRows = 200
  /// The height from which the list scrolls, in pixels.
  private static let listHeight = 220
  /// Narrow enough for the smallest window, in pixels.
  private static let listWidth = 320

  /// - Parameter comparison: the result of comparing this garden with the server.
  init(_ context: WindowContext, _ comparison: ServerComparison) async throws {
    self.context = context
    self.comparison = comparison
    missing = try await context.accountModel.signOut.entries(of: comparison)
    staying = await context.accountModel.localUpload.noticeForSignOut(isComplete: comparison.isComplete)
  }

  func answer(over window: Widget) async -> Answer {
    var answers = [GtkKit.Answer("cancel", tr("Cancel"))]
    if missing.isEmpty {
      answers.append(.init("out", tr("Sign Out"), .destructive))
    } else {
      answers.append(.init("out", tr("Keep a Copy and Sign Out"), .destructive))
      answers.append(.init("again", tr("Upload Again"), .suggested))
    }
    switch await ask(over: window, tr("Sign out?"), text, extra: list, answers) {
    case "again": return .uploadAgain
    case "out": return .signOut
    default: return .stay
    }
  }

  private var text: String {
    var parts: [String] = []
    if let problem = comparison.problem {
      parts.append(tr("The server couldn’t be checked: {reason}", ["reason": userMessage(for: problem)]))
    }
    if !missing.isEmpty {
      parts.append(
        trn(
          "{n} entry on this computer is not on the server.", "{n} entries on this computer are not on the server.",
          missing.count))
    } else if comparison.problem == nil {
      parts.append(tr("The server has every entry of this garden."))
    }
    if comparison.hasUnsentProfile {
      parts.append(
        tr("Your name, time zone or reminders were changed on this computer, and the server doesn’t have the change."))
    }
    parts.append(
      tr(
        "Signing out removes this garden from this computer. A copy is kept in “{folder}”.",
        ["folder": Folders.signedOut]))
    let besides = context.accountModel.account.flatMap {
      CopyMessages.filesThatStay(account: $0.userID, secondFolder: context.settings.backupFolder)
    }
    return [parts.joined(separator: " "), besides, staying].compactMap(\.self).joined(separator: "\n\n")
  }

  /// The entries that the server lacks, with their date and first words.
  private var list: Widget? {
    guard !missing.isEmpty else { return nil }
    let rows = boxedList().accessibleName(tr("Not on the server"))
    for entry in missing.prefix(Self.maxRows) { rows.append(row(entry)) }
    return scrolled(rows.margin(2), maxHeight: Self.listHeight).size(width: Self.listWidth)
  }

  private func row(_ entry: MissingEntry) -> Widget {
    let description = entry.description(in: context.model.garden)
    let facts = dotted([description.text, description.time, description.state].compactMap(\.self))
    let row = GtkKit.row("")
    row.setRow(description.title, facts, titleLines: 2)
    // Focusable, so that the keyboard can scroll the list.
    return row.focusable(true).subtitleLines(3)
  }
}

/// Shows once after signing out where the copy of the garden is. Deleting it is a separate question.
@MainActor func showSignOutNote(_ context: WindowContext) {
  context.attempt {
    guard context.accountModel.account == nil, let note = try AccountFile().signOutNote() else { return }
    var answers = [Answer("close", tr("Close"))]
    // Offer deletion only if the server has everything that is in the copies.
    if note.deletable != nil { answers.append(Answer("delete", tr("Delete Copies…"))) }
    let answer = await ask(
      over: context.window, tr("Signed out"), tr("A copy of that garden is in “{file}”.", ["file": note.copy]),
      isUnexpected: true, answers)
    guard !answer.isEmpty else { return }
    // Another program may have signed in or out while the dialog was open.
    try AccountFile().replace(note, with: nil)
    if answer == "delete" { try await askAboutCopies(context, of: note) }
  }
}

@MainActor private func askAboutCopies(_ context: WindowContext, of note: SignOutNote) async throws {
  guard let deletable = note.deletable else { return }
  let messages = CopyMessages(account: note.account, deletable: deletable, secondFolder: context.settings.backupFolder)
  let answer = await ask(
    over: context.window, tr("Delete all copies and backups of that garden?"),
    messages.question.joined(separator: "\n\n"),
    [Answer("keep", tr("Keep Them")), Answer("delete", tr("Delete"), .destructive)])
  guard answer == "delete" else { return }
  try AccountSignOut.delete(deletable, of: note.account)
  context.foot.show(tr("The copies and backups are deleted."))
}
