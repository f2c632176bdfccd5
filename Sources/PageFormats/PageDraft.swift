import TrunkModel

/// A page as a format's reader found it, before it is cleaned.
struct PageDraft {
  /// Names the entry in a report.
  var label: String
  /// Whether the reader found it too long to read.
  var isTooLong = false
  /// `nil` if there is none, or one that no calendar has.
  var date: PageDate?
  var title = ""
  var text = ""
  var tags: [String] = []
  var place = ""
  var pictures = 0
  /// The program's own id or the path; `nil` for formats without either.
  var id: String?
}
