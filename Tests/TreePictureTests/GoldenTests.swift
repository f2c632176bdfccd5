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
    case empty, day, tenDays, threeMonths, year, decades, resting

    /// The looks that are stored.
    var looks: [Look] { self == .empty || self == .resting ? [.light] : Look.allCases }
  }

  enum Look: String, CaseIterable {
    case light, dark, contrast, narrow

    var size: (width: Double, height: Double) { self == .narrow ? (360, 520) : (900, 600) }

    var palette: Palette {
      Palette(self == .dark ? .dark : .light, yearShare: 0.54, isHighContrast: self == .contrast)
    }
  }

  private static let now = Instant("2026-07-15T12:00:00.000Z") ?? Instant(milliseconds: 0)
  /// The scale of the stored pictures.
  private static let scale = 0.4
  private static let folder = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Golden"

  private static let states: [Age: TreeState] = Dictionary(
    uniqueKeysWithValues: Age.allCases.map { ($0, state($0)) })

  private static func state(_ age: Age) -> TreeState {
    func young(_ days: Double) -> TreeState {
      let young = YoungGarden(days: days)
      return TreeState(Garden(young.events, zone: .utc), at: young.now)
    }
    switch age {
    case .empty: return TreeState(Garden(zone: .utc), at: now)
    case .day: return young(0.3)
    case .tenDays: return young(9.4)
    case .threeMonths: return young(91.2)
    case .year, .decades, .resting:
      let demo = DemoGarden(years: age == .year ? 1 : 20, now: now, zone: .utc)
      return TreeState(Garden(demo.events(), zone: .utc), at: now, isResting: age == .resting)
    }
  }

  @Test(arguments: Age.allCases) func looksAsBefore(age: Age) throws {
    let state = try #require(GoldenTests.states[age])
    for look in age.looks {
      let path = GoldenTests.folder + "/\(age.rawValue)-\(look.rawValue).png"
      let image = try Image(state, look.size.width, look.size.height, look.palette, scale: GoldenTests.scale)
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
    let before = try Image(state, 900, 600, Look.light.palette, scale: GoldenTests.scale)
    state.branches[4].invested += 100
    state.add(.init(sproutID: "new", season: .oneYear, stage: .ready), to: 99, branch: 4, twig: 5)
    let difference = try Image(state, 900, 600, Look.light.palette, scale: GoldenTests.scale).difference(before)
    #expect(difference.mean >= 0.2 || difference.share >= 0.0005, "\(difference)")
  }
}
