/// A text from outside for a line with other texts. Whatever direction it has, and whatever marks of direction it
/// leaves open, such as U+202E, the other texts keep theirs. Texts that can't change anything stay as they are.
public func isolated(_ text: String) -> String {
  // Most texts have no letters beyond U+058F: their UTF-8 has no such bytes.
  guard text.utf8.contains(where: { $0 >= 0xD6 }) else { return text }
  // The end of a line ends isolates, too.
  var result = ""
  var rest = text[...]
  while let end = rest.firstIndex(where: \.isNewline) {
    result += isolatedLine(rest[..<end]) + String(rest[end])
    rest = rest[rest.index(after: end)...]
  }
  return result + isolatedLine(rest)
}

/// Texts on one line, such as the place and the date of an entry: `Voice · practice · 3 May`. Leaves out empty ones.
public func dotted(_ parts: some Sequence<String>) -> String {
  parts.filter { !$0.isEmpty }.map(isolated).joined(separator: " · ")
}

private func isolatedLine(_ line: Substring) -> String {
  var (open, unopened, mayTurn) = (0, 0, false)
  for scalar in line.unicodeScalars {
    switch scalar.value {
    case 0x2066...0x2068: open += 1
    case 0x2069: if open > 0 { open -= 1 } else { unopened += 1 }
    case 0x202A...0x202E, 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF,
      0x1E800...0x1EFFF:
      // Within an isolate, it turns nothing outside.
      if open == 0 { mayTurn = true }
    default: break
    }
  }
  guard mayTurn || open > 0 || unopened > 0 else { return String(line) }
  // The marks of the text itself can't end the outermost isolate.
  let (start, end) = ("\u{2068}", "\u{2069}")
  return String(repeating: start, count: unopened + 1) + line + String(repeating: end, count: open + 1)
}
