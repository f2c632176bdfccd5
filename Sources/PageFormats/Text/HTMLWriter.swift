/// Writes the text of tokens: blocks with an empty line between them, lists with `- ` and `1. `.
struct HTMLWriter {
  let keepsLines: Bool
  private var out: [UInt8] = []
  /// The line ends to write before the next text.
  private var pendingLines = 0
  private var hasPendingSpace = false
  /// For each open list, the number of its last item; `nil` if its items have no numbers.
  private var lists: [Int?] = []

  init(keepsLines: Bool = false) { self.keepsLines = keepsLines }

  var text: String { String(decoding: out, as: UTF8.self) }

  mutating func add(_ token: HTMLToken) {
    switch token {
    case .text(let text): add(text)
    case .open(let name, _):
      switch name {
      case "br":
        // A single break within a paragraph, or one more at its end.
        pendingLines += 1
        hasPendingSpace = false
      case "ul", "ol":
        separate(lists.isEmpty ? 2 : 1)
        // Deeper lists look like this one.
        if lists.count < 20 { lists.append(name == "ol" ? 0 : nil) }
      case "li": item()
      default: separate(Self.distance(name))
      }
    case .close(let name):
      if name == "ul" || name == "ol" {
        _ = lists.popLast()
        separate(lists.isEmpty ? 2 : 1)
      } else if name != "li" {
        separate(Self.distance(name))
      }
    }
  }

  private mutating func separate(_ count: Int) {
    guard count > 0 else { return }
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

  private mutating func write(_ bytes: ArraySlice<UInt8>) {
    if out.isEmpty {
      (pendingLines, hasPendingSpace) = (0, false)
    } else if pendingLines > 0 {
      out += [UInt8](repeating: 0x0A, count: min(pendingLines, 2))
    } else if hasPendingSpace {
      out.append(0x20)
    }
    (pendingLines, hasPendingSpace) = (0, false)
    out += bytes
  }
}
