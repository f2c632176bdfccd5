import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The texts that show an entry: its own text and its subject.
enum EntryTexts {
  /// In place of a hidden entry's text.
  static var hidden: String { tr("Hidden on this computer") }

  /// The text of an entry; a placeholder if it is hidden or empty.
  static func text(of entry: TimelineEntry) -> String {
    if entry.isHidden { return hidden }
    let text = entry.text.trimmed
    return text.isEmpty ? tr("Without words") : String(text)
  }

  /// A text with simple Markdown as it is read, as markup.
  fileprivate static func markup(of text: String) -> String {
    ReadingText(clamped(text)).runs.reduce(into: "") { markup, run in
      var attributes: [String] = []
      if run.style.contains(.strong) { attributes.append("weight=\"700\"") }
      if run.style.contains(.emphasized) { attributes.append("style=\"italic\"") }
      if run.style.contains(.struck) { attributes.append("strikethrough=\"true\"") }
      if run.style.contains(.code) { attributes.append("font_family=\"monospace\" size=\"smaller\"") }
      if run.style.contains(.heading) { attributes.append("weight=\"600\" size=\"larger\"") }
      let words = escaped(run.text)
      markup += attributes.isEmpty ? words : "<span " + attributes.joined(separator: " ") + ">" + words + "</span>"
    }
  }

  /// The question of an entry as markup that links to all entries with this question, and the address of the link;
  /// `nil` without one.
  static func question(of entry: TimelineEntry) -> (markup: String, address: String?) {
    guard let question = entry.question, !question.isEmpty else { return ("", nil) }
    let found = Route.search(SearchQuery.phrase(question))
    let address = found.address
    // Other clients may have written questions that an address can't contain.
    guard Route(address: address) == found else { return (escaped(question), nil) }
    return (link(escaped(question), to: address), address)
  }

  /// The subject of an entry: `Learn the cello prelude · Voice · practice`.
  static func about(_ entry: TimelineEntry, in garden: Garden) -> String {
    garden.about(entry) { name, _ in clamped(name, to: oneLineLimit) }
  }

  /// The subject of an entry with its leaf, and the same as markup in which each name links to its page.
  static func subject(of entry: TimelineEntry, in garden: Garden) -> (text: String, markup: String) {
    let text = garden.about(entry, showsLeaf: true) { name, _ in clamped(name, to: oneLineLimit) }
    let markup = garden.about(entry, showsLeaf: true) { name, place in
      let name = escaped(clamped(name, to: oneLineLimit))
      return place.map { link(name, to: $0.address) } ?? name
    }
    return (text, markup)
  }

  /// - Parameter name: markup.
  private static func link(_ name: String, to address: String) -> String {
    "<a href=\"\(escaped(address))\">\(name)</a>"
  }
}

extension Widget {
  /// Shows a text with simple Markdown as it is read.
  @discardableResult
  func showReading(_ text: String) -> Widget {
    setMarkup(EntryTexts.markup(of: text))
    return self
  }
}
