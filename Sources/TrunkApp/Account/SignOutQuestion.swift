import Gardening
import GtkKit
import Localization

/// Before signing out: what goes, what stays, what would be lost, and whether the backups are to stay on this computer.
struct SignOutQuestion {
  enum Answer {
    case stay, export
    case signOut(removesBackups: Bool)
  }

  /// How many entries only this computer has.
  let unsent: Int
  private let drafts: Int
  /// About the garden that was here before signing in; `nil` if there is none.
  private let staying: String?
  /// Where the garden's own backups are, or other copies of it; `nil` if there are none.
  private let backups: String?
  private let secondFolder: String?

  /// Tries to send what waits, and looks at what there is.
  init(_ session: Session) async throws {
    let gardener = session.gardener
    unsent = try await session.synchroniser.unsentAfterTrying()
    drafts = try await gardener.store.drafts().count
    staying = await session.synchroniser.wordsOfWhatStays(losing: unsent)
    backups = try await gardener.folderOfCopies()
    secondFolder = session.settings.backupFolder
  }

  func answer(over window: Widget) async -> Answer {
    var answers = [GtkKit.Answer("cancel", tr("Cancel"))]
    if unsent > 0 { answers.append(.init("export", tr("Export…"), .suggested)) }
    answers.append(.init("out", unsent > 0 ? tr("Sign Out and Lose Them") : tr("Sign Out"), .destructive))
    // Off at first: what is deleted can't be had back, and only the user knows who else uses this computer.
    let removal = backups.map { AlsoSwitch(tr("Delete the backups of this garden as well"), hint(backups: $0)) }
    switch await ask(over: window, tr("Sign out?"), text, extra: removal?.widget, answers) {
    case "export": return .export
    case "out": return .signOut(removesBackups: removal?.isOn ?? false)
    default: return .stay
    }
  }

  private var text: String {
    var parts: [String] = []
    if unsent > 0 {
      parts.append(
        trn(
          "{n} entry has not reached the server and would be lost. Export it first.",
          "{n} entries have not reached the server and would be lost. Export them first.", unsent))
    } else {
      parts.append(
        tr("The garden of your account leaves this computer and stays on the server. Sign in again to have it back."))
    }
    if drafts > 0 { parts.append(trn("{n} unfinished text is lost.", "{n} unfinished texts are lost.", drafts)) }
    return [parts.joined(separator: " "), staying].compactMap(\.self).joined(separator: "\n\n")
  }

  private func hint(backups: String) -> String {
    var parts = [
      tr(
        "If not, they stay in {folder}. Delete them where others use this computer under your name.",
        ["folder": backups])
    ]
    if let secondFolder { parts.append(tr("Those in {folder} stay in any case.", ["folder": secondFolder])) }
    return parts.joined(separator: " ")
  }
}
