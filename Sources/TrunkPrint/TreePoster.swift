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
  /// The user's own words between the tree and the caption, on at most two lines; `nil` for none.
  public var line: String?
  /// How much of the year has passed (0…1); sets the seasonal colours, see `Palette`; `nil` without seasons.
  public var yearShare: Double?

  /// Printers lose thinner lines; 0.2 mm in points.
  private static let thinnestLine = 0.2 * Paper.millimetre

  /// Creates a poster in A3 landscape.
  public init(_ format: Surface.Format) {
    self.format = format
    (width, height) = (0, 0)
    setSheet(width: 420, height: 297)
  }

  /// Takes the size of a sheet, in millimetres; for PNG, with 150 pixels per inch.
  public mutating func setSheet(width: Double, height: Double) {
    let scale = (format == .png ? 150.0 : 72) / 25.4
    (self.width, self.height) = (width * scale, height * scale)
  }

  /// Creates a poster in the format given by the file extension.
  /// - Returns: `nil` for any other extension.
  public init?(path: String) {
    guard let format = Surface.Format(rawValue: path.split(separator: ".").last?.lowercased() ?? "") else { return nil }
    self.init(format)
  }

  /// - Returns: the contents of the file.
  public func file(_ content: TreeScene.Content) throws(Surface.Failure) -> [UInt8] {
    let surface = try Surface(format, width: width, height: height)
    if let caption { surface.setTitle(caption) }
    draw(content, on: surface.cairo)
    return try surface.finish()
  }

  /// Paints the poster.
  /// - Parameter scale: the ratio of the picture to the poster's size.
  public func draw(_ content: TreeScene.Content, scale: Double = 1, on cairo: OpaquePointer) {
    let lettering = Lettering()
    let unit = min(width, height) / 60
    let palette = Palette(theme, yearShare: yearShare)
    let captions = [
      line.map { ($0, Lettering.Style(size: unit * 2, isItalic: true, family: "Serif"), 2, palette.ink) },
      caption.map { ($0, Lettering.Style(size: unit * 1.3, family: "Serif"), 1, palette.second) },
    ].compactMap(\.self)
    let sizes = captions.map { lettering.measure($0.0, $0.1, maxWidth: width * 0.8, lines: $0.2) }
    let below = captions.isEmpty ? 0 : sizes.reduce(unit * 2.4) { $0 + $1.height + unit }
    let scene = TreeScene(
      content, width: width, height: height - below, palette: palette, lettering: lettering,
      fontSize: hasNames ? unit * 1.1 : nil)
    let painter = Painter(cairo)
    painter.scaled(by: scale) {
      painter.paint(palette.background(width: width, height: height))
      painter.paint(scene.picture.drawing.lines(atLeast: format == .png ? 0 : TreePoster.thinnestLine))
      scene.paintNames(on: cairo)
      var top = height - below
      for ((text, style, lines, color), size) in zip(captions, sizes) {
        lettering.draw(
          text, style, at: Point((width - size.width) / 2, top), color: color, maxWidth: width * 0.8, lines: lines,
          alignment: 0, on: cairo)
        top += size.height + unit
      }
    }
  }
}

/// A season of the tree, in whose middle its colours are purest.
public enum PosterSeason: String, CaseIterable, Sendable {
  case winter, spring, summer, autumn

  /// How much of the year has passed, 0…1.
  public var yearShare: Double {
    switch self {
    case .winter: 0.5 / 12
    case .spring: 3.5 / 12
    case .summer: 6.5 / 12
    case .autumn: 9.5 / 12
    }
  }
}

extension GardenModel {
  /// The current season, for the colours of a poster.
  public var posterSeason: Double { garden.zone.seasonShare(at: now, isSouthern: garden.zone.isSouthern) }

  /// The caption of a poster: the user's name and the date.
  /// - Parameters:
  ///   - name: may be empty.
  ///   - day: of the tree; `nil` for today.
  /// - Returns: `nil` if the caption would be empty.
  public func posterCaption(name: String, hasDate: Bool = true, day: Day? = nil) -> String? {
    let date = day.map(Formats.day) ?? Formats.date(now, in: garden.zone)
    let caption = dotted([name, hasDate ? date : ""])
    return caption.isEmpty ? nil : caption
  }
}
