import GtkKit
import Localization
import SpellKit
import TrunkKit

/// Checks the spelling of journal texts in the language of the preferences.
final class Spelling {
  private let settings: Settings
  private var made: (choice: Settings.Spelling, checker: SpellChecker)?

  init(_ settings: Settings) {
    self.settings = settings
  }

  /// Underlines misspelt words in a field, unless the preferences say no.
  func check(_ area: TextArea) {
    guard let checker = checker(for: settings.spelling) else { return }
    area.checkSpelling(
      with: checker, texts: SpellMenuTexts(add: tr("Add to Dictionary"), noSuggestions: tr("No suggestions")))
  }

  private func checker(for choice: Settings.Spelling) -> SpellChecker? {
    if let made, made.choice == choice { return made.checker }
    guard let languages = choice.languages else { return nil }
    let checker = SpellChecker(languages: languages)
    made = (choice, checker)
    return checker
  }
}

extension Settings.Spelling {
  /// Tags of languages, the preferred one first; `nil` if nothing is checked.
  fileprivate var languages: [String]? {
    switch self {
    case .desktop: Settings.desktopLanguages
    case .off: nil
    case .language(let tag): [tag]
    }
  }
}
