import EventStore
import SyncEngine
import TrunkKit
import TrunkModel

/// An event that the server lacks, and its upload state.
public struct UnsentEntry: Sendable {
  public let event: Event
  public let item: OutboxItem
  /// Whether the user has hidden its words on this computer.
  let isHidden: Bool
}

/// The entries that the server lacks.
@MainActor
public struct AccountOutbox {
  let accountModel: AccountModel

  private var model: GardenModel { accountModel.model }

  /// Returns the entries that the server lacks: pending, then rejected, then local-only, each oldest first.
  /// - Parameter limit: the maximum number of each; `nil` for all.
  public func entries(limit: Int? = nil) async throws -> [UnsentEntry] {
    let store = model.store
    let items = try await store.outboxItems(limit: limit)
    let bySeq = try await store.events(seqs: items.map(\.seq)).bySeq
    return items.compactMap { item in
      bySeq[item.seq].map { UnsentEntry(event: $0, item: item, isHidden: model.hidden.contains(item.seq)) }
    }
  }

  /// Returns when the oldest entry that waits for the server was written; `nil` if none waits.
  public func oldestPending() async throws -> Instant? {
    try await model.store.outboxItems(limit: 1).first { $0.state == .pending }?.instant
  }

  /// Returns how much of this garden the server has, as last known.
  public func figures() async throws -> SyncFigures { try await model.syncFigures() }

  /// Sends rejected entries again, now.
  /// - Parameter entries: the entries to send; `nil` for all that the user hasn't decided about.
  @discardableResult
  public func retry(_ entries: [UnsentEntry]? = nil) async throws -> SyncReport {
    try await model.store.requeue(entries?.map(\.item.seq))
    return try await accountModel.sync()
  }

  /// Keeps rejected entries on this computer only: they are no longer shown as a problem, and not sent again.
  /// - Parameter entries: the entries to keep; `nil` for all that the user hasn't decided about.
  public func keepLocalOnly(_ entries: [UnsentEntry]? = nil) async throws {
    try await model.store.keepLocalOnly(entries?.map(\.item.seq))
    if let parts = try await accountModel.parts() { await parts.engine.refreshFigures() }
  }

  /// Returns figures and codes for support, without journal text, email address or tokens.
  public func report(_ entries: [UnsentEntry]) -> String {
    let status = accountModel.status
    var lines = [
      "Trunk \(Release.version)", "state \(status.phase)", "pending \(status.pending)",
      "rejected \(status.rejected)", "local only \(status.localOnly)", "latest \(status.latest ?? "none")",
      "last try \(status.lastAttempt?.description ?? "none")",
      "last success \(status.lastSuccess?.description ?? "none")", "failures in a row \(status.consecutiveFailures)",
      "problem \(status.failure?.code ?? "none")", "entries \(model.garden.eventCount)",
    ]
    if let removal = status.removal { lines.append("removed \(removal.count) replaced \(removal.replaced)") }
    if let loss = status.remoteLoss {
      lines.append("remote loss: local \(loss.local) server \(loss.server) missing \(loss.missing) found \(loss.found)")
    }
    lines += entries.map { entry in
      let (event, item) = (entry.event, entry.item)
      // The type and ID of an event from another client may contain anything, including journal text.
      let id = event.instant?.description ?? "no instant"
      let state =
        switch item.state {
        case .pending: ""
        case .rejected: ", rejected"
        case .localOnly: ", local only"
        }
      return "\(id) \(event.isUnderstood ? event.type : "unknown") \(item.size) bytes \(item.attempts) tries, "
        + "\(item.lastCode ?? "none")\(state)"
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension AccountModel {
  public var outbox: AccountOutbox { AccountOutbox(accountModel: self) }
}
