import TrunkModel

/// Reads jrnl's export of YAML: a file for each entry. Its text is indented with tabs, which isn't valid YAML.
/// Source: jrnl-org/jrnl `jrnl/plugins/yaml_exporter.py`; versions before 2 wrote no fence and no `body`.
struct JrnlYAMLReader: FormatReader {
  let format = PageFormat.jrnl
  let entries: [ExportFiles.File]

  /// Whether a file begins with the values that jrnl writes.
  static func isEntry(_ text: String) -> Bool {
    let (values, body) = parts(text)
    return values["title"] != nil && values["date"] != nil && values["starred"] != nil && !body.isEmpty
  }

  func read(_ collector: PageCollector) throws(PageReadError) {
    try collector.forEach(entries, isPage: true) { file, bytes throws(PageReadError) in
      let (values, body) = Self.parts(collector.text(bytes))
      if values["starred"]?.lowercased() == "true" { collector.leaveOut(.stars) }
      let date = values["date"] ?? ""
      try collector.add(
        PageDraft(
          label: String(file.path), date: PageDate(iso: date), title: values["title"] ?? "",
          text: body.dropFirst().joined(separator: "\n"),
          tags: (values["tags"] ?? "").split(separator: ",").map(String.init)))
    }
  }

  /// The values at the beginning, and the lines from the one above the text to its end.
  private static func parts(_ text: String) -> (values: [String: String], body: [Substring]) {
    var values: [String: String] = [:]
    let lines = PageText.lines(text)
    var index = lines.first == "---" ? 1 : 0
    while index < min(lines.count, 20) {
      let line = lines[index]
      guard !line.isEmpty, !line.hasPrefix("body:"), let colon = line.firstIndex(of: ":") else { break }
      values[line[..<colon].lowercased()] = PageText.line(line[colon...].dropFirst())
      index += 1
    }
    var body = lines[min(index, lines.count)...].map { $0[...] }
    guard body.first?.hasPrefix("body:") == true else { return (values, body) }
    while let last = body.last, last.utf8.isBlank { body.removeLast() }
    if body.last?.trimming(" \t") == "..." { body.removeLast() }
    let indentation = body.dropFirst().first { !$0.utf8.isBlank }?.prefix { $0 == " " || $0 == "\t" } ?? ""
    // A tab is one step, and so are jrnl's four spaces.
    let step = indentation.hasPrefix("\t") ? "\t" : "    "
    return (values, body.map { $0.hasPrefix(step) ? $0.dropFirst(step.count) : $0 })
  }
}
