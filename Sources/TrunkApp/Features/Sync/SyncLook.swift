import Localization
import SyncEngine

/// The colour and the texts of a sync status.
struct SyncLook {
  static let styles = ["idle", "busy", "good", "waiting", "bad"]

  /// One of `styles`. It is `good` only if the server has every entry of this garden.
  let style: String
  /// The text beside the sign, because colour must not be the only cue.
  let label: String
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
      (style, label, headline) = ("idle", trc("sync", "Signed out"), tr("Signed out"))
      sentence = SyncLook.joined(
        [tr("signed out; new entries stay on this computer"), SyncLook.missing(status), SyncLook.rejected(status)])
    case .initialSync:
      (style, label, headline) = ("busy", trc("sync", "Loading…"), tr("Your garden is being downloaded"))
      sentence = tr("the garden is being downloaded")
    case .syncing:
      (style, label, headline) = ("busy", trc("sync", "Syncing…"), tr("Syncing"))
      sentence = tr("syncing")
    case .offline where status.failure?.isOfKeyring == true:
      let (state, heading) = SyncLook.keyring(status.failure)
      (style, label, headline) = ("waiting", trc("sync", "! Keyring"), heading)
      sentence = SyncLook.joined(
        [state, SyncLook.missing(status), SyncLook.rejected(status), SyncLook.waiting(status)])
    case .offline:
      (style, label, headline) = ("bad", trc("sync", "✗ Offline"), tr("Offline"))
      let facts = [SyncLook.missing(status), SyncLook.rejected(status), SyncLook.waiting(status)].compactMap(\.self)
      sentence = facts.isEmpty ? tr("offline; nothing to send") : SyncLook.joined([trc("sync", "offline")] + facts)
    case .remoteLoss:
      let missing = status.remoteLoss?.missing ?? 0
      style = "bad"
      label = trn("! {n} missing", "! {n} missing", missing)
      sentence = SyncLook.missing(status) ?? ""
      headline = trn("{n} entry missing", "{n} entries missing", missing)
    case .rejected:
      style = "bad"
      label = trn("! {n} rejected", "! {n} rejected", status.rejected)
      sentence = SyncLook.rejected(status) ?? ""
      headline = trn("{n} entry rejected", "{n} entries rejected", status.rejected)
    case .pendingUpload:
      style = "waiting"
      label = trc("sync", "↑ Pushing…") + " \(status.pending)"
      sentence =
        status.undoable == status.pending
        ? trn("{n} entry will be sent in a few seconds", "{n} entries will be sent in a few seconds", status.pending)
        : SyncLook.waiting(status) ?? ""
      headline = sentence
    case .localOnly:
      style = "idle"
      label = trn("{n} only here", "{n} only here", status.localOnly)
      sentence = trn(
        "synced; {n} entry is only on this computer", "synced; {n} entries are only on this computer",
        status.localOnly)
      headline = trn("Synced, {n} entry only here", "Synced, {n} entries only here", status.localOnly)
    case .synced: (style, label, sentence, headline) = ("good", trc("sync", "✓ Synced"), tr("synced"), tr("Synced"))
    }
  }

  /// Joins the parts that aren't `nil` to one sentence.
  private static func joined(_ parts: [String?]) -> String {
    let parts = parts.compactMap(\.self)
    return parts.dropFirst().reduce(parts.first ?? "") { text, part in
      // Translators: joins two parts of the sync state, as in "offline; 2 entries wait to be sent".
      tr("{first}; {second}", ["first": text, "second": part])
    }
  }

  /// What keeps the program from signing in: it is not offline.
  private static func keyring(_ failure: SyncProblem?) -> (state: String, heading: String) {
    switch failure {
    case .vault(.locked): (tr("the keyring is locked"), tr("Keyring locked"))
    case .vault(.noService), .vault(.noCollection): (tr("there is no keyring"), tr("No keyring"))
    default: (tr("the keyring can’t be used"), tr("Keyring unusable"))
    }
  }

  private static func missing(_ status: SyncStatus) -> String? {
    status.remoteLoss.map { loss in
      trn("{n} entry is missing on the server", "{n} entries are missing on the server", loss.missing)
    }
  }

  private static func rejected(_ status: SyncStatus) -> String? {
    guard status.rejected > 0 else { return nil }
    return trn("the server rejected {n} entry", "the server rejected {n} entries", status.rejected)
  }

  private static func waiting(_ status: SyncStatus) -> String? {
    guard status.pending > 0 else { return nil }
    return trn("{n} entry waits to be sent", "{n} entries wait to be sent", status.pending)
  }
}

extension SyncProblem {
  fileprivate var isOfKeyring: Bool { if case .vault = self { true } else { false } }
}
