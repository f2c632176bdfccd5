import TrunkModel

/// Reads jrnl's JSON.
struct JrnlJSONReader: FormatReader {
  let format = PageFormat.jrnl
  let journals: [ExportFiles.File]

  func read(_ collector: PageCollector) throws(PageReadError) {
    try collector.forEach(journals) { file, bytes throws(PageReadError) in
      try collector.forEachObject(bytes, of: file, in: "entries") { entry throws(PageReadError) in
        let text = { (name: String) in entry[name]?.text ?? "" }
        let (day, time, title, body) = (text("date"), text("time"), text("title"), text("body"))
        let date = PageDate(iso: day)
        if entry["starred"] == .bool(true) { collector.leaveOut(.stars) }
        let tags = entry["tags"]?.elements?.compactMap(\.text) ?? JrnlReader.tags(title + "\n" + body)
        try collector.add(
          PageDraft(
            label: day + " " + time, date: date.flatMap { PageDate(iso: "\($0.day) " + time) } ?? date, title: title,
            text: body, tags: tags))
      }
    }
  }
}
