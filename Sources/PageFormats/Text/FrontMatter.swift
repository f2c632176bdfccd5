/// The values at the beginning of a note: YAML between two lines of `---`, or TOML between two lines of `+++`.
enum FrontMatter {
  /// The values in the order of the text, and what stands below them.
  /// - Returns: `nil` if there are none, or some that can't be read.
  static func read(_ text: String) -> (members: [(key: String, value: YAMLNode)], body: String)? {
    if let (yaml, body) = MarkdownText.frontMatter(text) {
      return (mapping(YAMLNode(yaml)) ?? simple(yaml)).map { ($0, body) }
    }
    return MarkdownText.frontMatter(text, fence: UInt8(ascii: "+")).map { (assignments($0.matter), $0.body) }
  }

  private static func mapping(_ node: YAMLNode?) -> [(key: String, value: YAMLNode)]? {
    if case .mapping(let members)? = node { members } else { nil }
  }

  /// Lines of `key: value` and lists below a key, for what isn't valid YAML: people write `title: Ice: day two`.
  /// - Returns: `nil` if another line is among them.
  private static func simple(_ text: String) -> [(key: String, value: YAMLNode)]? {
    var members: [(key: String, value: YAMLNode)] = []
    for line in PageText.lines(text) where !line.utf8.isBlank && line.utf8.first != UInt8(ascii: "#") {
      let content = line.trimming(" \t")
      if content.hasPrefix("- "), let last = members.popLast() {
        var elements: [YAMLNode] = []
        if case .sequence(let known) = last.value { elements = known }
        members.append((last.key, .sequence(elements + [value(content.dropFirst(2))])))
      } else if let colon = line.firstIndex(of: ":"), isKey(line[..<colon]),
        line[colon...].dropFirst().first.map({ $0 == " " }) ?? true
      {
        members.append((String(line[..<colon]), value(line[colon...].dropFirst())))
      } else {
        return nil
      }
    }
    return members.isEmpty ? nil : members
  }

  private static func isKey(_ key: Substring) -> Bool {
    guard let first = key.utf8.first, HashTags.isWord(first) else { return false }
    return key.utf8.count <= 40 && key.utf8.allSatisfy { $0 == 0x20 || $0 == 0x2D || HashTags.isWord($0) }
  }

  /// Lines of `key = value`. Values of TOML that notes have are also valid YAML; names of tables are ignored.
  private static func assignments(_ text: String) -> [(key: String, value: YAMLNode)] {
    PageText.lines(text).compactMap { line in
      guard let sign = line.firstIndex(of: "=") else { return nil }
      return (line[..<sign].trimming(" \"'"), value(line[sign...].dropFirst()))
    }
  }

  private static func value(_ text: Substring) -> YAMLNode {
    let text = text.trimming(" \t")
    if let node = YAMLNode(text), node.members.isEmpty { return node }
    // A bracket or a quote that is never closed.
    return .scalar(text.trimming("[]\"' "), isPlain: true)
  }
}
