import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The field for the place of a sprout: finds twigs by words, lists them, and shows the chosen one. Nothing is chosen
/// until the user does so.
final class PlaceField {
  let widget: Widget

  /// The chosen twig.
  private(set) var twig: Node?

  /// Called when the user chooses a twig, or begins to look for another one.
  var onPick: ((Node?) -> Void)?
  /// Called by Enter if a twig is chosen already.
  var onSubmit: (() -> Void)?
  /// The title, which suggests places.
  var title: () -> String = { "" }

  private let field: Widget
  /// The rows of the list below the field, made when they are needed for the first time.
  private var rows: [Widget] = []
  private let list = boxedList().accessibleName(tr("Where"))
  private let note = paragraph("", "hint").margin(start: 2, end: 2)
  private let problem = paragraph("", "sun-note").margin(start: 2, end: 2).visible(false)
  private let garden: () -> Garden
  /// Whether a picture of the tree beside the field offers the places, too.
  private let isBesideTree: Bool
  /// The twigs in the list.
  private var found: [Node] = []
  /// The row that Enter takes.
  private var marked: Int?
  /// What was chosen before the user began to look for another twig.
  private var before: Node?
  private var isFilling = false
  /// Whether the list may be shown: from when the field has the focus for the first time.
  private var isOpen = false
  private var finder: (garden: Int, finder: TwigFinder)?

  /// - Parameter garden: returns the garden that is shown.
  init(isBesideTree: Bool, _ garden: @escaping () -> Garden) {
    (self.garden, self.isBesideTree) = (garden, isBesideTree)
    let placeholder = isBesideTree ? tr("Type a place, or choose a limb") : tr("Type a place")
    field = entry(name: tr("Where"), placeholder: placeholder)
    let caption = column(spacing: 1, paragraph(tr("Where"), "caption-title"), field).hexpand()
    let fieldRow = contentRow(line(spacing: 10, caption).css("field-content"), title: tr("Where"))
    list.append(fieldRow)
    widget = column(spacing: 6, list, problem, note)
    fieldRow.css("field", "place-field").onClick { [weak self] _, _, _ in self?.field.focus() }
    field.onTextChange { [weak self] in self?.typed() }
    field.on("activate") { [weak self] in self?.enter() }
    field.ignoreRepeats(of: "Return")
    field.onKey(capture: true) { [weak self] press in self?.move(press) ?? false }
    widget.onKey { [weak self] press in press.key == .escape && self?.restore() == true }
    field.onFocus { [weak self] isIn in
      guard let self, isIn else { return }
      isOpen = true
      showFound()
    }
    showNote()
    widget.keeps(self)
  }

  /// Shows a choice without calling `onPick`.
  func show(_ twig: Node?) {
    self.twig = twig
    before = nil
    isFilling = true
    field.text = twig.map { garden().path(ofTwig: $0.id) } ?? ""
    isFilling = false
    problem.visible(false)
    field.accessibleDescription("")
    showFound()
    showNote()
  }

  /// Moves the focus to the field.
  func focus() { field.focus() }

  /// Begins to look for a place with what was typed elsewhere.
  func begin(with text: String) {
    field.focus()
    field.text = text
    field.moveCursorToEnd()
  }

  /// Says that a place is missing, and moves the focus to the field.
  func askForPlace() {
    field.focus()
    problem.setText(IntentError.placeMissing.message)
    problem.visible(true)
    field.accessibleDescription(IntentError.placeMissing.message)
  }

  /// Shows other suggestions if the title suggests them.
  func titleChanged() { if rows.first?.isVisible == true, field.text.trimmed.isEmpty { showFound() } }
}

extension PlaceField {
  private func typed() {
    guard !isFilling else { return }
    problem.visible(false)
    if let twig {
      before = twig
      self.twig = nil
      onPick?(nil)
    }
    showFound()
    showNote()
  }

  /// Lists the twigs for what was typed. The list stays until a twig is chosen, because what is below it would move
  /// away from the pointer.
  private func showFound() {
    let query = String(field.text.trimmed)
    if twig != nil || query.isEmpty && !isOpen {
      (found, marked) = ([], nil)
    } else if query.isEmpty {
      (found, marked) = (suggestions, nil)
    } else {
      found = currentFinder.matches(query)
      marked = found.isEmpty ? nil : 0
    }
    let garden = garden()
    while rows.count < found.count { addRow() }
    for (index, row) in rows.enumerated() {
      guard index < found.count else {
        row.visible(false)
        continue
      }
      row.setRow(garden.path(ofTwig: found[index].id), garden.note(of: found[index]), titleLines: 2)
      row.visible(true)
    }
    showMark()
  }

  private func addRow() {
    let index = rows.count
    let row = row("", "").subtitleLines(3).activatable().offersActivation()
    row.on("activated") { [weak self] in self?.take(index) }
    list.append(row)
    rows.append(row)
  }

  /// What the title suggests, then where the user has planted last.
  private var suggestions: [Node] {
    var nodes = currentFinder.suggestions(forTitle: title())
    let limit = nodes.count + 2
    for sprout in garden().sprouts.reversed() where nodes.count < limit {
      if let node = sprout.node, node.isTwig, !nodes.contains(node) { nodes.append(node) }
    }
    return nodes
  }

  private var currentFinder: TwigFinder {
    let garden = garden()
    if let finder, finder.garden == garden.eventCount { return finder.finder }
    let made = TwigFinder(garden)
    finder = (garden.eventCount, made)
    return made
  }

  private func showMark() {
    for (index, row) in rows.enumerated() { row.css("marked", when: index == marked) }
    guard twig == nil, problem.isVisible == false else { return }
    // A screen reader hears what Enter would take.
    let texts = marked.map { [garden().path(ofTwig: found[$0].id), garden().note(of: found[$0])] } ?? []
    field.accessibleDescription(texts.joined(separator: ", "))
  }

  private func showNote() {
    let isUnknown = twig == nil && !field.text.trimmed.isEmpty && found.isEmpty
    if let twig {
      let meaning = garden().note(of: twig)
      // The descriptions are no whole sentences.
      let stop = meaning.last.map { $0.isLetter || $0.isNumber } == true ? "." : ""
      let parts = [meaning + stop, tr("It stays on this twig.")]
      note.setText(parts.filter { !$0.isEmpty }.joined(separator: " "))
    } else {
      let advice =
        isBesideTree
        ? tr("No twig is called that. Try another word, or choose one on the tree.")
        : tr("No twig is called that. Try another word.")
      note.setText(isUnknown ? advice : "")
    }
    note.visible(twig != nil || isUnknown)
  }

  /// Up and down move the mark in the list.
  private func move(_ press: KeyPress) -> Bool {
    guard press.modifiers.isEmpty, !found.isEmpty else { return false }
    switch press.key {
    case .down: marked = marked.map { min($0 + 1, found.count - 1) } ?? 0
    case .up: marked = marked.map { max($0 - 1, 0) } ?? found.count - 1
    default: return false
    }
    showMark()
    return true
  }

  private func enter() {
    if twig != nil {
      onSubmit?()
    } else if let marked {
      take(marked)
    } else {
      askForPlace()
    }
  }

  private func take(_ index: Int) {
    guard found.indices.contains(index) else { return }
    let twig = found[index]
    // The row that may have the focus disappears.
    field.focus()
    show(twig)
    field.moveCursorToEnd()
    onPick?(twig)
  }

  /// Esc returns to the twig that was chosen before.
  private func restore() -> Bool {
    guard twig == nil, let before else { return false }
    show(before)
    field.focus()
    onPick?(before)
    return true
  }
}
