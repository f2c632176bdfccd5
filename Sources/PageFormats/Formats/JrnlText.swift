import TrunkModel

/// The entries of a text, one after the other. Its first entry decides whether dates are in brackets.
struct JrnlText {
  private let bytes: [UInt8]
  private var index = 0
  private var hasBrackets: Bool?
  private(set) var linesLikeEntries = 0
  /// The first line before the first entry.
  private(set) var preamble: String?

  init(_ text: String) { bytes = PageText.normalized(text) }

  /// - Parameters:
  ///   - day: that of the file.
  ///   - check: called now and then, to end the search.
  mutating func next(_ day: Day?, check: () throws(PageReadError) -> Void) throws(PageReadError) -> JrnlEntry? {
    var (entry, bodyStart, lines) = (JrnlEntry?.none, 0, 0)
    while index < bytes.count {
      lines += 1
      if lines % 10_000 == 0 { try check() }
      let end = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
      // Only the start of a line can be a date.
      let start = String(decoding: bytes[index..<min(end, index + 100)], as: UTF8.self)
      if let head = Self.head(start, hasBrackets) {
        guard entry == nil else { break }
        hasBrackets = bytes[index] == UInt8(ascii: "[")
        // The title is the rest of the whole line.
        let first = index + start.utf8.count - head.title.utf8.count
        var title = String(decoding: bytes[min(first, end)..<end], as: UTF8.self)[...]
        let isStarred = title.hasSuffix(" *") || title == "*"
        if isStarred { title = title.dropLast() }
        entry = JrnlEntry(
          label: head.label, written: head.written, day: day, title: String(title), isStarred: isStarred)
        bodyStart = min(end + 1, bytes.count)
      } else if entry != nil {
        if hasBrackets == true, Self.isLikeEntry(start) { linesLikeEntries += 1 }
      } else if preamble == nil, !start.utf8.isBlank {
        preamble = start
      }
      index = end + 1
    }
    entry?.body = String(decoding: bytes[bodyStart..<min(max(index, bodyStart), bytes.count)], as: UTF8.self)
    return entry
  }

  /// The date and title of an entry's first line; `nil` for other lines.
  /// - Parameter hasBrackets: whether the date is in brackets; `nil` if that isn't known yet.
  static func head(_ line: String, _ hasBrackets: Bool?) -> (label: String, written: WrittenDate, title: String)? {
    guard let first = line.utf8.first else { return nil }
    if first == UInt8(ascii: "["), hasBrackets != false {
      guard let (date, title) = bracketed(line), let written = WrittenDate(date, in: .nothing) else { return nil }
      return (String(date), written, title)
    }
    guard hasBrackets != true, first >= 0x30, first < 0x7F else { return nil }
    return plain(line)
  }

  private static func bracketed(_ line: String) -> (date: Substring, title: String)? {
    guard let close = line.utf8.prefix(80).firstIndex(of: UInt8(ascii: "]")) else { return nil }
    let rest = line[close...].dropFirst()
    guard rest.isEmpty || rest.utf8.first == 0x20 || rest.utf8.first == 0x09 else { return nil }
    return (line[line.utf8.index(after: line.startIndex)..<close], String(rest.dropFirst()))
  }

  /// `2010-06-10 15:00 Title`: words that are exactly a date with a time, without the first ones of the title.
  private static func plain(_ line: String) -> (label: String, written: WrittenDate, title: String)? {
    var ends: [String.Index] = []
    for place in line.utf8.prefix(60).indices where line.utf8[place] == 0x20 { ends.append(place) }
    if line.utf8.count < 60 { ends.append(line.endIndex) }
    for count in [2, 4, 5] where ends.count >= count {
      var end = ends[count - 1]
      guard let written = WrittenDate(line[..<end], in: .nothing), written.second != nil else { continue }
      var result = (String(line[..<end]), written)
      // The half of the day follows the time.
      if ends.count > count, DateWords.isMorning(line[end..<ends[count]].dropFirst().lowercased()) != nil,
        let longer = WrittenDate(line[..<ends[count]], in: .nothing)
      {
        end = ends[count]
        result = (String(line[..<end]), longer)
      }
      return (result.0, result.1, String(line[end...].dropFirst()))
    }
    return nil
  }

  /// Whether a line has a text of some length in brackets, as the date of an entry would be.
  private static func isLikeEntry(_ line: String) -> Bool {
    guard line.utf8.first == UInt8(ascii: "["), let (date, title) = bracketed(line) else { return false }
    return date.utf8.count >= 6 && !title.isEmpty
  }
}
