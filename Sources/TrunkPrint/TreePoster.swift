import CairoKit
import Localization
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
    draw(garden, at: now, on: surface.cairo)
    return try surface.finish()
  }

  /// Paints the poster.
  /// - Parameter scale: the ratio of the picture to the poster's size.
  public func draw(_ garden: Garden, at now: Instant, scale: Double = 1, on cairo: OpaquePointer) {
    let lettering = Lettering()
    let unit = min(width, height) / 60
    let captionHeight = caption == nil ? 0 : unit * 4
    let palette = Palette(theme, yearShare: yearShare)
    let scene = TreeScene(
      .init(garden, at: now, isResting: isResting), width: width, height: height - captionHeight, palette: palette,
      lettering: lettering, fontSize: hasNames ? unit * 1.1 : nil)
    let painter = Painter(cairo)
    painter.scaled(by: scale) {
      painter.paint(palette.background(width: width, height: height))
      scene.paintTree(on: cairo)
      scene.paintNames(on: cairo)
      guard let caption else { return }
      let style = Lettering.Style(size: unit * 1.3, family: "Serif")
      let size = lettering.measure(caption, style, maxWidth: width * 0.9)
      lettering.draw(
        caption, style, at: Point((width - size.width) / 2, height - captionHeight - unit * 0.4), color: palette.second,
        maxWidth: width * 0.9, on: cairo)
    }
  }
}

extension GardenModel {
  /// The current season, for the colours of a poster.
  public var posterSeason: Double { garden.zone.seasonShare(at: now, isSouthern: garden.zone.isSouthern) }

  /// The caption of a poster: the user's name and the date.
  /// - Parameter name: may be empty.
  /// - Returns: `nil` if the caption would be empty.
  public func posterCaption(name: String, hasDate: Bool = true) -> String? {
    let caption = dotted([name, hasDate ? Formats.date(now, in: garden.zone) : ""])
    return caption.isEmpty ? nil : caption
  }
}
