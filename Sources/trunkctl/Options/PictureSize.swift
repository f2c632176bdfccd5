import ArgumentParser

/// A width and a height, written as `1600x1200`.
struct PictureSize: ExpressibleByArgument {
  /// The sizes that cairo can draw, in pixels or points.
  private static let limits = 100.0...20_000

  let width, height: Double

  init?(argument: String) {
    let parts = argument.split(separator: "x").compactMap { Double($0) }.filter(PictureSize.limits.contains)
    guard parts.count == 2 else { return nil }
    (width, height) = (parts[0], parts[1])
  }
}
