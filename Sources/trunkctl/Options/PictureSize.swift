import ArgumentParser
import TrunkPrint

/// The size of a poster: a width and a height, written as `1600x1200`, or the name of a sheet.
struct PictureSize: ExpressibleByArgument {
  /// The sizes that cairo can draw, in pixels or points.
  private static let limits = 100.0...20_000
  /// In millimetres.
  private static let sheets = ["a1": (594.0, 841.0), "a2": (420, 594), "a3": (297, 420), "50x70": (500, 700)]
  private static let wide = "-wide"

  private let width, height: Double
  /// Whether the size is in millimetres.
  private let isSheet: Bool

  init?(argument: String) {
    let isWide = argument.lowercased().hasSuffix(PictureSize.wide)
    let name = argument.lowercased().dropLast(isWide ? PictureSize.wide.count : 0)
    if let sheet = PictureSize.sheets[String(name)] {
      (width, height) = isWide ? (sheet.1, sheet.0) : sheet
      isSheet = true
      return
    }
    let parts = argument.split(separator: "x").compactMap { Double($0) }.filter(PictureSize.limits.contains)
    guard parts.count == 2 else { return nil }
    (width, height, isSheet) = (parts[0], parts[1], false)
  }

  func apply(to poster: inout TreePoster) {
    (poster.width, poster.height) = (width, height)
    if isSheet { poster.setSheet(width: width, height: height) }
  }
}
