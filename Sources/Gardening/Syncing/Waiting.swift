import Garden
import GardenStore
import Localization
import Sync

/// An entry that the server does not have yet, as people are told about it.
public struct Waiting: Sendable {
  public let event: Event
  public let item: OutboxItem

  /// What came of the last attempt, in plain words where there are some.
  public var answer: String? {
    guard !item.isQuarantined, let code = item.lastCode, ["413", "414"].contains(code) else { return item.lastAnswer }
    return tr("too large for something before the server; Trunk tries again")
  }
}

extension Synchroniser {
  /// What the server does not have yet: first what waits, then what it has refused, each oldest first.
  /// - Parameter limit: how many of each at most; `nil` for all.
  public func outbox(limit: Int? = nil) async throws -> [Waiting] {
    let store = gardener.store
    let items = try await store.outboxItems(limit: limit)
    let events = try await store.events(seqs: items.map(\.seq))
    let bySeq = Dictionary(events.map { ($0.seq, $0.event) }) { first, _ in first }
    return items.compactMap { item in bySeq[item.seq].map { Waiting(event: $0, item: item) } }
  }

  /// How many entries the server does not have yet.
  public func figures() async throws -> SyncFigures { try await gardener.store.syncFigures(now: gardener.clock.now()) }

  /// Sends what the server has refused once more.
  public func retryRefused() async throws {
    try await gardener.store.requeue()
    _ = try await syncNow()
  }

  /// Figures and codes for whoever helps: no journal text, no address, no tokens.
  public func report(outbox: [Waiting]) -> String {
    var lines = [
      "Trunk \(Program.version)", "state \(status.phase)", "pending \(status.pending)",
      "refused \(status.quarantined)", "latest \(status.latest ?? "none")",
      "last try \(status.lastAttempt?.description ?? "none")",
      "last success \(status.lastSuccess?.description ?? "none")", "failures in a row \(status.consecutiveFailures)",
      "problem \(status.failure?.code ?? "none")", "entries \(gardener.garden.eventCount)",
    ]
    lines += outbox.map { waiting in
      let (event, item) = (waiting.event, waiting.item)
      // An event from elsewhere may have anything for its type and id.
      let id = event.instant?.description ?? "no instant"
      return "\(id) \(event.isUnderstood ? event.type : "unknown") \(item.size) bytes \(item.attempts) tries, "
        + "\(item.lastCode ?? "none")\(item.isQuarantined ? ", refused" : "")"
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
