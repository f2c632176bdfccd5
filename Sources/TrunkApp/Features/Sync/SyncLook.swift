import Localization
import SyncEngine

/// The colour and the texts of a sync status.
struct SyncLook {
  static let styles = ["idle", "busy", "good", "waiting", "bad"]

  /// One of `styles`. It is `good` only if the server has everything that is on this computer.
  let style: String
  /// A sign and a word, because colour must not be the only cue.
  let word: String
  /// The text for screen readers, after the indicator's name.
  let sentence: String
  /// A short version of `sentence`, as a heading for narrow windows.
  let headline: String

  var isBusy: Bool { style == "busy" }
  /// The name of its colour in the style sheet.
  var color: String { "sync_" + style }

  init(_ status: SyncStatus) {
    switch status.phase {
    case .signedOut:
      (style, word, headline) = ("idle", trc("sync", "Signed out"), tr("Signed out"))
      sentence = tr("signed out; new entries stay on this computer")
    case .initialSync:
      (style, word, headline) = ("busy", trc("sync", "Loading…"), tr("Your garden is being downloaded"))
      sentence = tr("the garden is being downloaded")
    case .syncing:
      (style, word, headline) = ("busy", trc("sync", "Syncing…"), tr("Syncing"))
      sentence = tr("syncing")
    case .offline:
      (style, word, headline) = ("bad", trc("sync", "✗ Offline"), tr("Offline"))
      sentence = SyncLook.offline(status)
    case .remoteLoss:
      let missing = status.remoteLoss?.missing ?? 0
      style = "bad"
      word = trn("! {n} missing", "! {n} missing", missing)
      sentence = trn("{n} entry is missing on the server", "{n} entries are missing on the server", missing)
      headline = trn("{n} entry missing", "{n} entries missing", missing)
    case .rejected:
      style = "bad"
      word = trn("! {n} rejected", "! {n} rejected", status.rejected)
      sentence = trn("the server rejected {n} entry", "the server rejected {n} entries", status.rejected)
      headline = trn("{n} entry rejected", "{n} entries rejected", status.rejected)
    case .pendingUpload:
      style = "waiting"
      word = trc("sync", "↑ Pushing…") + " \(status.pending)"
      sentence = SyncLook.pending(status)
      headline = sentence
    case .localOnly:
      style = "idle"
      word = trn("{n} only here", "{n} only here", status.localOnly)
      sentence = trn(
        "synced; {n} entry is only on this computer", "synced; {n} entries are only on this computer",
        status.localOnly)
      headline = trn("Synced, {n} entry only here", "Synced, {n} entries only here", status.localOnly)
    case .synced: (style, word, sentence, headline) = ("good", trc("sync", "✓ Synced"), tr("synced"), tr("Synced"))
    }
  }

  private static func offline(_ status: SyncStatus) -> String {
    if status.pending > 0 {
      return trn("offline, {n} entry waits to be sent", "offline, {n} entries wait to be sent", status.pending)
    }
    return status.rejected == 0
      ? tr("offline; nothing to send")
      : trn("offline; {n} entry was rejected", "offline; {n} entries were rejected", status.rejected)
  }

  private static func pending(_ status: SyncStatus) -> String {
    status.undoable == status.pending
      ? trn("{n} entry will be sent in a few seconds", "{n} entries will be sent in a few seconds", status.pending)
      : trn("{n} entry waits to be sent", "{n} entries wait to be sent", status.pending)
  }
}
