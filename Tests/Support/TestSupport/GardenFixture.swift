import EventStore
import Foundation
import Testing
import TrunkKit
import TrunkModel

/// A garden in a separate folder. By default it is Wednesday 18 November 2026, 09:00 in Berlin.
@MainActor
public final class GardenFixture {
  public let folder: String
  public let time: FixedClock
  public let model: GardenModel

  public init(now: String = "2026-11-18T08:00:00Z", zone name: String = "Europe/Berlin") async throws {
    folder = NSTemporaryDirectory() + "gardening-" + UUID().uuidString
    time = try FixedClock(now, zone(name))
    model = try await GardenModel.open(folder: folder + "/garden", clock: time.clock)
  }

  deinit {
    // Best effort: the system clears its folder for temporary files.
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Another program with the same garden open.
  public func another(_ time: FixedClock? = nil) async throws -> GardenModel {
    try await GardenModel.open(folder: folder + "/garden", clock: (time ?? self.time).clock)
  }

  /// Plants and advances the clock by a second, because events of the same instant have no defined order.
  @discardableResult
  public func plant(
    _ title: String, on path: String = "voice/practice", season: Season = .twoWeeks,
    ground: Ground = .fertile, leaf: GardenModel.LeafChoice = .new(name: ""), seedling: String? = nil
  ) async throws -> String {
    var form = GardenModel.PlantForm(twig: try #require(Node(path: path)), leaf: leaf)
    form.title = title
    form.season = season
    form.ground = ground
    form.seedlingID = seedling
    defer { time.pass(seconds: 1) }
    return try await model.plant(form)
  }

  /// The log on disk, in the order of arrival.
  public func events() async throws -> [Event] { try await model.store.events(afterSeq: 0).map(\.event) }

  public func sprout(_ id: String) throws -> Sprout { try #require(model.garden.sprout(id: id)) }

  /// The garden derived from the whole log.
  public func fromZero() async throws -> Garden {
    var garden = Garden(zone: time.zone)
    garden.apply(try await model.store.events(afterKey: nil))
    return garden
  }

  /// Whether the model's garden equals the one derived from the log.
  public func expectTrueGarden(_ model: GardenModel? = nil, sourceLocation: SourceLocation = #_sourceLocation)
    async throws
  {
    let expected = try await fromZero().checkpoint()
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
    #expect(after == before, "it left a trace", sourceLocation: sourceLocation)
  }
}
