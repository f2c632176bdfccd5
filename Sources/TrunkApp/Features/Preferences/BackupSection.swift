import EventStore
import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Backup settings: where the backups are, when the last one was made, a second folder, and restoring.
final class BackupSection: PreferencesSection {
  let groups: [Widget]
  weak var window: (any DialogParent)?

  private let context: WindowContext
  private let last = row("")
  private let place = row("")
  private let second = row("")
  private let all = expanderRow()
  private let buttons = wrapping()
  private let forget = column()
  private var rows: [Widget] = []
  private var shown: [BackupFile]?

  init(_ context: WindowContext) {
    self.context = context
    groups = [
      settingsGroup(
        tr("Backups"),
        note: tr(
          "On every day with changes, Trunk backs up your whole garden and verifies the backup. It keeps 7 daily, 4 weekly and 12 monthly backups."
        ), last, place, second, all, buttons.margin(top: 8))
    ]
    for row in [last, place, second] { row.subtitleLines(0) }
    forget.append(button(tr("Remove")) { [weak self] in self?.set(folder: nil) })
    buttons.append(
      button(tr("Back Up Now")) { [weak self] in self?.backUp() },
      button(tr("Second Folder…")) { [weak self] in self?.choose() }, forget)
    buttons.keeps(self)
  }

  func render() {
    let folder = context.settings.backupFolder
    second.setRow(
      tr("Second folder"),
      folder.map(Folders.displayed) ?? tr("None. Choose a folder on another disk to keep a second copy there."))
    forget.visible(folder != nil)
    context.attempt(in: window?.foot) { [weak self, model = context.model] in
      let files = try await model.backups(secondFolder: folder)
      guard let self, files != shown else { return }
      shown = files
      show(files)
    }
  }

  private func show(_ files: [BackupFile]) {
    let own = files.first { $0.path.hasPrefix(context.model.folder + "/") }
    last.setRow(tr("Last backup"), own?.made ?? tr("None yet. Trunk makes the first one on the day you start writing."))
    place.setRow(tr("Backup folder"), own?.place ?? "")
    place.visible(own != nil)
    let title = trn("Restore from {n} backup", "Restore from {n} backups", files.count)
    all.setText(title)
    all.accessibleName(title).visible(!files.isEmpty)
    for row in rows { all.remove(row) }
    rows = files.map { file in
      row(file.made, file.place, end: icon("document-open-recent-symbolic")) { [weak self] in self?.restore(file) }
        .accessibleName(tr("Restore the backup of {date}", ["date": file.made]))
    }
    for row in rows { all.append(row.subtitleLines(0)) }
  }

  private func backUp() {
    let (context, foot) = (context, window?.foot)
    context.attempt(in: foot) { [weak self] in
      let count = try await context.model.backUp(secondFolder: context.settings.backupFolder)
      foot?.show(trn("{n} entry was backed up.", "{n} entries were backed up.", count))
      self?.render()
    }
  }

  private func choose() {
    guard let window else { return }
    context.attempt(in: window.foot) { [weak self] in
      let folder = await chooseFile(
        .folder, over: window.widget, title: tr("Choose a Second Folder for Backups"), accept: tr("Choose"))
      if let folder { self?.set(folder: folder) }
    }
  }

  private func set(folder: String?) {
    let (context, foot) = (context, window?.foot)
    context.attempt(in: foot) { [weak self] in
      if let folder { try await GardenModel.checkBackupFolder(folder) }
      try context.settings.set(backupFolder: folder)
      self?.render()
      if folder != nil { try await context.model.backUpIfDue(secondFolder: folder) }
      self?.render()
    }
  }

  private func restore(_ file: BackupFile) {
    guard let window else { return }
    let context = context
    context.attempt(in: window.foot) {
      try await ImportDialog.present(context, file.path, isBackup: true, over: window)
    }
  }
}

extension BackupFile {
  /// The local time when the backup was made.
  fileprivate var made: String { Formats.dateAndTime(Zone.utc.instant(day: day, second: second), in: .utc) }
  fileprivate var place: String { Folders.displayed(folder) }
}
