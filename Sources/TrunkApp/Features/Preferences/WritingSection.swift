import GtkKit
import Localization
import SpellKit
import TrunkKit

/// The language in which the spelling of journal texts is checked.
final class WritingSection: PreferencesSection {
  let groups: [Widget]
  weak var window: (any DialogParent)?

  private let context: WindowContext
  private let row = PickRow(tr("Check spelling"), [""])
  private let hint = paragraph(
    tr("No dictionary is installed. Install one, for example hunspell-en-us, from your desktop’s software centre."),
    "hint"
  )
  private var choices: [Settings.Spelling] = []

  init(_ context: WindowContext) {
    self.context = context
    groups = [settingsGroup(tr("Writing"), row.widget, hint.margin(top: 8, start: 4, end: 4).visible(false))]
    row.onPick = { [weak self] in self?.pick($0) }
    hint.keeps(self)
    show([])
    Task { [weak self] in
      let languages = await SpellChecker.installedLanguages()
      self?.show(languages)
      self?.hint.visible(languages.isEmpty)
    }
  }

  private func show(_ languages: [String]) {
    let chosen = context.settings.spelling
    choices = [.desktop, .off] + languages.map { .language($0) }
    // Keep a language whose dictionary was removed.
    if !choices.contains(chosen) { choices.append(chosen) }
    row.show(choices.map(\.title), selected: choices.firstIndex(of: chosen) ?? 0)
  }

  private func pick(_ position: Int) {
    let (settings, choice) = (context.settings, choices[position])
    context.attempt(in: window?.foot) { try settings.set(spelling: choice) }
  }
}

extension Settings.Spelling {
  fileprivate var title: String {
    switch self {
    case .desktop: tr("In the desktop’s language")
    case .off: trc("spelling", "Off")
    case .language(let tag): languageName(of: tag)
    }
  }
}

/// A language's name in that language, with its country, for example `Deutsch (AT)`; the tag if the name isn't known.
private func languageName(of tag: String) -> String {
  let parts = tag.split(separator: "_", maxSplits: 1)
  guard let code = parts.first, let name = languageNames[String(code)] else { return tag }
  return parts.count > 1 ? "\(name) (\(parts[1]))" : name
}

/// The languages that Debian has dictionaries for.
private let languageNames = [
  "af": "Afrikaans", "ar": "العربية", "be": "Беларуская", "bg": "Български", "bn": "বাংলা", "br": "Brezhoneg",
  "ca": "Català", "cs": "Čeština", "cy": "Cymraeg", "da": "Dansk", "de": "Deutsch", "el": "Ελληνικά", "en": "English",
  "eo": "Esperanto", "es": "Español", "et": "Eesti", "eu": "Euskara", "fa": "فارسی", "fi": "Suomi", "fr": "Français",
  "ga": "Gaeilge", "gd": "Gàidhlig", "gl": "Galego", "he": "עברית", "hi": "हिन्दी", "hr": "Hrvatski", "hu": "Magyar",
  "id": "Bahasa Indonesia", "is": "Íslenska", "it": "Italiano", "ko": "한국어", "lt": "Lietuvių", "lv": "Latviešu",
  "nb": "Norsk bokmål", "nl": "Nederlands", "nn": "Norsk nynorsk", "oc": "Occitan", "pl": "Polski", "pt": "Português",
  "ro": "Română", "ru": "Русский", "sk": "Slovenčina", "sl": "Slovenščina", "sr": "Српски", "sv": "Svenska",
  "tr": "Türkçe", "uk": "Українська", "vi": "Tiếng Việt",
]
