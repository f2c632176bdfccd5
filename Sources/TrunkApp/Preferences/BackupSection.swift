import Garden
import GardenStore
import Gardening
import GtkKit
import Localization

/// Where the backups are, the last one, a second place for them, and the way back to each.
final class BackupSection {
  let widget: Widget
  /// The window that it is in.
  weak var window: DialogWindow?

  private let session: Session
  private let last = row("")
  private let place = row("")
  private let second = row("")
  private let all = expanderRow()
  private let ways = wrapping()
  private let forget = column()
  private var rows: [Widget] = []
  private var shown: [BackupFile]?

  init(_ session: Session) {
    self.session = session
    widget = column(
      spacing: 8, sectionHeader(tr("Backups")),
      paragraph(
        tr(
          "Every day all of your garden is written to a file and read back. Kept are the newest of 7 days, 4 weeks and 12 months, and of each of these days also the fullest."
        ), "hint"
      ).margin(start: 2, end: 2), boxedList(last, place, second, all), ways.margin(top: 6))
    for row in [last, place, second] { adw_action_row_set_subtitle_lines(row.cast(), 0) }
    forget.append(button(tr("Use No Second Folder")) { [weak self] in self?.set(folder: nil) })
    ways.append(
      button(tr("Back Up Now")) { [weak self] in self?.backUp() },
      button(tr("Second Folder…")) { [weak self] in self?.choose() }, forget)
    widget.keeps(self)
  }

  func render() {
    let folder = session.settings.backupFolder
    second.setRow(tr("Second folder"), folder ?? tr("None. A folder on another disk or a stick keeps a copy there."))
    forget.visible(folder != nil)
    session.attempt(in: window?.toaster, keeping: widget) { [weak self] in
      guard let self else { return }
      let files = try await session.gardener.backups(secondFolder: folder)
      guard files != shown else { return }
      shown = files
      show(files)
    }
  }

  private func show(_ files: [BackupFile]) {
    let own = files.first { $0.path.hasPrefix(session.gardener.store.folder + "/") }
    last.setRow(tr("Last backup"), own?.made ?? tr("None yet. The first comes with your first day."))
    place.setRow(tr("Where they are"), own?.folder ?? "")
    place.visible(own != nil)
    let title = trn("Restore from {n} backup", "Restore from {n} backups", files.count)
    adw_preferences_row_set_title(all.cast(), title)
    all.named(title).visible(!files.isEmpty)
    for row in rows { adw_expander_row_remove(all.cast(), row) }
    rows = files.map { file in
      row(file.made, file.folder, end: icon("document-open-recent-symbolic")) { [weak self] in self?.restore(file) }
        .named(tr("Restore the backup of {date}", ["date": file.made]))
    }
    for row in rows {
      adw_action_row_set_subtitle_lines(row.cast(), 0)
      adw_expander_row_add_row(all.cast(), row)
    }
  }

  private func backUp() {
    let (session, toaster) = (session, window?.toaster)
    session.attempt(in: toaster, keeping: widget) { [weak self] in
      let count = try await session.gardener.backUp(secondFolder: session.settings.backupFolder)
      toaster?.show(trn("{n} entry is in the backup.", "{n} entries are in the backup.", count))
      self?.render()
    }
  }

  private func choose() {
    guard let window else { return }
    session.attempt(in: window.toaster, keeping: widget) { [weak self] in
      let folder = await chooseFile(
        .folder, over: window.widget, title: tr("A Second Folder for Backups"), accept: tr("Choose"))
      if let folder { self?.set(folder: folder) }
    }
  }

  private func set(folder: String?) {
    let (session, toaster) = (session, window?.toaster)
    session.attempt(in: toaster, keeping: widget) { [weak self] in
      try session.settings.set(backupFolder: folder)
      self?.render()
      // A folder that can't be written is better known now than on the day it is needed.
      if folder != nil { try await session.gardener.backUpIfDue(secondFolder: folder) }
      self?.render()
    }
  }

  private func restore(_ file: BackupFile) {
    guard let window else { return }
    let session = session
    session.attempt(in: window.toaster) {
      try await ImportDialog.read(session, file.path, over: window).present()
    }
  }
}

extension BackupFile {
  /// When it was made, by the clock of then.
  fileprivate var made: String { Formats.dateAndTime(Zone.utc.instant(day: day, second: second), in: .utc) }
}
