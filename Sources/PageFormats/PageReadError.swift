import Localization

/// Why an export can't be read at all. Nothing was changed.
public enum PageReadError: Error, Equatable, Sendable {
  /// There is no file or folder with this name.
  case missing
  /// The file or folder may not be read; `code` is an `errno`.
  case unreadable(code: Int32)
  /// A pipe or a device.
  case notAFile
  /// No format that this program reads.
  case unknownFormat
  /// A journal of jrnl that is encrypted, or a file that isn't text.
  case encrypted
  /// A zip whose files need a password.
  case needsPassword
  /// The zip is damaged.
  case damagedArchive
  /// The only file of the export is damaged or ends early.
  case damaged(file: String)
  /// A form of this program that can't be read; another one can.
  case otherExport(OtherExport)
  /// The texts are larger than `limit` bytes in total.
  case tooLarge(limit: Int)
  /// There are more than `limit` pages.
  case tooManyPages(limit: Int)
  /// The folder or zip has more than `limit` files.
  case tooManyFiles(limit: Int)
  /// The caller cancelled.
  case cancelled

  /// An export in a form that isn't read, and which one to choose instead.
  public enum OtherExport: Equatable, Sendable, CaseIterable {
    /// A JEX or RAW export.
    case joplin
    /// jrnl's Markdown, in which headings and tags are changed.
    case jrnl
    /// A backup, `.daylio`.
    case daylio
    /// A database, `.diary`, or another SQLite file.
    case diarium
    /// HTML of Diarium or another program.
    case web
  }

  /// What is wrong and what to do, in the user's language.
  public var message: String {
    switch self {
    case .missing: tr("There is no such file or folder.")
    case .unreadable: tr("This can’t be read. Check its permissions.")
    case .notAFile: tr("This is a device or a pipe. Choose a file or a folder.")
    case .unknownFormat:
      tr("Trunk doesn’t recognize this journal. Choose the export of one of the programs that the handbook lists.")
    case .encrypted: tr("This file is encrypted or isn’t text. Decrypt it first; in jrnl, with “jrnl --decrypt”.")
    case .needsPassword: tr("This archive has a password. Unpack it and choose the folder.")
    case .damagedArchive: tr("This archive is damaged. Export the journal again.")
    case .damaged(let file):
      tr("“{file}” is damaged or ends too early. Export the journal again.", ["file": file])
    case .otherExport(.joplin):
      tr("Trunk can’t read this export of Joplin. Export “MD – Markdown + Front Matter” instead.")
    case .otherExport(.jrnl):
      tr("Trunk can’t read this export of jrnl. Export the journal with “jrnl --format json” instead.")
    case .otherExport(.daylio): tr("This is a backup of Daylio. Export the entries as CSV instead.")
    case .otherExport(.diarium): tr("This is a database. If it is Diarium’s, export the journal as JSON instead.")
    case .otherExport(.web): tr("Trunk can’t read this web page. Export the journal as JSON, Markdown or text instead.")
    case .tooLarge(let limit):
      tr(
        "The texts are larger than {n} MB. Export the journal in several parts.", ["n": localized(limit >> 20)])
    case .tooManyPages(let limit):
      tr("There are more than {n} entries. Export the journal in several parts.", ["n": localized(limit)])
    case .tooManyFiles(let limit):
      tr("There are more than {n} files here. Choose only the folder of the journal.", ["n": localized(limit)])
    case .cancelled: tr("Cancelled. Nothing was imported.")
    }
  }
}
