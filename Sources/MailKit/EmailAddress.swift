import CGLib

/// What the window, the terminal and the server know about email addresses.
public enum EmailAddress {
  /// Removes what a user can't see: white space at both ends, and invisible characters anywhere. Pasted addresses often
  /// contain them.
  ///
  /// Control characters such as line breaks stay inside the text, and so do characters that reverse the order in which
  /// others are shown, so that a check can reject them.
  public static func cleaned(_ text: some StringProtocol) -> String {
    let overrides: ClosedRange<Unicode.Scalar> = "\u{202D}"..."\u{202E}"
    let visible = text.unicodeScalars.filter { scalar in
      overrides.contains(scalar)
        || scalar.properties.generalCategory != .format && !scalar.properties.isDefaultIgnorableCodePoint
    }
    let first = visible.firstIndex { !$0.properties.isWhitespace } ?? visible.endIndex
    let end = visible.lastIndex { !$0.properties.isWhitespace }.map { visible.index(after: $0) } ?? first
    var out = String.UnicodeScalarView()
    out.append(contentsOf: visible[first..<end])
    return String(out)
  }

  /// Returns the spelling by which addresses are compared: cleaned, in lower case, and with the domain's ASCII form:
  /// `ada@xn--grn-ioa.example` for `Ada@Grün.example`. A domain that has none stays as it is.
  public static func comparable(_ text: some StringProtocol) -> String {
    let address = cleaned(text).lowercased()
    // By scalars, as mail servers read it: a sign followed by a combining mark is another character to Swift.
    let scalars = address.unicodeScalars
    guard let at = scalars.lastIndex(of: "@") else { return address }
    let domain = String(scalars[scalars.index(after: at)...])
    return String(scalars[...at]) + (asciiDomain(domain) ?? domain)
  }

  /// Returns the ASCII form of a domain.
  /// - Returns: `nil` if it isn't a domain.
  private static func asciiDomain(_ domain: String) -> String? {
    if domain.utf8.allSatisfy({ $0 < 0x80 }) { return domain }
    guard let ascii = g_hostname_to_ascii(domain) else { return nil }
    defer { g_free(ascii) }
    return String(cString: ascii)
  }
}
