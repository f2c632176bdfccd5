/// RedNotebook's markup as Markdown.
struct RedNotebookMarkup {
  private(set) var text = ""
  private(set) var pictures = 0
  private(set) var underlines = 0

  init(_ source: String) {
    var code = MarkdownCode()
    let lines = PageText.lines(source).map { line in
      let bytes = Array(line.utf8)
      if code.isFenced(bytes) { return bytes }
      let before = pictures
      let text = heading(bytes) ?? inline(bytes)
      return pictures > before && text.isBlank ? [] : text
    }
    text = String(decoding: Array(lines.joined(separator: [0x0A])), as: UTF8.self)
  }

  /// `== Title ==`: as many signs on both sides.
  private mutating func heading(_ line: [UInt8]) -> [UInt8]? {
    let trimmed = line.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()
    let count = trimmed.prefix { $0 == 0x3D }.count
    guard (1...5).contains(count), trimmed.reversed().prefix(while: { $0 == 0x3D }).count == count,
      trimmed.count > 2 * count
    else { return nil }
    let title = PageText.line(String(decoding: Array(trimmed.dropFirst(count).dropLast(count)), as: UTF8.self))
    return [UInt8](repeating: 0x23, count: count) + [0x20] + inline(Array(title.utf8))
  }

  /// - Parameter depth: how many signs are around this text.
  private mutating func inline(_ line: [UInt8], depth: Int = 0) -> [UInt8] {
    var (out, index, ends) = ([UInt8](), 0, Ends())
    while index < line.count {
      if line.has("://", at: index) {
        // An address may contain signs.
        let end = line[index...].firstIndex { $0 == 0x20 || $0 == 0x22 } ?? line.count
        out += line[index..<end]
        index = end
      } else if line.has("``", at: index), let end = ends.code.next(in: line, from: index + 2) {
        out += line[index..<(end + 2)]
        index = end + 2
      } else if line[index] == 0x5B, let (shown, end) = target(line, index, &ends) {
        out += shown
        index = end
      } else if line.has("\"\"", at: index), let end = ends.quote.next(in: line, from: index + 2) {
        out += line[(index + 2)..<end]
        index = end + 2
      } else if line.has("\\\\", at: index) {
        if line[(index + 2)...].contains(where: { $0 != 0x20 }) { out.append(0x0A) }
        index += 2
      } else if depth < 4, let (sign, end) = pair(line, index, &ends) {
        let inside = inline(Array(line[(index + 2)..<end]), depth: depth + 1)
        if sign == 0x5F { underlines += 1 }
        let mark: [UInt8] = sign == 0x2F ? [0x2A] : sign == 0x2D ? [0x7E, 0x7E] : []
        out += mark + inside + mark
        index = end + 2
      } else {
        out.append(line[index])
        index += 1
      }
    }
    return out
  }

  /// The ends of what opens in a line.
  private struct Ends {
    var code = RepeatedSearch("``")
    var quote = RepeatedSearch("\"\"")
    /// Signs by their character. A sign without an end is in `unpaired`.
    var signs: [UInt8: RepeatedSearch] = [
      0x2F: RepeatedSearch("//"), 0x2D: RepeatedSearch("--"), 0x5F: RepeatedSearch("__"),
    ]
    var unpaired: Set<UInt8> = []
  }

  /// The sign that opens at `start`, `//`, `--` or `__`, and where it closes. It stands next to the words that it
  /// marks.
  private func pair(_ line: [UInt8], _ start: Int, _ ends: inout Ends) -> (sign: UInt8, end: Int)? {
    let sign = line[start]
    guard ends.signs[sign] != nil, !ends.unpaired.contains(sign), start + 4 < line.count, line[start + 1] == sign,
      line[start + 2] != 0x20, line[start + 2] != sign, start == 0 || line[start - 1] != sign
    else { return nil }
    var from = start + 3
    while let end = ends.signs[sign]?.next(in: line, from: from) {
      if line[end - 1] != 0x20, line[end - 1] != 0x3A { return (sign, end) }
      from = end + 2
    }
    ends.unpaired.insert(sign)
    return nil
  }

  /// `[""picture"".png?300]` shows nothing, `[name ""address""]` both.
  private mutating func target(_ line: [UInt8], _ start: Int, _ ends: inout Ends) -> (shown: [UInt8], end: Int)? {
    guard let open = ends.quote.next(in: line, from: start + 1), open - start < 1024,
      let close = line[(open + 2)...].prefix(4096).indices.first(where: { line.has("\"\"", at: $0) }),
      let end = line[close...].prefix(64).firstIndex(of: 0x5D), !line[start..<open].contains(0x5D)
    else { return nil }
    let name = String(decoding: line[(start + 1)..<open], as: UTF8.self)
    let address = String(decoding: line[(open + 2)..<close], as: UTF8.self)
    if PageText.line(name).isEmpty {
      pictures += 1
      return ([], end + 1)
    }
    return (Array((PageText.line(name) + " (" + address + ")").utf8), end + 1)
  }
}
