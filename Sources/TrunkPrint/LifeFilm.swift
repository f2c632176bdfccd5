import CairoKit
import TreePicture
import TrunkKit
import TrunkModel
import VectorGraphics

/// The tree from its first day to today as a film, without names.
public struct LifeFilm: Sendable {
  public var theme = Palette.Theme.light
  /// Whether the leaves have the colours of the seasons.
  public var hasSeasons = true
  /// In pixels.
  public static let width = 960, height = 720

  private let life: Life
  private let play: LifePlay
  private let isSouthern: Bool

  private static let framesPerSecond = 15.0
  /// How long the last frame stays, in milliseconds.
  private static let end = 3000

  /// - Returns: `nil` on the first day of a garden.
  public init?(_ garden: Garden, through today: Day) {
    guard let first = Life.firstDay(of: garden), first < today else { return nil }
    (life, play, isSouthern) = (Life(garden), LifePlay(from: first, through: today), garden.zone.isSouthern)
  }

  /// The number of frames.
  public var count: Int { Int(play.seconds * LifeFilm.framesPerSecond) }

  /// Returns the film as an animated WebP.
  /// - Parameter progress: called before each frame with the number of finished ones; throws to cancel.
  public func webP(progress: (Int) throws -> Void) throws -> [UInt8] {
    let animation = try WebPAnimation(width: LifeFilm.width, height: LifeFilm.height)
    for frame in 0..<count {
      try progress(frame)
      // Rounded so that the film isn't shorter than its frames.
      let time = { (frame: Int) in Int((Double(frame) * 1000 / LifeFilm.framesPerSecond).rounded()) }
      let length = frame == count - 1 ? LifeFilm.end : time(frame + 1) - time(frame)
      // In a young garden, a day is many frames.
      if frame > 0, day(of: frame) == day(of: frame - 1) {
        animation.extend(milliseconds: length)
      } else {
        try animation.add(milliseconds: length) { paint(frame, on: $0) }
      }
    }
    return animation.finish()
  }

  /// Returns a frame as a PNG.
  public func png(_ frame: Int) throws -> [UInt8] {
    let surface = try Surface(.png, width: Double(LifeFilm.width), height: Double(LifeFilm.height))
    paint(frame, on: surface.cairo)
    return try surface.finish()
  }

  private func day(of frame: Int) -> Day { play.day(at: Double(frame) / Double(count - 1)) }

  private func paint(_ frame: Int, on cairo: OpaquePointer) {
    let day = self.day(of: frame)
    let (width, height) = (Double(LifeFilm.width), Double(LifeFilm.height))
    let share = hasSeasons && !play.staysSummer ? day.seasonShare(isSouthern: isSouthern) : nil
    let palette = Palette(theme, yearShare: share)
    let painter = Painter(cairo)
    painter.paint(palette.background(width: width, height: height))
    painter.paint(TreePicture(life.state(on: day), width: width, height: height, palette: palette).drawing)
    let style = Lettering.Style(size: 26, family: "Serif")
    Lettering().draw(play.heading(of: day), style, at: Point(28, 20), color: palette.second, on: cairo)
  }
}
