import TrunkModel

/// Everything that a copy of a garden holds.
public struct CopyContents: Sendable {
  /// All events, including unsent and rejected ones.
  public var events: [Event]
  public var superseded: [Event]
  public var journals: [EarlierJournal]
  public var hidden: [HiddenMark]
  public var drafts: [Draft]
}

/// Whose garden a copy holds.
public struct CopyOrigin: Sendable, Equatable {
  /// See `MetaKey.server`.
  public let server: String?
  /// See `MetaKey.owner`.
  public let owner: String?
}

extension VerifiedCopy {
  /// Reads the copy without changing it.
  /// - Throws: `damagedCopy` if the copy is damaged.
  public func contents() throws(StoreError) -> CopyContents {
    let reader = try CopyReader(self)
    return CopyContents(
      events: try reader.events(), superseded: try reader.superseded(), journals: try reader.journals(),
      hidden: try reader.hidden(), drafts: try reader.drafts())
  }

  /// The entries that were hidden, as `EventStore.hide` takes them.
  public func hiddenMarks() throws(StoreError) -> [HiddenMark] { try CopyReader(self).hidden() }

  public func origin() throws(StoreError) -> CopyOrigin {
    let reader = try CopyReader(self)
    return CopyOrigin(server: try reader.value(.server), owner: try reader.value(.owner))
  }
}

extension EventStore {
  /// Returns the value of `MetaKey.owner`: a digest, so that no file contains an email address.
  /// - Parameter email: in the spelling by which addresses are compared.
  public nonisolated static func owner(_ email: String, at server: String) -> String {
    SHA256().digest(of: server + "\n" + email).hexadecimal
  }
}
