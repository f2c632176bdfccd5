import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Exports the whole garden to a file that the user chooses.
enum ExportDialog {
  /// - Parameter parent: the dialog to open over; `nil` for the window.
  static func choose(_ context: WindowContext, over parent: (any DialogParent)? = nil) {
    let foot = parent?.foot ?? context.foot
    context.attempt(in: foot) {
      let window = parent?.widget ?? context.window
      guard let forOtherVersions = try await askForReader(context, over: window) else { return }
      let path = await chooseFile(
        .save(name: context.model.exportName), over: window, title: tr("Export"), accept: tr("Export"))
      guard let path else { return }
      let (count, leftOut) = try await context.model.export(to: path, forOtherVersions: forOtherVersions)
      let exported = trn("{n} entry was exported.", "{n} entries were exported.", count)
      let omitted = trn("{n} event was left out.", "{n} events were left out.", leftOut)
      foot.show(leftOut == 0 ? exported : exported + " " + omitted)
    }
  }

  /// Asks who will read the file, if the garden has something that not every version of Trunk can read.
  /// - Returns: whether the file is for other versions; `nil` to cancel.
  private static func askForReader(_ context: WindowContext, over window: Widget) async throws -> Bool? {
    let count = try await context.model.unreadableElsewhere()
    guard count > 0 else { return false }
    let answer = await ask(
      over: window, tr("Export for other versions of Trunk?"),
      trn(
        "Some versions of Trunk can’t read a file with {n} of your events, such as your own names and notes of branches and twigs. It stays in your garden in any case.",
        "Some versions of Trunk can’t read a file with {n} of your events, such as your own names and notes of branches and twigs. They stay in your garden in any case.",
        count),
      [
        .init("cancel", tr("Cancel")), .init("others", tr("Leave Them Out")),
        .init("everything", tr("Export Everything"), .suggested),
      ])
    return switch answer {
    case "others": true
    case "everything": false
    default: nil
    }
  }

  /// Exports the superseded versions of entries to a separate file.
  static func chooseSuperseded(_ context: WindowContext, over parent: (any DialogParent)?) {
    let foot = parent?.foot ?? context.foot
    context.attempt(in: foot) {
      let path = await chooseFile(
        .save(name: "superseded-" + context.model.exportName), over: parent?.widget ?? context.window,
        title: tr("Save Superseded Versions"), accept: tr("Save"))
      guard let path else { return }
      let count = try await context.model.exportSuperseded(to: path)
      foot.show(trn("{n} version was saved.", "{n} versions were saved.", count))
    }
  }
}
