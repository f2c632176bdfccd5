import Garden
import GardenStore
import Gardening
import Localization

/// What the terminal says about how much of a garden the server has.
struct SyncState {
  let figures: SyncFigures

  init(_ figures: SyncFigures) { self.figures = figures }

  /// Members for every answer that tells how syncing stands.
  var members: [JSON.Member] {
    let loss: JSON =
      figures.remoteLoss.map { loss in
        .record(
          ("local", .number(loss.local)), ("server", .number(loss.server)), ("missing", .number(loss.missing)),
          ("found", .string(loss.found.description)))
      } ?? .null
    return [
      .init("pending", .number(figures.pending)), .init("refused", .number(figures.rejected)),
      .init("localOnly", .number(figures.localOnly)), .init("remoteLoss", loss),
      .init("lastCheck", figures.lastCheck.map { .string($0.description) } ?? .null),
    ]
  }

  /// One line for each thing that the server lacks, the gravest first; when all is well, since when.
  func lines(in zone: Zone) -> [String] {
    var lines = [lossLine, rejectedLine].compactMap(\.self)
    if figures.pending > 0 {
      lines.append(trn("{n} entry waits to be sent.", "{n} entries wait to be sent.", figures.pending))
    }
    if figures.localOnly > 0 {
      lines.append(
        trn("{n} entry is only on this computer.", "{n} entries are only on this computer.", figures.localOnly))
    }
    guard lines.isEmpty else { return lines }
    guard let lastCheck = figures.lastCheck else {
      return [tr("This garden has not been compared with the server yet: “trunkctl sync” does it.")]
    }
    let time = Formats.dateAndTime(lastCheck, in: zone)
    return [tr("Nothing waits to be sent. The server had everything when it was last asked: {time}.", ["time": time])]
  }

  /// Why a command that tells this does not end with success; `nil` if it does.
  var failure: Failure? {
    if let lossLine {
      return Failure(
        .missing,
        lossLine + " "
          + tr(
            "Nothing was removed here. “trunkctl sync --keep-mine” uploads them again; “trunkctl sync --follow-server” removes them here."
          ))
    }
    if let rejectedLine {
      return Failure(
        .rejected,
        rejectedLine + " "
          + tr(
            "“trunkctl outbox” shows why; with --retry it sends them again, with --keep-here it leaves them on this computer only."
          ))
    }
    return nil
  }

  private var lossLine: String? {
    figures.remoteLoss.map { loss in
      trn(
        "The server has {server} entries, this computer {local}: {n} entry is missing on the server.",
        "The server has {server} entries, this computer {local}: {n} entries are missing on the server.", loss.missing,
        ["server": "\(loss.server)", "local": "\(loss.local)"])
    }
  }

  private var rejectedLine: String? {
    guard figures.rejected > 0 else { return nil }
    return trn("The server rejected {n} entry.", "The server rejected {n} entries.", figures.rejected)
  }
}

extension CommonOptions {
  /// How much of this garden the server has; `nil` unless it is the garden of the account.
  func syncState(_ store: GardenStore, now: Instant) async throws -> SyncState? {
    guard let current = try CurrentAccount().load(), try folder == current.folder else { return nil }
    return SyncState(try await store.syncFigures(now: now))
  }
}
