import TrunkModel

/// Reads Day One's JSON: one file for each journal.
struct DayOneReader: FormatReader {
  let format = PageFormat.dayOne
  let journals: [ExportFiles.File]

  func read(_ collector: PageCollector) throws(PageReadError) {
    try collector.forEach(journals) { file, bytes throws(PageReadError) in
      try collector.forEachObject(bytes, of: file, in: "entries") { entry throws(PageReadError) in
        try collector.add(draft(entry, collector))
      }
    }
  }

  private func draft(_ entry: JSON, _ collector: PageCollector) -> PageDraft {
    let created = entry["creationDate"]?.text ?? ""
    let id = entry["uuid"]?.text ?? ""
    for (kind, name) in [(LeftOut.videos, "videos"), (.sounds, "audios"), (.documents, "pdfAttachments")] {
      collector.leaveOut(kind, entry[name]?.elements?.count ?? 0)
    }
    if entry["weather"]?.members?.isEmpty == false { collector.leaveOut(.weather) }
    if entry["userActivity"]?.members?.isEmpty == false { collector.leaveOut(.activities) }
    if entry["music"]?.members?.isEmpty == false { collector.leaveOut(.music) }
    if entry["starred"] == .bool(true) || entry["isPinned"] == .bool(true) { collector.leaveOut(.stars) }
    let location = entry["location"]
    if location?["latitude"] != nil { collector.leaveOut(.coordinates) }
    let place = ["placeName", "localityName", "country"].compactMap { location?[$0]?.text }.filter { !$0.isEmpty }
    // The media of the text are those of the lists, so only pictures without a list are counted here.
    let markdown = MarkdownText(entry["text"]?.text ?? "", hasWikiLinks: false)
    let heading = MarkdownText.heading(markdown.text)
    return PageDraft(
      label: created.isEmpty ? id : created, date: date(created, entry, collector),
      title: MarkdownText.unescaped(heading?.title ?? ""),
      text: MarkdownText.unescaped(heading?.rest ?? markdown.text),
      tags: entry["tags"]?.elements?.compactMap(\.text) ?? [], place: place.joined(separator: ", "),
      pictures: max(entry["photos"]?.elements?.count ?? 0, markdown.media[.pictures] ?? 0),
      id: id.isEmpty ? nil : id)
  }

  private func date(_ created: String, _ entry: JSON, _ collector: PageCollector) -> PageDate? {
    guard let date = PageDate(iso: created) else { return nil }
    let zone = entry["timeZone"]?.text.flatMap(collector.zone)
    let local = zone.flatMap { date.moved(to: $0) } ?? date
    guard entry["isAllDay"] == .bool(true) else { return local }
    // An all-day entry is local midnight. Without a zone, that is the nearest midnight of UTC.
    guard local.zoning == .utc, let second = local.second else { return PageDate(day: local.day) }
    return PageDate(day: second >= 43_200 ? local.day.adding(days: 1) : local.day)
  }
}
