import Localization

/// A form in which another program exports its journal.
public enum PageFormat: String, CaseIterable, Sendable {
  case dayOne = "dayone"
  case dayOneText = "dayone-text"
  case jrnl
  case redNotebook = "rednotebook"
  case markdown
  case logseq
  case joplin
  case journey
  case daylio
  case appleJournal = "applejournal"
  case diarium
  /// Entries with known names, in the JSON of a program that isn't known.
  case json

  /// The name of the program, or of the kind of files, in the user's language.
  public var name: String {
    switch self {
    case .dayOne: "Day One"
    case .dayOneText: tr("Day One (text)")
    case .jrnl: "jrnl"
    case .redNotebook: "RedNotebook"
    case .markdown: "Markdown"
    case .logseq: "Logseq"
    case .joplin: "Joplin"
    case .journey: "Journey"
    case .daylio: "Daylio"
    case .appleJournal: tr("Apple Journal")
    case .diarium: "Diarium"
    case .json: "JSON"
    }
  }
}
