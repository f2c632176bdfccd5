import TrunkModel

/// Reads Diarium's JSON, with pictures in folders that are named after the entries' times.
struct DiariumReader: FormatReader {
  let format = PageFormat.diarium
  let journals: [ExportFiles.File]

  func read(_ collector: PageCollector) throws(PageReadError) {
    let media = media(collector.files.files)
    try collector.forEach(journals) { file, bytes throws(PageReadError) in
      try collector.forEachObject(bytes, of: file) { entry throws(PageReadError) in
        let text = { (name: String) in entry[name]?.text ?? "" }
        let written = text("date")
        if entry["location"]?.elements?.isEmpty == false { collector.leaveOut(.coordinates) }
        if !text("sun").isEmpty || !text("lunar").isEmpty || !text("weather").isEmpty { collector.leaveOut(.weather) }
        let files = media[Self.folder(written)] ?? [:]
        for (kind, count) in files where kind != .pictures { collector.leaveOut(kind, count) }
        try collector.add(
          PageDraft(
            label: written, date: PageDate(iso: written), title: text("heading"),
            text: HTMLText.plain(text("html").isEmpty ? text("text") : text("html")),
            tags: JSONReader.tags(entry["tags"]),
            pictures: files[.pictures] ?? 0, id: written.isEmpty ? nil : written))
      }
    }
  }

  /// How many files of each kind every folder of `media` has.
  private func media(_ files: [ExportFiles.File]) -> [String: [LeftOut: Int]] {
    var media: [String: [LeftOut: Int]] = [:]
    for file in files {
      let parts = file.fullPath.split(separator: "/")
      guard parts.count >= 3, parts[parts.count - 3] == "media" else { continue }
      media[String(parts[parts.count - 2]), default: [:]][MarkdownMedium.kind(String(file.name)), default: 0] += 1
    }
    return media
  }

  /// `2019-10-26T15:47:53.48828` has its media in `2019-10-26_154753488`: fractions have three digits there.
  private static func folder(_ date: String) -> String {
    let parts = date.split(separator: "T", maxSplits: 1)
    guard parts.count == 2 else { return date }
    let time = parts[1].split(separator: ".", maxSplits: 1)
    let fraction = time.count == 2 ? time[1].prefix(3) : ""
    return parts[0] + "_" + time[0].filter { $0 != ":" } + fraction
      + String(repeating: "0", count: max(0, 3 - fraction.utf8.count))
  }
}
