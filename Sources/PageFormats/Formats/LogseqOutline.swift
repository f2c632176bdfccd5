/// An outline as a list in Markdown, without what only Logseq understands.
struct LogseqOutline {
  private(set) var text = ""
  private(set) var title = ""
  private(set) var tags: [String] = []
  private(set) var properties = 0
  private(set) var taskTimes = 0
  private(set) var references = 0

  private var lines: [String] = []
  /// The indentation of an item whose first line was a property. The next line of its text becomes the item.
  private var openItem: Substring?

  init(_ source: String, isOrg: Bool) {
    var (isInDrawer, code) = (false, MarkdownCode())
    for line in PageText.lines(source) {
      let bare = line.drop { $0 == " " || $0 == "\t" }
      let content = bare.hasPrefix("- ") ? bare.dropFirst(2) : bare
      if isInDrawer {
        isInDrawer = bare.uppercased() != ":END:"
      } else if code.isFenced(line.utf8) {
        lines.append(Self.spaced(line))
      } else if bare == ":LOGBOOK:" || bare.uppercased() == ":PROPERTIES:" {
        isInDrawer = true
        if bare == ":LOGBOOK:" { taskTimes += 1 } else { properties += 1 }
      } else if let (name, value) = Self.property(content), Self.isOwn(name, value) {
        add(name, value)
        if content.startIndex != bare.startIndex { openItem = line[..<bare.startIndex] }
      } else if Self.isTaskTime(content) {
        taskTimes += 1
      } else if bare != "-", bare != "*", !(bare.hasPrefix("- ") && content.utf8.isBlank) {
        add(line, isOrg: isOrg)
      }
    }
    text = lines.joined(separator: "\n")
  }

  private mutating func add(_ line: String, isOrg: Bool) {
    var line = isOrg ? Self.listItem(line) : Self.spaced(line)
    let bare = line.drop { $0 == " " }
    if let indentation = openItem, !bare.isEmpty {
      openItem = nil
      if !bare.hasPrefix("- ") { line = Self.spaced(indentation + "- " + bare) }
    }
    let before = references
    line = withoutReferences(line)
    // A block that was only a reference.
    if references > before, !line.contains(where: { $0 != " " && $0 != "-" && $0 != "\t" }) { return }
    let words = String(decoding: MarkdownCode.withoutSpans(Array(line.utf8)), as: UTF8.self)
    tags += HashTags.find(words, sign: UInt8(ascii: "#"), extra: "-_/", hasBrackets: true) { !HashTags.isNumber($0) }
    lines.append(line)
  }

  /// `SCHEDULED: <2024-04-02 Tue>`
  private static func isTaskTime(_ line: Substring) -> Bool {
    guard line.hasPrefix("SCHEDULED:") || line.hasPrefix("DEADLINE:"), let colon = line.firstIndex(of: ":") else {
      return false
    }
    return line[colon...].dropFirst().first { $0 != " " } == "<"
  }

  /// `name:: value`
  private static func property(_ line: Substring) -> (name: String, value: Substring)? {
    let name = line.utf8.prefix { byte in
      byte == 0x2D || byte == 0x5F || byte == 0x2E || byte == 0x2F || (0x30...0x39).contains(byte)
        || (0x41...0x5A).contains(byte & 0xDF)
    }
    let rest = line.utf8[name.endIndex...]
    guard !name.isEmpty, rest.starts(with: [0x3A, 0x3A]), rest.count == 2 || rest.dropFirst(2).first == 0x20 else {
      return nil
    }
    return (String(decoding: name, as: UTF8.self).lowercased(), line[rest.startIndex...].dropFirst(2))
  }

  /// Whether a property is one that Logseq itself writes or understands. All others are the user's words.
  /// Source: logseq/logseq `deps/graph-parser/src/logseq/graph_parser/property.cljs`.
  private static func isOwn(_ name: String, _ value: Substring) -> Bool {
    if ownNames.contains(name) || ownPrefixes.contains(where: name.hasPrefix) { return true }
    // The times at which a task changed.
    return ["todo", "doing", "now", "later", "done"].contains(name) && HashTags.isNumber(PageText.line(value))
  }

  private static let ownNames: Set<String> = [
    "id", "custom-id", "collapsed", "title", "tags", "alias", "aliases", "icon", "template",
    "template-including-parent", "created-at", "created_at", "updated-at", "last-modified-at", "last_modified_at",
    "public", "heading", "background-color", "background_color", "background-image", "ls-type", "filters", "file",
    "file-path", "exclude-from-graph-visibility",
  ]
  private static let ownPrefixes = ["logseq.", "query-", "card-", "hl-"]

  private mutating func add(_ name: String, _ value: Substring) {
    switch name {
    case "title": title = String(value)
    case "tags": tags += value.filter { $0 != "[" && $0 != "]" }.split(separator: ",").map(String.init)
    default: properties += 1
    }
  }

  /// Two spaces for each tab of the indentation.
  private static func spaced(_ line: some StringProtocol) -> String {
    let tabs = line.utf8.prefix { $0 == 0x09 }.count
    return String(repeating: "  ", count: tabs) + line.dropFirst(tabs)
  }

  /// `** text` of Org as an item of a list, and its pictures as those of Markdown.
  private static func listItem(_ line: String) -> String {
    let stars = line.utf8.prefix { $0 == 0x2A }.count
    let rest = line.dropFirst(stars)
    let isItem = stars > 0 && rest.utf8.first == 0x20
    let text =
      isItem ? String(repeating: "  ", count: min(stars, 50) - 1) + "- " + rest.drop { $0 == " " } : spaced(line)
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    var index = 0
    while let link = bytes.firstIndex(of: "[[../assets/", from: index) {
      out += bytes[index..<link] + [0x21, 0x5B, 0x5B]
      index = link + 2
    }
    return String(decoding: out + bytes[index...], as: UTF8.self)
  }

  /// Without `((id of another block))`, and with the addresses of `{{macros}}`.
  private mutating func withoutReferences(_ line: String) -> String {
    let bytes = Array(line.utf8)
    var (out, index, macroEnds) = ([UInt8](), 0, RepeatedSearch("}}"))
    while index < bytes.count {
      // An id has 36 characters; other text in two brackets stays.
      if bytes.has("((", at: index), bytes.has("))", at: index + 38) {
        references += 1
        index += 40
      } else if bytes.has("{{", at: index), let end = macroEnds.next(in: bytes, from: index + 2) {
        let words = bytes[(index + 2)..<end].split(separator: 0x20)
        if let address = words.first(where: { Array($0).firstIndex(of: "://") != nil }) {
          out += address
        } else {
          references += 1
        }
        index = end + 2
      } else {
        out.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
