import CGettext
import Glibc

// One gettext domain for the window and the command line. The literal is a `StaticString`, so that the
// compiler refuses an interpolation, which no catalogue could ever contain.

/// The gettext domain: catalogues are `<locale folder>/<language>/LC_MESSAGES/trunk.mo`.
public let localizationDomain = "trunk"

/// Takes the user's locale from the environment and binds the catalogues. Call it once, before the first
/// `tr`.
///
/// The folder is `TRUNK_LOCALEDIR` when that is set, else `share/locale` beside the `bin` of the running
/// program. An unknown locale or a missing folder leaves the texts in English.
public func setUpLocalization() {
  setlocale(LC_ALL, "")
  if let folder = localeFolder() {
    bindtextdomain(localizationDomain, folder)
  }
  bind_textdomain_codeset(localizationDomain, "UTF-8")
}

/// The text in the user's language, with each `{name}` replaced by `arguments["name"]`.
public func tr(_ message: StaticString, _ arguments: [String: String] = [:]) -> String {
  fill(translated(message.description), arguments)
}

/// The form of the text that fits `count`. `{n}` is the count itself.
public func trn(
  _ singular: StaticString, _ plural: StaticString, _ count: Int, _ arguments: [String: String] = [:]
) -> String {
  let form = singular.description.withCString { one in
    plural.description.withCString { many in
      // Languages look at the last digits only, so a negative count takes the form of its size.
      dngettext(localizationDomain, one, many, count.magnitude).map { String(cString: $0) }
    }
  }
  return fill(form ?? plural.description, ["n": String(count)].merging(arguments) { $1 })
}

/// Like `tr`, for a word whose translation depends on where it stands: `context` tells the translator.
public func trc(_ context: StaticString, _ message: StaticString, _ arguments: [String: String] = [:])
  -> String
{
  // A catalogue keeps the context before the text, divided by the control character 4.
  let key = context.description + "\u{4}" + message.description
  let found = translated(key)
  return fill(found == key ? message.description : found, arguments)
}

/// The user's language for a text that comes from a data file of ours and not from the source.
public func translated(_ text: String) -> String {
  // gettext answers the empty text with the header of the catalogue.
  guard !text.isEmpty else { return text }
  // An unknown text comes back as the pointer that went in, which must live until it is copied.
  return text.withCString { key in
    dgettext(localizationDomain, key).map { String(cString: $0) } ?? text
  }
}

private func localeFolder() -> String? {
  if let override = getenv("TRUNK_LOCALEDIR") {
    return String(cString: override)
  }
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let length = readlink("/proc/self/exe", &buffer, buffer.count)
  guard length > 0, length < buffer.count else { return nil }
  let path = buffer[..<length].map { UInt8(bitPattern: $0) }
  let parts = path.split(separator: UInt8(ascii: "/")).dropLast(2)
  return parts.reduce("") { $0 + "/" + String(decoding: $1, as: UTF8.self) } + "/share/locale"
}

/// Replaces in one pass, so that a value that happens to contain `{name}` stays as it is.
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
      result += value
      rest = rest[rest.index(after: close)...]
    } else {
      result += "{"
      rest = rest.dropFirst()
    }
  }
  return result + rest
}
