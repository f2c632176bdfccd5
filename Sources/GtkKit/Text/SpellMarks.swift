import CGtk
import CShim
import SpellKit

/// The texts of the context menu on a misspelt word.
public struct SpellMenuTexts {
  let add: String
  let noSuggestions: String

  public init(add: String, noSuggestions: String) {
    (self.add, self.noSuggestions) = (add, noSuggestions)
  }
}

/// Underlines the misspelt words of a text, but never the one that is being typed, and offers similar words in the
/// context menu.
@MainActor final class SpellMarks {
  private let reference: Reference
  private let checker: SpellChecker
  private let menu: SpellMenu
  private let tag: UnsafeMutablePointer<GtkTextTag>
  /// The misspelt words of the text in its present state.
  private var misspelt: [SpelledWord] = []
  /// The cursor's position after the last change; `nil` once the user has moved it.
  private var typedAt: Int?
  /// Increases with every change.
  private var revision = 0
  private var isChecking = false
  private var buffer: UnsafeMutablePointer<GtkTextBuffer> { reference.object.cast() }

  init(of buffer: UnsafeMutablePointer<GtkTextBuffer>, with checker: SpellChecker, texts: SpellMenuTexts) {
    reference = Reference(retaining: buffer)
    self.checker = checker
    menu = SpellMenu(texts: texts)
    tag = trunk_spelling_tag_new()
    // The table owns the tag from now on, and the buffer the table.
    gtk_text_tag_table_add(gtk_text_buffer_get_tag_table(buffer), tag)
    g_object_unref(tag)
    buffer.on("changed") { [weak self] in self?.textChanged() }
    buffer.onChange(of: "cursor-position") { [weak self] in self?.cursorMoved() }
    menu.onReplace = { [weak self] in self?.replace(with: $0) }
    menu.onAdd = { [weak self] in self?.add() }
    textChanged()
  }

  /// Offers similar words in the context menu of a view of the text.
  func attach(to view: Widget) {
    menu.attach(to: view)
    view.on("map") { [weak self, view] in
      let color = view.color("danger")
      if let tag = self?.tag { trunk_tag_underline_color(tag, Float(color.red), Float(color.green), Float(color.blue)) }
    }
  }

  private func textChanged() {
    revision += 1
    typedAt = buffer.cursor
    Task { [weak self] in await self?.check() }
  }

  private func cursorMoved() {
    if let typedAt, buffer.cursor != typedAt { self.typedAt = nil }
    // After a change the words are outdated: `check` shows the new ones.
    if !isChecking { show() }
  }

  private func check() async {
    guard !isChecking else { return }
    isChecking = true
    var (words, checked): ([SpelledWord], Int)
    repeat {
      checked = revision
      words = await checker.misspelt(in: buffer.text)
    } while checked != revision
    isChecking = false
    misspelt = words
    show()
  }

  private func show() {
    let typed = typedAt
    buffer.set(tag, on: misspelt.map(\.range).filter { range in typed.map { !range.touches($0) } ?? true })
    guard typed == nil, let word = wordAtCursor else { return menu.clear() }
    if menu.offer(similarTo: word.text) {
      Task { [weak self, checker] in
        let suggestions = await checker.suggestions(for: word.text)
        self?.menu.show(suggestions, for: word.text)
      }
    }
  }

  private var wordAtCursor: SpelledWord? {
    let cursor = buffer.cursor
    return misspelt.first { $0.range.touches(cursor) }
  }

  private func replace(with text: String) {
    // While a check runs, the positions of the words may be outdated.
    guard !isChecking, let word = wordAtCursor else { return }
    buffer.replace(word.range, with: text)
  }

  private func add() {
    guard let word = wordAtCursor else { return }
    Task { [weak self, checker] in
      await checker.add(word.text)
      await self?.check()
    }
  }
}

extension Range<Int> {
  /// Whether a position is inside the range or at one of its ends.
  fileprivate func touches(_ place: Int) -> Bool { lowerBound <= place && place <= upperBound }
}
