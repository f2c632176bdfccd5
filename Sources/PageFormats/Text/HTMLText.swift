/// Turns HTML into plain text, whatever it is: tags may be nested wrongly, left open or cut.
enum HTMLText {
  /// - Parameter keepsLines: whether line breaks of the source stay, for texts in which they mean something.
  static func plain(_ html: String, keepsLines: Bool = false) -> String {
    var writer = HTMLWriter(keepsLines: keepsLines)
    for token in HTMLTokens(html) { writer.add(token) }
    return writer.text
  }
}
