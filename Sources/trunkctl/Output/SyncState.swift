import EventStore
import Localization
import SyncEngine
import TrunkAccount
import TrunkKit
import TrunkModel

/// Describes for the terminal how much of a garden the server has.
struct SyncState {
  let figures: SyncFigures

  init(_ figures: SyncFigures) { self.figures = figures }

  /// The JSON members of every answer about syncing.
  var members: [JSON.Member] {
    let loss: JSON =
      figures.remoteLoss.map { loss in
        .record(
          ("local", .number(loss.local)), ("server", .number(loss.server)), ("missing", .number(loss.missing)),
          ("found", .string(loss.found.description)))
      } ?? .null
    // Scripts know rejected entries as `refused`.
    return [
      .init("pending", .number(figures.pending)), .init("refused", .number(figures.rejected)),
      .init("localOnly", .number(figures.localOnly)), .init("remoteLoss", loss),
      .init("lastCheck", figures.lastCheck.map { .string($0.description) } ?? .null),
    ]
  }

  /// One line for each problem, worst first. Without problems, one line with the time of the last check.
  func lines(now: Instant, in zone: Zone) -> [String] {
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
      return [tr("This garden has not been compared with the server yet. Run “trunkctl sync”.")]
    }
    let time = Formats.stamp(lastCheck, now: now, in: zone)
    return [tr("Nothing to send. At the last check, {time}, the server had everything.", ["time": time])]
  }

  /// The failure with which a command about syncing ends; `nil` if there is none.
  var failure: Failure? {
    if let lossLine {
      return Failure(
        .missing,
        lossLine + " "
          + tr(
            "Nothing was removed here. “trunkctl sync --keep-mine” uploads missing entries again; “trunkctl sync --follow-server” removes them here."
          ))
    }
    if let rejectedLine {
      return Failure(
        .rejected,
        rejectedLine + " "
          + tr(
            "“trunkctl outbox” shows why. “trunkctl outbox --retry” sends them again; “trunkctl outbox --keep-here” keeps them on this computer only."
          ))
    }
    return nil
  }

  private var lossLine: String? {
    figures.remoteLoss?.sentence
  }

  private var rejectedLine: String? {
    guard figures.rejected > 0 else { return nil }
    return trn("The server rejected {n} entry.", "The server rejected {n} entries.", figures.rejected)
  }
}

extension Removal {
  /// The message for the user, with the next step in a terminal.
  var terminalMessage: String { message + " " + tr("“trunkctl log --superseded” lists what was removed.") }
}

extension CommonOptions {
  /// How much of this garden the server has; `nil` unless it is the account's garden. An error is returned and not
  /// thrown, so that the caller can first print everything else and then throw it.
  func syncState(_ model: GardenModel) async throws -> Result<SyncState, StoreError>? {
    guard let current = try AccountFile().load(), try folder == current.folder else { return nil }
    do throws(StoreError) { return .success(SyncState(try await model.syncFigures())) } catch {
      return .failure(error)
    }
  }
}
