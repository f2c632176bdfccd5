extension Payload {
  /// The label or note of a place on the tree changed. Missing fields stay as they were; an empty one restores the
  /// preset.
  public final class NodeUpdated: PayloadCoding {
    static let type = "node_updated"

    public let nodeID: String
    public let label: String?
    public let note: String?

    public init(nodeID: String, label: String? = nil, note: String? = nil) {
      self.nodeID = nodeID
      self.label = label
      self.note = note
    }

    convenience init?(_ fields: PayloadFields) {
      guard let nodeID = fields.id("nodeId") else { return nil }
      self.init(nodeID: nodeID, label: fields.text("label"), note: fields.text("note"))
    }

    var asPayload: Payload { .nodeUpdated(self) }

    var entityID: String { nodeID }

    var fields: [(name: String, value: FieldValue)] {
      [("nodeId", .text(nodeID)), ("label", .words(label, .nodeLabel)), ("note", .words(note, .nodeNote))]
    }
  }
}
