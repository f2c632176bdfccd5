import CPango
import CairoKit
import Glibc
import TestSupport
import Testing
import TrunkDemo
import TrunkModel

@testable import TreePicture

/// Compares pictures of known gardens with the stored ones. After an intended change, run these tests once with
/// `TRUNK_UPDATE_GOLDEN=1` and look at the new pictures.
@Suite struct GoldenTests {
  enum Age: String, CaseIterable {
    case empty, sprout, year, decades, resting
  }

  enum Size: String, CaseIterable {
    case narrow, medium, wide

    var pixels: (width: Double, height: Double) {
      switch self {
      case .narrow: (360, 520)
      case .medium: (900, 600)
      case .wide: (1280, 900)
      }
    }
  }

  private static let now = Instant("2026-07-15T12:00:00.000Z") ?? Instant(milliseconds: 0)
  /// The scale of the stored pictures.
  private static let scale = 0.4
  private static let folder = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Golden"

  private static let states: [Age: TreeState] = Dictionary(
    uniqueKeysWithValues: Age.allCases.map { ($0, state($0)) })

  private static func state(_ age: Age) -> TreeState {
    switch age {
    case .empty: return TreeState(Garden(zone: .utc), at: now)
    case .sprout:
      var state = TreeState(Garden(zone: .utc), at: now)
      state.add(.init(sproutID: "first", season: .oneMonth, stage: .growing(progress: 0.4)), to: 0, branch: 1, twig: 3)
      state.age = 0.05
      state.rings = [0]
      return state
    case .year, .decades, .resting:
      let demo = DemoGarden(years: age == .year ? 1 : 20, now: now, zone: .utc)
      return TreeState(Garden(demo.events(), zone: .utc), at: now, isResting: age == .resting)
    }
  }

  @Test(arguments: Age.allCases, Size.allCases) func looksAsBefore(age: Age, size: Size) throws {
    let state = try #require(GoldenTests.states[age])
    for theme in [Palette.Theme.light, .dark] {
      let path = GoldenTests.folder + "/\(age.rawValue)-\(size.rawValue)-\(theme.rawValue).png"
      let image = try Image(state, size.pixels.width, size.pixels.height, theme, scale: GoldenTests.scale)
      if getenv("TRUNK_UPDATE_GOLDEN") != nil { image.write(path) }
      let golden = try #require(Image(path), "\(path)")
      #expect(golden.width == image.width && golden.height == image.height)
      let difference = image.difference(golden)
      // Other versions of cairo and of the C library round differently.
      #expect(difference.mean < 0.2 && difference.share < 0.0005, "\(path): \(difference)")
    }
  }

  /// One leaflet more is enough to fail the comparison.
  @Test func aSmallDifferenceIsNoticed() throws {
    var state = try #require(GoldenTests.states[.year])
    let before = try Image(state, 900, 600, .light, scale: GoldenTests.scale)
    state.branches[4].invested += 100
    state.add(.init(sproutID: "new", season: .oneYear, stage: .ready), to: 99, branch: 4, twig: 5)
    let difference = try Image(state, 900, 600, .light, scale: GoldenTests.scale).difference(before)
    #expect(difference.mean >= 0.2 || difference.share >= 0.0005, "\(difference)")
  }
}

/// Pixels in memory.
private final class Image {
  private let surface: OpaquePointer
  var width: Int { Int(cairo_image_surface_get_width(surface)) }
  var height: Int { Int(cairo_image_surface_get_height(surface)) }

  init(_ state: TreeState, _ width: Double, _ height: Double, _ theme: Palette.Theme, scale: Double) throws {
    let palette = Palette(theme, yearShare: 0.54)
    let picture = TreePicture(state, width: width, height: height, palette: palette, fontSize: 14)
    surface = try #require(cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width * scale), Int32(height * scale)))
    let cairo: OpaquePointer = try #require(cairo_create(surface))
    Painter(cairo).paint(palette.background(width: width, height: height), scale: scale)
    Painter(cairo).paint(picture.drawing, scale: scale)
    cairo_destroy(cairo)
  }

  init?(_ path: String) {
    surface = cairo_image_surface_create_from_png(path)
    if cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS { return nil }
  }

  deinit { cairo_surface_destroy(surface) }

  func write(_ path: String) { cairo_surface_write_to_png(surface, path) }

  /// The mean difference of a colour component, 0…255, and the share of components that differ by more than 32.
  func difference(_ other: Image) -> (mean: Double, share: Double) {
    let (mine, theirs) = (bytes, other.bytes)
    guard mine.count == theirs.count, !mine.isEmpty else { return (255, 1) }
    var (sum, far) = (0, 0)
    for (a, b) in zip(mine, theirs) {
      let difference = abs(Int(a) - Int(b))
      sum += difference
      if difference > 32 { far += 1 }
    }
    return (Double(sum) / Double(mine.count), Double(far) / Double(mine.count))
  }

  /// Three components for each pixel.
  private var bytes: [UInt8] {
    cairo_surface_flush(surface)
    guard let data = cairo_image_surface_get_data(surface) else { return [] }
    let stride = Int(cairo_image_surface_get_stride(surface))
    return (0..<height).flatMap { y in (0..<(width * 4)).filter { $0 % 4 != 3 }.map { data[y * stride + $0] } }
  }
}
