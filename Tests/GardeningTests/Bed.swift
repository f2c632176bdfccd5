import Foundation
import Garden
import GardenStore
import Synchronization
import Testing

@testable import Gardening

/// A time and a zone that the test sets.
final class StandingClock: Sendable {
  private let state: Mutex<(now: Instant, zone: Zone)>

  init(_ now: String, _ zone: Zone) throws {
    state = Mutex((try instant(now), zone))
  }

  var now: Instant {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }

  var zone: Zone {
    get { state.withLock { $0.zone } }
    set { state.withLock { $0.zone = newValue } }
  }

  func pass(seconds: Int64 = 0, days: Int64 = 0) { now = now.adding(seconds: days * 86_400 + seconds) }

  var clock: Clock { Clock(now: { self.now }, zone: { self.zone }) }
}

func instant(_ text: String) throws -> Instant { try #require(Instant(text)) }

func zone(_ name: String) throws -> Zone { try #require(Zone.named(name)) }

/// A garden in a folder of its own. Unless a test says otherwise it is Wednesday 18 November 2026, 09:00 in Berlin.
@MainActor
final class Bed {
  let folder: String
  let time: StandingClock
  let gardener: Gardener

  init(now: String = "2026-11-18T08:00:00Z", zone name: String = "Europe/Berlin") async throws {
    folder = NSTemporaryDirectory() + "gardening-" + UUID().uuidString
    time = try StandingClock(now, zone(name))
    gardener = try await Gardener.open(folder: folder + "/garden", clock: time.clock)
  }

  deinit {
    // Best effort: the system clears its folder for temporary files.
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Another program with the same garden open.
  func another(_ time: StandingClock? = nil) async throws -> Gardener {
    try await Gardener.open(folder: folder + "/garden", clock: (time ?? self.time).clock)
  }

  /// Plants, and lets a second pass: what happens at the same instant has no order that a test could tell.
  @discardableResult
  func plant(
    _ title: String, on path: String = "voice/practice", season: Season = .twoWeeks,
    environment: Environment = .fertile, leaf: Gardener.LeafChoice = .new(name: ""), seedling: String? = nil
  ) async throws -> String {
    var planting = Gardener.Planting(twig: try #require(Node(path: path)), leaf: leaf)
    planting.title = title
    planting.season = season
    planting.environment = environment
    planting.seedlingID = seedling
    defer { time.pass(seconds: 1) }
    return try await gardener.plant(planting)
  }

  /// The log as it is on the disk, in the order of arrival.
  func events() async throws -> [Event] { try await gardener.store.events(afterSeq: 0).map(\.event) }

  func sprout(_ id: String) throws -> Sprout { try #require(gardener.garden.sprout(id: id)) }

  /// What is derived from the whole log at once.
  func fromZero() async throws -> Garden {
    var garden = Garden(zone: time.zone)
    garden.apply(try await gardener.store.events(afterKey: nil))
    return garden
  }

  /// Whether the gardener's garden is the one that the log gives.
  func expectTrueGarden(_ gardener: Gardener? = nil, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let expected = try await fromZero().checkpoint()
    #expect((gardener ?? self.gardener).garden.checkpoint() == expected, sourceLocation: sourceLocation)
  }

  /// Does something that must be refused, and leave no trace.
  func refused(
    _ error: GardeningError, sourceLocation: SourceLocation = #_sourceLocation,
    _ intent: @MainActor () async throws -> Void
  ) async throws {
    let before = try await events().map(\.raw)
    await #expect(throws: error, sourceLocation: sourceLocation) { try await intent() }
    let after = try await events().map(\.raw)
    #expect(after == before, "it left a trace", sourceLocation: sourceLocation)
  }
}
