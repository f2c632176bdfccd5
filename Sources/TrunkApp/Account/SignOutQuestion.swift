import Garden
import GardenStore
import Gardening
import GtkKit
import Localization
import Sync

/// Asks before signing out: says what the server has, lists what it lacks, and where the copy of the garden will be.
struct SignOutQuestion {
  enum Answer {
    case stay, uploadAgain, signOut
  }

  let comparison: ServerComparison
  private let missing: [MissingEntry]
  /// About the garden that was here before signing in; `nil` if there is none.
  private let staying: String?
  private let session: Session

  /// A longer list is cut: it has to be skimmed, not read.
  private static let mostRows = 200
  /// The height from which the list scrolls, in pixels.
  private static let listHeight = 220
  /// Narrow enough for the smallest window, in pixels.
  private static let listWidth = 320

  /// - Parameter comparison: what the server was found to have.
  init(_ session: Session, _ comparison: ServerComparison) async throws {
    self.session = session
    self.comparison = comparison
    missing = try await session.synchroniser.entries(comparison)
    staying = await session.synchroniser.wordsOfWhatStays(isComplete: comparison.isComplete)
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
      parts.append(tr("The server couldn’t be checked: {reason}", ["reason": plainWords(problem)]))
    }
    if !missing.isEmpty {
      parts.append(
        trn(
          "{n} entry on this computer is not on the server.", "{n} entries on this computer are not on the server.",
          missing.count))
    } else if comparison.problem == nil {
      parts.append(tr("The server has every entry of this garden."))
    }
    parts.append(
      tr(
        "Your garden leaves this computer, except for a copy that is kept in {folder}.",
        ["folder": Folders.signedOut]))
    return [parts.joined(separator: " "), staying].compactMap(\.self).joined(separator: "\n\n")
  }

  /// The entries that the server lacks, with their date and first words.
  private var list: Widget? {
    guard !missing.isEmpty else { return nil }
    let rows = boxedList()
    for entry in missing.prefix(Self.mostRows) { gtk_list_box_append(rows.cast(), row(entry)) }
    let scrolled = scrolled(rows.margin(top: 2, bottom: 2, start: 2, end: 2))
    gtk_scrolled_window_set_propagate_natural_height(scrolled.cast(), 1)
    gtk_scrolled_window_set_max_content_height(scrolled.cast(), gint(Self.listHeight))
    return scrolled.size(width: Self.listWidth)
  }

  private func row(_ entry: MissingEntry) -> Widget {
    let garden = session.gardener.garden
    let what = entry.event.what(in: garden)
    // A title stands in the first line already.
    let words = entry.event.journalText.first.flatMap { what.hasSuffix($0) ? nil : $0 }
    let date = entry.event.instant.map { Formats.dateAndTime($0, in: garden.zone) }
    let facts = [words, date, entry.words].compactMap(\.self).joined(separator: " · ")
    let row = GtkKit.row(what, facts)
    adw_action_row_set_subtitle_lines(row.cast(), 3)
    return row
  }
}

/// Shown once after signing out: says where the copy of the garden is. Deleting it is a separate question.
@MainActor func tellOfSignOut(_ session: Session) {
  session.attempt {
    guard session.synchroniser.account == nil, let note = try CurrentAccount().signOutNote() else { return }
    var answers = [Answer("close", tr("Close"))]
    // What the server may lack is in no other place: that is not offered to be deleted.
    if note.isComplete { answers.append(Answer("delete", tr("Delete the Copy…"))) }
    let answer = await ask(
      over: session.window, tr("Signed out"), tr("A copy of that garden is in {file}.", ["file": note.copy]), answers)
    try CurrentAccount().save(nil)
    if answer == "delete" { try await askAboutCopies(session, of: note) }
  }
}

@MainActor private func askAboutCopies(_ session: Session, of note: SignOutNote) async throws {
  let answer = await ask(
    over: session.window, tr("Delete all copies of that garden?"),
    tr(
      "This deletes its backups and copies on this computer for good: those in {backups} and in {copies}. The server had every entry when you signed out; unfinished texts are in the copies only.",
      ["backups": Folders.garden(account: note.account), "copies": Folders.signedOut(account: note.account)]),
    [Answer("keep", tr("Keep Them")), Answer("delete", tr("Delete"), .destructive)])
  guard answer == "delete" else { return }
  try Synchroniser.deleteCopies(of: note.account)
  session.toaster.show(tr("The copies are deleted."))
}
