import CGettext
import Glibc

// Texts are `StaticString`s, so that the compiler rejects interpolation: no catalogue can contain an interpolated text.

/// A gettext domain: its catalogues are `<locale folder>/<language>/LC_MESSAGES/<domain>.mo`.
public enum LocalizationDomain: String, CaseIterable, Sendable {
  /// The texts of the window and the command line.
  case program = "trunk"
  /// The questions of the journal. They are separate because they are a quarter of all texts and the hardest to
  /// translate: a language can begin without them.
  case questions = "trunk-questions"
}

/// Sets the locale from the environment and binds the catalogues. Call it once, before the first `tr`.
///
/// The folder is `TRUNK_LOCALEDIR` if that is set, otherwise `share/<folder>` beside the `bin` of the running program.
/// Two packages can't contain the same file, so the window and `trunkctl` have separate folders. With an unknown locale
/// or a missing folder, texts stay in English.
public func setUpLocalization(folder: StaticString = "locale") {
  setlocale(LC_ALL, "")
  let path = localeFolder(folder)
  for domain in LocalizationDomain.allCases {
    if let path { bindtextdomain(domain.rawValue, path) }
    bind_textdomain_codeset(domain.rawValue, "UTF-8")
  }
}

/// Returns the text in the user's language, with each `{name}` replaced by `arguments["name"]`.
public func tr(_ message: StaticString, _ arguments: [String: String] = [:]) -> String {
  fill(translated(message.description), arguments)
}

/// Returns the singular or plural form for `count` in the user's language, with `{n}` replaced by the count.
public func trn(
  _ singular: StaticString, _ plural: StaticString, _ count: Int, _ arguments: [String: String] = [:]
) -> String {
  let form = singular.description.withCString { one in
    plural.description.withCString { many in
      // Plural forms depend on the absolute value.
      dngettext(LocalizationDomain.program.rawValue, one, many, count.magnitude).map { String(cString: $0) }
    }
  }
  return fill(form ?? plural.description, ["n": localized(count)].merging(arguments) { $1 })
}

/// Like `tr`, for a word with several translations: `context` tells translators which one is needed.
public func trc(_ context: StaticString, _ message: StaticString, _ arguments: [String: String] = [:])
  -> String
{
  // A catalogue stores the context before the text, separated by U+0004.
  let key = context.description + "\u{4}" + message.description
  let found = translated(key)
  return fill(found == key ? message.description : found, arguments)
}

/// Returns the translation of a text that comes from a data file, with each `{name}` replaced by `arguments["name"]`.
public func translated(
  _ text: String, in domain: LocalizationDomain = .program, _ arguments: [String: String] = [:]
) -> String {
  // gettext returns the header of the catalogue for an empty text.
  guard !text.isEmpty else { return text }
  // For an unknown text, gettext returns the pointer it was given, so the text must live until the result is copied.
  let translation = text.withCString { key in
    dgettext(domain.rawValue, key).map { String(cString: $0) } ?? text
  }
  return fill(translation, arguments)
}

/// The language of the texts, from the header of the program's catalogue: `de`. Without a catalogue it is `en`.
public var catalogueLanguage: String {
  // gettext returns the header of the catalogue for an empty text, and the text itself without a catalogue.
  let header = dgettext(LocalizationDomain.program.rawValue, "").map { String(cString: $0) } ?? ""
  let field = "Language: "
  let line = header.split(separator: "\n").first { $0.hasPrefix(field) }
  return line.map { String($0.dropFirst(field.count)) } ?? "en"
}

private func localeFolder(_ name: StaticString) -> String? {
  if let override = getenv("TRUNK_LOCALEDIR") {
    return String(cString: override)
  }
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let length = readlink("/proc/self/exe", &buffer, buffer.count)
  guard length > 0, length < buffer.count else { return nil }
  let path = buffer[..<length].map { UInt8(bitPattern: $0) }
  let parts = path.split(separator: UInt8(ascii: "/")).dropLast(2)
  return parts.reduce("") { $0 + "/" + String(decoding: $1, as: UTF8.self) } + "/share/\(name)"
}

/// Replaces all placeholders in one pass, so that a `{name}` inside a value stays unchanged. The values are isolated.
private func fill(_ text: String, _ arguments: [String: String]) -> String {
  guard !arguments.isEmpty else { return text }
  var result = ""
  var rest = text[...]
  while let open = rest.firstIndex(of: "{") {
    result += rest[..<open]
    rest = rest[open...]
    guard let close = rest.firstIndex(of: "}") else { break }
    let name = String(rest[rest.index(after: open)..<close])
    if let value = arguments[name] {
      result += isolated(value)
      rest = rest[rest.index(after: close)...]
    } else {
      result += "{"
      rest = rest.dropFirst()
    }
  }
  return result + rest
}
