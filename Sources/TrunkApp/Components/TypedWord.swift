import GtkKit
import Localization

/// Asks before a whole garden is deleted. The user has to type a word, so that no click by accident does it.
/// - Parameter explanation: what is deleted and what stays.
/// - Returns: whether the word was typed; if it wasn't, `foot` says so.
@MainActor func askForWord(
  over window: Widget, _ question: String, _ explanation: String, in foot: Foot
) async -> Bool {
  // Translators: the word that has to be typed before everything is deleted.
  let word = tr("delete")
  let field = entry(name: tr("Type the word “{word}”", ["word": word]), placeholder: word)
  // The field is gone when the answer arrives.
  var typed = ""
  field.onTextChange { typed = field.text }
  let answer = await ask(
    over: window, question, explanation + " " + tr("Type “{word}” to continue.", ["word": word]), extra: field,
    [Answer("cancel", tr("Cancel")), Answer("delete", tr("Delete"), .destructive)])
  guard answer == "delete" else { return false }
  if typed != word { foot.show(tr("That didn’t match. Nothing was deleted.")) }
  return typed == word
}
