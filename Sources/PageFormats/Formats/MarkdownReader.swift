import TrunkModel

/// Reads folders of Markdown and text files, such as those of Obsidian, files with a heading for each day, and Joplin's
/// export with front matter.
struct MarkdownReader: FormatReader {
  let format: PageFormat
  let notes: [ExportFiles.File]

  /// Joplin keeps attachments there.
  func isPart(_ file: ExportFiles.File) -> Bool { file.fullPath.split(separator: "/").contains("_resources") }

  func read(_ collector: PageCollector) throws(PageReadError) {
    var (drafts, evidence) = ([(draft: PageDraft, date: DatedName)](), FolderEvidence())
    try collector.forEach(notes, isPage: true) { file, bytes throws(PageReadError) in
      let text = collector.text(bytes)
      let note = MarkdownNote(text, isJoplin: format == .joplin)
      note.count(collector)
      if let date = format == .joplin ? note.date : note.date(in: file) {
        evidence.add(date)
        return drafts.append((draft(note, file, date, collector), date))
      }
      let found = format == .joplin ? MarkdownNote.Days() : note.headed(in: file)
      if found.days.isEmpty || !found.beginning.allSatisfy(\.isWhitespace) {
        collector.skip(file, found.days.isEmpty && found.lacksYear ? .noYear : .noDate)
      }
      var counts: [String: Int] = [:]
      for (day, date) in found.days {
        evidence.add(date)
        var draft = draft(day, file, date, collector)
        counts[date.text, default: 0] += 1
        // A day that is added to the file later leaves the others as they are.
        draft.id = "\(file.path)#\(date.text)#\(counts[date.text] ?? 1)"
        draft.label += ", " + date.text
        drafts.append((draft, date))
      }
    }
    for (draft, date) in drafts {
      var draft = draft
      draft.date = collector.date(
        date.written, date.text, evidence.order(date, collector.options.dayMonthOrders))
      try collector.add(draft)
    }
  }

  private func draft(
    _ note: MarkdownNote, _ file: ExportFiles.File, _ date: DatedName, _ collector: PageCollector
  ) -> PageDraft {
    let tags = note.tags + date.tags + (format == .joplin ? [] : MarkdownNote.hashTags(note.body))
    let markdown = collector.markdown(note.body, hasWikiLinks: format != .joplin)
    var (title, text) = (note.title ?? date.rest, markdown.text)
    if let heading = MarkdownText.heading(text), title.isEmpty || PageText.line(heading.title) == PageText.line(title) {
      (title, text) = (heading.title, heading.rest)
    }
    return PageDraft(
      label: String(file.path), title: title, text: text, tags: tags, place: note.place,
      pictures: markdown.pictures, id: String(file.path))
  }
}
