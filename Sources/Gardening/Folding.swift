import CGLib

extension String {
  /// The text as a search compares it: without case, diacritics and compatibility forms, so that `Übung` matches
  /// `ubung`.
  public var folded: String {
    guard let normal = g_utf8_normalize(self, -1, G_NORMALIZE_ALL) else { return lowercased() }
    defer { g_free(normal) }
    guard let folded = g_utf8_casefold(normal, -1) else { return lowercased() }
    defer { g_free(folded) }
    var scalars = UnicodeScalarView()
    for scalar in String(cString: folded).unicodeScalars where scalar.properties.generalCategory != .nonspacingMark {
      scalars.append(scalar)
    }
    return String(scalars)
  }
}
