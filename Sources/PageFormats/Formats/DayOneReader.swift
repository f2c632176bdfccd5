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

  private func draft(_ entry: [JSON.Member], _ collector: PageCollector) -> PageDraft {
    let created = entry.value("creationDate")?.text ?? ""
    let id = entry.value("uuid")?.text ?? ""
    for (kind, name) in [(LeftOut.videos, "videos"), (.sounds, "audios"), (.documents, "pdfAttachments")] {
      collector.leaveOut(kind, entry.value(name)?.elements?.count ?? 0)
    }
    if entry.value("weather")?.members?.isEmpty == false { collector.leaveOut(.weather) }
    if entry.value("userActivity")?.members?.isEmpty == false { collector.leaveOut(.activities) }
    if entry.value("music")?.members?.isEmpty == false { collector.leaveOut(.music) }
    if entry.value("starred") == .bool(true) || entry.value("isPinned") == .bool(true) { collector.leaveOut(.stars) }
    let location = entry.value("location")
    if location?["latitude"] != nil { collector.leaveOut(.coordinates) }
    let place = ["placeName", "localityName", "country"].compactMap { location?[$0]?.text }.filter { !$0.isEmpty }
    // The media of the text are those of the lists, so only pictures without a list are counted here.
    let markdown = MarkdownText(entry.value("text")?.text ?? "", hasWikiLinks: false)
    let heading = MarkdownText.heading(markdown.text)
    return PageDraft(
      label: created.isEmpty ? id : created, date: date(created, entry, collector),
      title: MarkdownText.unescaped(heading?.title ?? ""),
      text: MarkdownText.unescaped(heading?.rest ?? markdown.text),
      tags: entry.value("tags")?.elements?.compactMap(\.text) ?? [], place: place.joined(separator: ", "),
      pictures: max(entry.value("photos")?.elements?.count ?? 0, markdown.media[.pictures] ?? 0),
      id: id.isEmpty ? nil : id)
  }

  private func date(_ created: String, _ entry: [JSON.Member], _ collector: PageCollector) -> PageDate? {
    guard let date = PageDate(iso: created) else { return nil }
    let zone = entry.value("timeZone")?.text.flatMap(collector.zone)
    let local = zone.flatMap { date.moved(to: $0) } ?? date
    guard entry.value("isAllDay") == .bool(true) else { return local }
    // An all-day entry is local midnight. Without a zone, that is the nearest midnight of UTC.
    guard local.zoning == .utc, let second = local.second else { return PageDate(day: local.day) }
    return PageDate(day: second >= 43_200 ? local.day.adding(days: 1) : local.day)
  }
}

extension PageCollector {
  /// The objects of a JSON array one by one, so that a long one never takes more memory than its text. If the file
  /// isn't JSON, it is skipped; if it is the only one, the read fails.
  /// - Parameter wrapper: the name of the array, if it is a member of an object.
  func forEachObject(
    _ bytes: [UInt8], of file: ExportFiles.File, in wrapper: String? = nil,
    _ body: (_ members: [JSON.Member]) throws(PageReadError) -> Void
  ) throws(PageReadError) {
    var failure: PageReadError?
    let utf8 = Array(text(bytes).utf8)
    let read = Result { () throws(JSONError) in
      // No member has the empty name, so all members of an object are columns.
      try EventEnvelope.forEach(utf8, in: wrapper, payload: "") { object in
        guard failure == nil else { return }
        do throws(PageReadError) { try body(object.columns) } catch { failure = error }
      }
    }
    if let failure { throw failure }
    guard case .failure = read else { return }
    guard totalFiles > 1 else { throw .damaged(file: String(file.name)) }
    skip(file, .malformed)
  }
}
