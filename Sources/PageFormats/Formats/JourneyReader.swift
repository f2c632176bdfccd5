import TrunkModel

/// Reads Journey's JSON: one file for each entry.
struct JourneyReader: FormatReader {
  let format = PageFormat.journey
  let entries: [ExportFiles.File]

  func read(_ collector: PageCollector) throws(PageReadError) {
    try collector.forEach(entries, isPage: true) { file, bytes throws(PageReadError) in
      let entry: JSON
      do { entry = try JSON(collector.text(bytes)) } catch { return collector.skip(file, .malformed) }
      guard entry.members != nil else { return collector.skip(file, .malformed) }
      try collector.add(draft(entry, file, collector))
    }
  }

  private func draft(_ entry: JSON, _ file: ExportFiles.File, _ collector: PageCollector) -> PageDraft {
    let text = { (name: String) in entry[name]?.text ?? "" }
    var pictures = 0
    for item in (entry["photos"] ?? entry["attachments"])?.elements ?? [] {
      // Newer attachments are objects with a name or a type such as `image/jpeg`.
      let kind = Self.kind(item)
      if kind == .pictures { pictures += 1 } else { collector.leaveOut(kind) }
    }
    if let mood = entry["mood"]?.double ?? entry["sentiment"]?.double, mood != 0 { collector.leaveOut(.moods) }
    if let id = entry["weather"]?["id"]?.double, id >= 0 { collector.leaveOut(.weather) }
    if !text("music_title").isEmpty { collector.leaveOut(.music) }
    if entry["favourite"] == .bool(true) || entry["favorite"] == .bool(true) { collector.leaveOut(.stars) }
    // The largest number stands for no place.
    if let latitude = entry["lat"]?.double ?? entry["location"]?["lat"]?.double, abs(latitude) <= 90 {
      collector.leaveOut(.coordinates)
    }
    let body = body(text("text"), text("type"), collector)
    let heading = MarkdownText.heading(body.text)
    let id = text("id")
    return PageDraft(
      label: String(file.path), date: date(entry, collector),
      title: text("title").isEmpty ? heading?.title ?? "" : text("title"),
      text: text("title").isEmpty ? heading?.rest ?? body.text : body.text,
      tags: entry["tags"]?.elements?.compactMap(\.text) ?? [],
      place: text("address").isEmpty ? entry["location"]?["address"]?.text ?? "" : text("address"),
      pictures: pictures + body.pictures, id: id.isEmpty ? String(file.path) : id)
  }

  private static func kind(_ item: JSON) -> LeftOut {
    let name = item.text ?? item["filename"]?.text ?? item["name"]?.text ?? item["url"]?.text ?? ""
    let type = item["type"]?.text ?? item["mime_type"]?.text ?? ""
    if type.hasPrefix("video") { return .videos }
    return type.hasPrefix("audio") ? .sounds : MarkdownMedium.kind(name)
  }

  private func body(_ text: String, _ type: String, _ collector: PageCollector) -> (text: String, pictures: Int) {
    if type == "markdown" { return collector.markdown(text) }
    // Old entries have no type and no markup, and their line breaks count.
    return (
      HTMLText.hasMarkup(text) ? HTMLText.plain(text) : type == "html" ? HTMLText.plain(text, keepsLines: true) : text,
      0
    )
  }

  private func date(_ entry: JSON, _ collector: PageCollector) -> PageDate? {
    let zone = entry["timezone"]?.text.flatMap(collector.zone)
    if let milliseconds = entry["date_journal"]?.double ?? entry["date_journal"]?.text.flatMap(Double.init) {
      return PageDate(milliseconds: milliseconds, zone: zone)
    }
    guard let date = entry["dateOfJournal"]?.text.flatMap(PageDate.init(iso:)) else { return nil }
    return zone.flatMap { date.moved(to: $0) } ?? date
  }
}
