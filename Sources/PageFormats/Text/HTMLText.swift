/// Turns HTML into plain text, whatever it is: tags may be nested wrongly, left open or cut.
enum HTMLText {
  /// - Parameters:
  ///   - keepsLines: whether line breaks of the source stay, for texts in which they mean something.
  ///   - names: the tags that are no text; `nil` for all.
  static func plain(_ html: String, keepsLines: Bool = false, names: Set<String>? = nil) -> String {
    var writer = HTMLWriter(keepsLines: keepsLines)
    for token in HTMLTokens(html, names: names) { writer.add(token) }
    return writer.text
  }

  /// Whether a text has one of the tags with which programs write journals.
  static func hasMarkup(_ text: String) -> Bool {
    HTMLTokens(text).contains { token in
      if case .open(let name, _) = token { elements.contains(name) } else { false }
    }
  }

  private static let elements: Set<String> = [
    "p", "br", "div", "span", "ul", "ol", "li", "b", "i", "u", "strong", "em", "a", "img", "h1", "h2", "h3",
    "blockquote", "table",
  ]

  /// The tags that a text has, for texts in which `a<b` may mean something else: `br`, and those that are also closed.
  static func closedNames(_ text: String) -> Set<String> {
    HTMLTokens(text).reduce(into: ["br"]) { names, token in
      if case .close(let name) = token { names.insert(name) }
    }
  }
}
