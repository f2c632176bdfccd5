import GtkKit
import Localization

/// A choice between a few things that is a word in a sentence: “for *one month*”. The word opens a list with what each
/// of them means.
final class WordChoice {
  /// The line of the sentence.
  let widget: Widget

  /// The index of what is chosen. Setting it does not call `onSelect`.
  var selected: Int {
    didSet { show() }
  }

  /// Called with the index of what the user has chosen.
  var onSelect: ((Int) -> Void)?

  private let name: String
  private let words: [String]
  private let titles: [String]
  private let rows, marks: [Widget]
  private let menu: WordMenu

  /// - Parameters:
  ///   - name: what is chosen, for screen readers.
  ///   - sentence: the sentence, with `WordChoice.gap` for the word.
  ///   - words: what can be chosen, as it stands in the sentence.
  ///   - titles: what can be chosen, as it stands in the list.
  ///   - pictures: a picture for each, at the end of its row; may be empty.
  init(
    name: String, sentence: String, words: [String], titles: [String], pictures: [Widget] = [], selected: Int
  ) {
    (self.name, self.words, self.titles, self.selected) = (name, words, titles, selected)
    let list = boxedList().accessibleName(name)
    let marks = titles.indices.map { _ in icon("object-select-symbolic") }
    self.marks = marks
    rows = titles.indices.map { index in
      let end = line(spacing: 10, marks[index])
      if pictures.indices.contains(index) { end.append(pictures[index]) }
      return row(titles[index], end: end).subtitleLines(0)
    }
    rows.forEach { list.append($0.activatable().offersActivation()) }
    menu = WordMenu(list, width: 380)
    let (before, after) = sides(of: sentence)
    widget = wrapping(spacing: 6, lineSpacing: 2)
    for part in [
      before.isEmpty ? nil : label(before, "sentence"), menu.widget, after.isEmpty ? nil : label(after, "sentence"),
    ] {
      if let part { widget.append(part.valign(.center)) }
    }
    for (index, row) in rows.enumerated() { row.on("activated") { [weak self] in self?.take(index) } }
    menu.onOpen { [weak self] in if let self { rows[self.selected].focus() } }
    show()
    widget.keeps(self)
  }

  /// Shows below each title what it means.
  func show(meanings: [String]) {
    for (row, (title, meaning)) in zip(rows, zip(titles, meanings)) { row.setRow(title, meaning) }
  }

  /// Stands for the word in a sentence.
  static let gap = "\u{FFFC}"

  private func take(_ index: Int) {
    menu.close()
    guard index != selected else { return }
    selected = index
    onSelect?(index)
  }

  private func show() {
    menu.show(words[selected], name: name + ", " + words[selected])
    for (index, mark) in marks.enumerated() {
      mark.visible(index == selected)
      rows[index].css("marked", when: index == selected)
    }
  }
}

/// A word of a sentence as the beginning of a row.
func startingLarge(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

/// The texts before and after `WordChoice.gap`, without the spaces beside it.
func sides(of sentence: String) -> (before: String, after: String) {
  let parts = sentence.split(separator: Character(WordChoice.gap), maxSplits: 1, omittingEmptySubsequences: false)
  return (String(parts[0].trimmed), parts.count > 1 ? String(parts[1].trimmed) : "")
}
