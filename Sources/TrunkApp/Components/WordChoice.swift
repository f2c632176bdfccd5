import GtkKit
import Localization

/// A choice between a few things that is a word in a sentence: “for *one month*”. The word opens a list with what each
/// of them means.
final class WordChoice {
  /// The line of the sentence.
  let widget = wrapping(spacing: 6, lineSpacing: 2)

  /// The index of what is chosen. Setting it does not call `onSelect`.
  var selected: Int {
    didSet { show() }
  }

  /// Called with the index of what the user has chosen.
  var onSelect: ((Int) -> Void)?

  private let name: String
  private let words: [String]
  private let titles: [String]
  private let picture: ((Int) -> Widget)?
  private var meanings: [String] = []
  /// The rows of the list and their marks, from when it is opened for the first time.
  private var rows: [(row: Widget, mark: Widget)] = []
  private lazy var menu = WordMenu(width: 380) { [weak self] in self?.makeList() ?? bin() }

  /// - Parameters:
  ///   - name: what is chosen, for screen readers.
  ///   - sentence: the sentence, with `WordChoice.gap` for the word.
  ///   - words: what can be chosen, as it stands in the sentence.
  ///   - titles: what can be chosen, as it stands in the list.
  ///   - picture: makes the picture at the end of a row.
  init(
    name: String, sentence: String, words: [String], titles: [String], picture: ((Int) -> Widget)? = nil,
    selected: Int
  ) {
    (self.name, self.words, self.titles, self.picture, self.selected) = (name, words, titles, picture, selected)
    let (before, after) = sides(of: sentence)
    if !before.isEmpty { widget.append(label(before, "sentence").valign(.center)) }
    if after.first?.isPunctuation == true {
      // A full stop stands right behind the word.
      widget.append(line(menu.widget, label(after, "sentence").valign(.center)).valign(.center))
    } else {
      widget.append(menu.widget)
      if !after.isEmpty { widget.append(label(after, "sentence").valign(.center)) }
    }
    menu.onOpen { [weak self] in if let self { rows[self.selected].row.focus() } }
    show()
    widget.keeps(self)
  }

  /// Shows below each title what it means.
  func show(meanings: [String]) {
    self.meanings = meanings
    for (index, meaning) in meanings.enumerated() where rows.indices.contains(index) {
      rows[index].row.setRow(titles[index], meaning)
    }
  }

  /// Stands for the word in a sentence.
  static let gap = "\u{FFFC}"

  private func makeList() -> Widget {
    let list = boxedList().accessibleName(name)
    rows = titles.indices.map { index in
      let mark = icon("object-select-symbolic")
      let end = line(spacing: 10, mark)
      if let picture { end.append(picture(index)) }
      let row = row(titles[index], meanings.indices.contains(index) ? meanings[index] : "", end: end)
      list.append(row.subtitleLines(0).activatable().offersActivation())
      row.on("activated") { [weak self] in self?.take(index) }
      return (row, mark)
    }
    showMarks()
    return list
  }

  private func take(_ index: Int) {
    menu.close()
    guard index != selected else { return }
    selected = index
    onSelect?(index)
  }

  private func show() {
    menu.show(words[selected], name: name + ", " + words[selected])
    showMarks()
  }

  private func showMarks() {
    for (index, made) in rows.enumerated() {
      made.mark.visible(index == selected)
      made.row.css("marked", when: index == selected)
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
