/// An outline as a list in Markdown, without what only Logseq understands.
struct LogseqOutline {
  private(set) var text = ""
  private(set) var title = ""
  private(set) var tags: [String] = []
  private(set) var properties = 0
  private(set) var taskTimes = 0
  private(set) var references = 0

  init(_ source: String, isOrg: Bool) {
    var (lines, isInDrawer, isCode) = ([String](), false, false)
    for line in PageText.lines(source) {
      let bare = line.drop { $0 == " " || $0 == "\t" }
      let content = bare.hasPrefix("- ") ? bare.dropFirst(2) : bare
      if content.hasPrefix("```") { isCode.toggle() }
      if isInDrawer {
        isInDrawer = bare.uppercased() != ":END:"
      } else if isCode {
        lines.append(Self.spaced(line))
      } else if bare == ":LOGBOOK:" || bare.uppercased() == ":PROPERTIES:" {
        isInDrawer = true
        if bare == ":LOGBOOK:" { taskTimes += 1 } else { properties += 1 }
      } else if let (name, value) = Self.property(content) {
        add(name, value)
      } else if content.hasPrefix("SCHEDULED:") || content.hasPrefix("DEADLINE:") {
        taskTimes += 1
      } else if bare != "-", bare != "*", !(bare.hasPrefix("- ") && content.utf8.isBlank) {
        let line = withoutReferences(isOrg ? Self.listItem(line) : Self.spaced(line))
        // A block that was only a reference.
        if !line.contains(where: { $0 != " " && $0 != "-" && $0 != "\t" }), !bare.isEmpty { continue }
        tags += HashTags.find(line, sign: UInt8(ascii: "#"), extra: "-_/", hasBrackets: true) { !HashTags.isNumber($0) }
        lines.append(line)
      }
    }
    text = lines.joined(separator: "\n")
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

  private mutating func add(_ name: String, _ value: Substring) {
    switch name {
    case "title": title = String(value)
    case "tags": tags += value.filter { $0 != "[" && $0 != "]" }.split(separator: ",").map(String.init)
    default: properties += 1
    }
  }

  /// Two spaces for each tab of the indentation.
  private static func spaced(_ line: String) -> String {
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

  /// Without `((id of another block))` and `{{macros}}`.
  private mutating func withoutReferences(_ line: String) -> String {
    let bytes = Array(line.utf8)
    var (out, index, macroEnds) = ([UInt8](), 0, RepeatedSearch("}}"))
    while index < bytes.count {
      // An id has 36 characters; other text in two brackets stays.
      if bytes.has("((", at: index), bytes.has("))", at: index + 38) {
        references += 1
        index += 40
      } else if bytes.has("{{", at: index), let end = macroEnds.next(in: bytes, from: index + 2) {
        references += 1
        index = end + 2
      } else {
        out.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
