import CGio
import TrunkKit

/// The replies to the calls of both search interfaces.
enum SearchAnswer {
  private static let icon = "garden.trunk.trunk"

  /// The reply to GNOME's first call: the ids of the results.
  static func ids(_ results: [DesktopSearch.Result]) -> OpaquePointer { Variant.texts(results.map(\.id)) }

  /// The reply to GNOME's second call: the texts and icons of the results.
  static func details(_ results: [DesktopSearch.Result]) -> OpaquePointer {
    Variant.array(
      "a{sv}",
      results.map {
        Variant.dictionary([("id", $0.id), ("name", $0.title), ("description", $0.detail), ("gicon", icon)])
      })
  }

  /// The reply to KRunner, which sorts the results by relevance, from 0 to 1.
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

  /// `Plasma::QueryMatch::PossibleMatch`: a result never ranks above a program with the same name.
  private static let possibleMatch: Int32 = 30
}
