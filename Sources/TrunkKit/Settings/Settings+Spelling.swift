import CGLib

extension Settings {
  /// In which language the spelling is checked.
  public enum Spelling: Equatable, Sendable {
    case desktop, off
    /// By the tag of a dictionary, such as `de_DE`.
    case language(String)
  }

  public var spelling: Spelling {
    switch text("writing", "spelling") {
    case nil, "": .desktop
    case "off": .off
    case let tag?: .language(tag)
    }
  }

  public func set(spelling: Spelling) throws {
    let text =
      switch spelling {
      case .desktop: ""
      case .off: "off"
      case .language(let tag): tag
      }
    try set("writing", ["spelling": text])
  }

  /// The languages of the desktop, the preferred one first, such as `de_AT` and `de`.
  public static var desktopLanguages: [String] {
    var languages: [String] = []
    var next = g_get_language_names()
    while let name = next?.pointee {
      let tag = String(cString: name)
      // Encodings and variants aren't part of a dictionary's name.
      if !tag.contains(where: { $0 == "." || $0 == "@" }), tag != "C" { languages.append(tag) }
      next = next?.advanced(by: 1)
    }
    return languages
  }
}
