import TrunkModel

/// Strings by folder of backups: the names of the backups that a garden has written to second folders, what its newest
/// backup in each folder contains, or where the folder's disk was mounted. Also the state of other gardens' files by
/// their names.
///
/// Without a record, as in gardens of earlier versions, a folder's backups are never removed.
struct BackupRecord {
  private var names: [String: [String]] = [:]

  /// - Parameter text: the value of `MetaKey.backups`, `lastBackup`, `backupDisks` or `mergedGardens`. Damaged text is
  ///   the same as no record.
  init(text: String?) {
    guard let members = text.flatMap({ try? JSON($0) })?.members else { return }
    for member in members { names[member.name.decoded] = member.value.elements?.compactMap(\.text) }
  }

  var text: String {
    let members = names.sorted { $0.key.precedesInBytes($1.key) }
    return JSON.object(members.map { .init($0.key, .array($0.value.map { .string($0) })) }).compactText
  }

  subscript(folder: String) -> [String] {
    get { names[folder] ?? [] }
    set { names[folder] = newValue }
  }
}
