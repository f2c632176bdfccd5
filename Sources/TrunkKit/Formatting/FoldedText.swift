import CGLib
import EventStore
import Glibc

extension String {
  /// The text normalised for search: without case, diacritics and compatibility forms, and with plain letters, so that
  /// `Übung` matches `ubung`.
  public var folded: String {
    guard !utf8.allSatisfy({ (1..<0x80).contains($0) }) else { return lowercased() }
    guard let normal = g_utf8_normalize(self, -1, G_NORMALIZE_ALL) else { return lowercased() }
    defer { g_free(normal) }
    guard let folded = g_utf8_casefold(normal, -1) else { return lowercased() }
    defer { g_free(folded) }
    var scalars = UnicodeScalarView()
    for scalar in String(cString: folded).withPlainLetters.unicodeScalars
    where scalar.properties.generalCategory != .nonspacingMark {
      scalars.append(scalar)
    }
    return String(scalars)
  }
}

/// A folded text, prepared for many searches.
struct FoldedText: Sendable {
  /// UTF-8 with a NUL at the end, for `strstr`.
  private let bytes: [CChar]

  init(_ text: String) { self.init(folded: Array(text.folded.utf8CString)) }

  /// - Parameter bytes: a folded text with a NUL at the end.
  init(folded bytes: [CChar]) { self.bytes = bytes }

  func contains(_ other: FoldedText) -> Bool {
    bytes.withUnsafeBufferPointer { text in
      other.bytes.withUnsafeBufferPointer { part in
        guard let text = text.baseAddress, let part = part.baseAddress else { return false }
        return strstr(text, part) != nil
      }
    }
  }
}
