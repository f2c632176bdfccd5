import EventStore
import Foundation
import TemporaryFolders
import Testing
import TrunkKit
import TrunkModel

/// A garden in a separate folder, with a clock that the test sets. By default it is Wednesday 18 November 2026, 09:00
/// in Berlin.
@MainActor
public final class GardenFixture {
  private let temporary = TemporaryFolder("gardening")
  public var folder: String { temporary.path }
  public let time: FixedClock
  public let model: GardenModel

  /// Creates an empty garden.
  /// - Parameters:
  ///   - now: the first instant, in ISO 8601.
  ///   - name: the identifier of the time zone.
  public init(now: String = "2026-11-18T08:00:00Z", zone name: String = "Europe/Berlin") async throws {
    time = try FixedClock(now, zone(name))
    model = try await GardenModel.open(folder: temporary.path + "/garden", clock: time.clock)
  }

  /// Opens the same garden again, as another program does.
  /// - Parameter time: the other program's clock; `nil` for the fixture's.
  public func anotherModel(_ time: FixedClock? = nil) async throws -> GardenModel {
    try await GardenModel.open(folder: folder + "/garden", clock: (time ?? self.time).clock)
  }

  /// Plants a sprout and returns its id. Advances the clock by a second, because events of the same instant have no
  /// defined order.
  @discardableResult
  public func plant(
    _ title: String, on path: String = "voice/practice", season: Season = .twoWeeks,
    ground: Ground = .fertile, leaf: GardenModel.LeafChoice = .new(name: ""), seedling: String? = nil
  ) async throws -> String {
    let twig: Node = try #require(Node(path: path))
    var form = GardenModel.PlantForm(twig: twig, leaf: leaf)
    form.title = title
    form.season = season
    form.ground = ground
    form.seedlingID = seedling
    defer { time.advance(seconds: 1) }
    return try await model.plant(form)
  }

  /// The log on disk, in the order of arrival.
  public func events() async throws -> [Event] { try await model.store.events(afterSeq: 0).map(\.event) }

  /// Returns a sprout of the model's garden; fails the test if the garden lacks it.
  public func sprout(_ id: String) throws -> Sprout { try #require(model.garden.sprout(id: id)) }

  /// Derives the garden from the whole log.
  public func derivedGarden() async throws -> Garden {
    var garden = Garden(zones: GardenModel.zones(model.profile, time.clock))
    garden.apply(try await model.store.events(afterKey: nil))
    return garden
  }

  /// Expects that a model's garden equals the one derived from the log.
  /// - Parameter model: `nil` for the fixture's model.
  public func expectModelMatchesLog(_ model: GardenModel? = nil, sourceLocation: SourceLocation = #_sourceLocation)
    async throws
  {
    let expected = try await derivedGarden().checkpoint()
    #expect((model ?? self.model).garden.checkpoint() == expected, sourceLocation: sourceLocation)
  }

  /// Runs an action that must fail with this error and must not change the log.
  public func expectError(
    _ error: IntentError, sourceLocation: SourceLocation = #_sourceLocation,
    _ intent: @MainActor () async throws -> Void
  ) async throws {
    let before = try await events().map(\.raw)
    await #expect(throws: error, sourceLocation: sourceLocation) { try await intent() }
    let after = try await events().map(\.raw)
    #expect(after == before, "the rejected action changed the log", sourceLocation: sourceLocation)
  }
}
