import Garden
import GardenStore
import Localization
import Sync

/// An entry that the server does not have, as people are told about it.
public struct Waiting: Sendable {
  public let event: Event
  public let item: OutboxItem

  /// What came of the last attempt, in plain words where there are some.
  public var answer: String? {
    guard item.state == .waiting, let code = item.lastCode, ["413", "414"].contains(code) else {
      return item.lastAnswer
    }
    return tr("too large for a proxy in front of the server; Trunk tries again")
  }
}

extension Synchroniser {
  /// What the server does not have: first what waits, then what it rejected, then what stays here; each oldest first.
  /// - Parameter limit: how many of each at most; `nil` for all.
  public func outbox(limit: Int? = nil) async throws -> [Waiting] {
    let store = gardener.store
    let items = try await store.outboxItems(limit: limit)
    let events = try await store.events(seqs: items.map(\.seq))
    let bySeq = Dictionary(events.map { ($0.seq, $0.event) }) { first, _ in first }
    return items.compactMap { item in bySeq[item.seq].map { Waiting(event: $0, item: item) } }
  }

  /// How much of this garden the server has, as last known.
  public func figures() async throws -> SyncFigures { try await gardener.store.syncFigures(now: gardener.clock.now()) }

  /// Sends rejected entries again, now.
  /// - Parameter entries: these and no others; `nil` for all that the user hasn't decided about.
  public func retry(_ entries: [Waiting]? = nil) async throws {
    try await gardener.store.requeue(entries?.map(\.item.seq))
    _ = try await syncNow()
  }

  /// Keeps rejected entries on this computer only: they are no longer shown as a problem, and not sent again.
  /// - Parameter entries: these and no others; `nil` for all that the user hasn't decided about.
  public func keepHere(_ entries: [Waiting]? = nil) async throws {
    try await gardener.store.keepLocally(entries?.map(\.item.seq))
    if let parts = try await parts() { await parts.engine.refreshFigures() }
  }

  /// Figures and codes for support: no journal text, no address, no tokens.
  public func report(outbox: [Waiting]) -> String {
    var lines = [
      "Trunk \(Program.version)", "state \(status.phase)", "pending \(status.pending)",
      "rejected \(status.rejected)", "local only \(status.localOnly)", "latest \(status.latest ?? "none")",
      "last try \(status.lastAttempt?.description ?? "none")",
      "last success \(status.lastSuccess?.description ?? "none")", "failures in a row \(status.consecutiveFailures)",
      "problem \(status.failure?.code ?? "none")", "entries \(gardener.garden.eventCount)",
    ]
    if let loss = status.remoteLoss {
      lines.append("remote loss: local \(loss.local) server \(loss.server) missing \(loss.missing) found \(loss.found)")
    }
    lines += outbox.map { waiting in
      let (event, item) = (waiting.event, waiting.item)
      // An event from elsewhere may have anything for its type and id.
      let id = event.instant?.description ?? "no instant"
      let state =
        switch item.state {
        case .waiting: ""
        case .rejected: ", rejected"
        case .localOnly: ", local only"
        }
      return "\(id) \(event.isUnderstood ? event.type : "unknown") \(item.size) bytes \(item.attempts) tries, "
        + "\(item.lastCode ?? "none")\(state)"
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
