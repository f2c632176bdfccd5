extension Event {
  /// Whether all other versions of Trunk can read a file with this event. One of them decodes each event into a fixed
  /// structure, and rejects the whole file if a type is unknown to it or a member has another JSON type than expected.
  var isReadableElsewhere: Bool {
    guard let kind, kind != .nodeUpdated, let members = json.members else { return false }
    return members.allSatisfy { member in
      let name = member.name.decoded
      return switch member.value {
      case .null: true
      case .string: !Event.numbers.contains(name)
      case .number: !Event.texts.contains(name)
      case .bool, .array, .object: !Event.texts.contains(name) && !Event.numbers.contains(name)
      }
    }
  }

  /// The members that other versions expect to be numbers, and those that they expect to be texts.
  private static let numbers: Set = ["soilCost", "result", "capacityGained", "soilReturned"]
  private static let texts: Set = [
    "type", "timestamp", "client_id", "sproutId", "twigId", "title", "season", "environment", "leafId", "bloomWither",
    "bloomBudding", "bloomFlourish", "content", "prompt", "reflection", "twigLabel", "name", "seedlingId", "notes",
  ]
}
