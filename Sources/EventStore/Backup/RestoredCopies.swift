/// The names of the copies whose drafts were restored: the value of `MetaKey.draftsRestored`, one name a line.
public struct RestoredCopies: Sendable {
  public private(set) var names: Set<String>

  public init(_ text: String?) {
    names = Set((text ?? "").split(separator: "\n").map(String.init))
  }

  public func adding(_ copies: [VerifiedCopy]) -> RestoredCopies {
    var restored = self
    restored.names.formUnion(copies.map(\.name))
    return restored
  }

  public var text: String { names.sorted().joined(separator: "\n") }
}
