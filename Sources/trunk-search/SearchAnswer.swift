import CGio
import TrunkKit

/// The answers to a search, in the types of its interfaces.
enum SearchAnswer {
  private static let icon = "garden.trunk.trunk"

  /// GNOME's first answer.
  static func ids(_ results: [DesktopSearch.Result]) -> OpaquePointer { Variant.texts(results.map(\.id)) }

  /// GNOME's second answer: what it shows.
  static func details(_ results: [DesktopSearch.Result]) -> OpaquePointer {
    Variant.array(
      "a{sv}",
      results.map {
        Variant.dictionary([("id", $0.id), ("name", $0.title), ("description", $0.detail), ("gicon", icon)])
      })
  }

  /// KRunner's answer. It sorts by relevance, from 0 to 1.
  static func matches(_ results: [DesktopSearch.Result]) -> OpaquePointer {
    Variant.array(
      "(sssida{sv})",
      results.enumerated().map { position, result in
        Variant.tuple([
          Variant.text(result.id), Variant.text(result.title), Variant.text(icon), g_variant_new_int32(possibleMatch),
          g_variant_new_double(0.8 - Double(position) / 100), Variant.dictionary([("subtext", result.detail)]),
        ])
      })
  }

  /// `Plasma::QueryMatch::PossibleMatch`: what has the words in its name is not better than a program of that name.
  private static let possibleMatch: Int32 = 30
}
