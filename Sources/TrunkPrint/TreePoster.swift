import CairoKit
import TreePicture
import TrunkKit
import TrunkModel
import VectorGraphics

/// The tree as a file, to print or to send.
public struct TreePoster: Sendable {
  public var format: Surface.Format
  public var theme: Palette.Theme = .light
  /// In pixels for PNG, otherwise in points.
  public var width: Double
  public var height: Double
  /// Whether the branches have their names.
  public var hasNames = true
  /// A line below the tree; `nil` for none.
  public var caption: String?
  /// How much of the year has passed (0…1); sets the seasonal colours, see `Palette`; `nil` without seasons.
  public var yearShare: Double?
  /// Whether the tree is drawn without its leaves, as in rest mode.
  public var isResting = false

  /// Creates a poster in A3 landscape; for PNG, with 150 pixels per inch.
  public init(_ format: Surface.Format) {
    self.format = format
    let scale = format == .png ? 150.0 / 72 : 1
    (width, height) = (1190.55 * scale, 841.89 * scale)
  }

  /// Creates a poster in the format given by the file extension.
  /// - Returns: `nil` for any other extension.
  public init?(path: String) {
    guard let format = Surface.Format(rawValue: path.split(separator: ".").last?.lowercased() ?? "") else { return nil }
    self.init(format)
  }

  /// - Returns: the contents of the file.
  public func file(_ garden: Garden, at now: Instant) throws(Surface.Failure) -> [UInt8] {
    let surface = try Surface(format, width: width, height: height)
    if let caption { surface.setTitle(caption) }
    let lettering = Lettering()
    let unit = min(width, height) / 60
    let captionHeight = caption == nil ? 0 : unit * 4
    let palette = Palette(theme, yearShare: yearShare)
    let scene = TreeScene(
      .init(garden, at: now, isResting: isResting), width: width, height: height - captionHeight, palette: palette,
      lettering: lettering,
      fontSize: hasNames ? unit * 1.1 : nil)
    Painter(surface.cairo).paint(palette.background(width: width, height: height))
    scene.paintTree(on: surface.cairo)
    scene.paintNames(on: surface.cairo)
    if let caption {
      let style = Lettering.Style(size: unit * 1.3, family: "Serif")
      let size = lettering.measure(caption, style, maxWidth: width * 0.9)
      lettering.draw(
        caption, style, at: Point((width - size.width) / 2, height - captionHeight - unit * 0.4), color: palette.second,
        maxWidth: width * 0.9, on: surface.cairo)
    }
    return try surface.finish()
  }
}

extension GardenModel {
  /// The current season, for the colours of a poster.
  public var posterSeason: Double { garden.zone.seasonShare(at: now, isSouthern: garden.zone.isSouthern) }

  /// The caption of a poster: the user's name, if there is one, and the date.
  public var posterCaption: String {
    let name = profile[.name]?.text ?? Settings().name
    return [name, Formats.date(now, in: garden.zone)].filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
