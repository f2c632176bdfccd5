/// An entry of another journal. It belongs to no event: it earns no soil, uses no drop and is never synchronized.
public struct EarlierPage: Hashable, Sendable {
  public var date: PageDate
  /// The title that its source gave it, or empty.
  public var title: String
  /// Plain text or simple Markdown, without the title. Empty for a page of pictures.
  public var text: String
  /// Without `#` and `@`, in the order of the source, each once.
  public var tags: [String]
  /// The name of a place, or empty.
  public var place: String
  /// How many pictures the source has. They aren't imported.
  public var pictures: Int
  /// Names this page in its format, so that a newer export of the same journal finds it again: `dayone:0A1B…`.
  public var sourceID: String

  public init(
    date: PageDate, title: String = "", text: String = "", tags: [String] = [], place: String = "", pictures: Int = 0,
    sourceID: String
  ) {
    self.date = date
    self.title = title
    self.text = text
    self.tags = tags
    self.place = place
    self.pictures = pictures
    self.sourceID = sourceID
  }
}
