import TrunkModel

/// An entry of jrnl's text.
struct JrnlEntry {
  /// The date as it is written.
  var label: String
  var written: WrittenDate?
  /// The day of the file, if there is one for each day.
  var day: Day?
  var title: String
  var isStarred: Bool
  var body = ""
}
