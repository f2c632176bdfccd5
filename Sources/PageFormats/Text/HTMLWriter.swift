/// Writes the text of tokens: blocks with an empty line between them, lists with `- ` and `1. `, links with their
/// address in brackets, and ` | ` between the cells of a row.
struct HTMLWriter {
  let keepsLines: Bool
  private var out: [UInt8] = []
  /// The line ends to write before the next text.
  private var pendingLines = 0
  private var hasPendingSpace = false
  /// For each open list, the number of its last item; `nil` if its items have no numbers.
  private var lists: [Int?] = []
  /// The address of the open link, and where its words begin.
  private var link: (address: String, start: Int)?
  /// Whether the row has a cell already; `nil` outside of rows.
  private var hasCell: Bool?
  /// Whether nothing was written since a cell began, so that its first paragraph stays in the line.
  private var isCellStart = false

  init(keepsLines: Bool = false) { self.keepsLines = keepsLines }

  var text: String { String(decoding: out, as: UTF8.self) }

  mutating func add(_ token: HTMLToken) {
    switch token {
    case .text(let text): add(text)
    case .open(let name, let attributes):
      switch name {
      case "a": link = Self.address(attributes).map { ($0, out.count) }
      case "td", "th": beginCell()
      case "br":
        // A single break within a paragraph, or one more at its end.
        pendingLines += 1
        hasPendingSpace = false
      case "ul", "ol":
        separate(lists.isEmpty ? 2 : 1)
        // Deeper lists look like this one.
        if lists.count < 20 { lists.append(name == "ol" ? 0 : nil) }
      case "li": item()
      default:
        separate(Self.distance(name))
        if name == "tr" { hasCell = false }
      }
    case .close(let name):
      switch name {
      case "ul", "ol":
        _ = lists.popLast()
        separate(lists.isEmpty ? 2 : 1)
      case "a": endLink()
      case "li": break
      default:
        if name == "tr" { (hasCell, isCellStart) = (nil, false) }
        separate(Self.distance(name))
      }
    }
  }

  /// Where a link leads, if that is beyond its page.
  private static func address(_ attributes: [UInt8]) -> String? {
    guard let address = HTMLToken.attribute("href", in: attributes).map(PageText.line) else { return nil }
    return ["http://", "https://", "mailto:", "ftp://"].contains(where: address.lowercased().hasPrefix) ? address : nil
  }

  /// Writes the address, unless the words of the link are the same.
  private mutating func endLink() {
    guard let (address, start) = link else { return }
    link = nil
    let words = PageText.line(String(decoding: out[min(start, out.count)...], as: UTF8.self))
    if words.isEmpty { return write(Array(address.utf8)[...]) }
    let bare = { (text: String) in
      let name = text.lowercased().split(separator: ":", maxSplits: 1).last ?? ""
      return name.trimming("/")
    }
    guard bare(words) != bare(address) else { return }
    let (lines, hasSpace) = (pendingLines, hasPendingSpace)
    pendingLines = 0
    write(Array("(\(address))".utf8)[...], afterSpace: true)
    (pendingLines, hasPendingSpace) = (lines, hasSpace)
  }

  private mutating func beginCell() {
    guard let isLater = hasCell else { return }
    if isLater {
      // An empty cell leaves the line end of the row before.
      if !isCellStart { pendingLines = 0 }
      write(Array("|".utf8)[...], afterSpace: true)
    }
    (hasCell, isCellStart, hasPendingSpace) = (true, true, true)
  }

  private mutating func separate(_ count: Int) {
    guard count > 0, !isCellStart else { return }
    pendingLines = max(pendingLines, count)
    hasPendingSpace = false
  }

  private mutating func item() {
    separate(1)
    var mark = "- "
    if let last = lists.last, let number = last {
      lists[lists.count - 1] = number + 1
      mark = "\(number + 1). "
    }
    write(Array((String(repeating: "  ", count: max(0, lists.count - 1)) + mark).utf8)[...])
  }

  private static func distance(_ name: String) -> Int {
    switch name {
    case "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "table", "hr", "section", "article": 2
    case "div", "tr", "dt", "dd", "header", "footer", "figure", "figcaption", "body": 1
    default: 0
    }
  }

  private mutating func add(_ text: String) {
    for line in PageText.normalized(text).split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if line.offset > 0 {
        if keepsLines { pendingLines += 1 } else { hasPendingSpace = true }
      }
      var rest = line.element
      if rest.first == 0x20 || rest.first == 0x09 { hasPendingSpace = true }
      while let start = rest.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }) {
        let end = rest[start...].firstIndex { $0 == 0x20 || $0 == 0x09 } ?? rest.endIndex
        write(rest[start..<end])
        hasPendingSpace = end < rest.endIndex
        rest = rest[end...]
      }
    }
  }

  private mutating func write(_ bytes: ArraySlice<UInt8>, afterSpace: Bool = false) {
    if afterSpace { hasPendingSpace = true }
    if out.isEmpty {
      (pendingLines, hasPendingSpace) = (0, false)
    } else if pendingLines > 0 {
      out += [UInt8](repeating: 0x0A, count: min(pendingLines, 2))
    } else if hasPendingSpace {
      out.append(0x20)
    }
    (pendingLines, hasPendingSpace, isCellStart) = (0, false, false)
    out += bytes
  }
}
