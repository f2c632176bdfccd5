import Localization
import TrunkModel

/// What lists say about an event.
public struct EventTexts {
  /// The action at the beginning of a line: `Watered`.
  public let action: String
  /// The action in a log: `watered`.
  public let verb: String
  /// The title of what the event is about; `nil` if it has none, or if it isn't in the garden.
  public var title: String?
  /// The id of its place on the tree.
  public var nodeID: String?
  /// The name that this place had when the event was made.
  fileprivate var nodeLabel: String?
}

extension Event {
  /// The texts for this event: every kind needs a line here.
  public func texts(in garden: Garden) -> EventTexts {
    func about(sprout id: String, _ action: String, _ verb: String) -> EventTexts {
      let sprout = garden.sprout(id: id)
      return EventTexts(action: action, verb: verb, title: sprout?.title, nodeID: sprout?.twigID)
    }
    func about(seedling id: String, _ action: String, _ verb: String) -> EventTexts {
      let seedling = garden.seedling(id: id)
      return EventTexts(action: action, verb: verb, title: seedling?.title, nodeID: seedling?.twigID)
    }
    return switch payload {
    case .sproutPlanted(let it):
      EventTexts(action: trc("done", "Planted"), verb: tr("planted"), title: it.title, nodeID: it.twigID)
    case .sproutWatered(let it): about(sprout: it.sproutID, trc("done", "Watered"), tr("watered"))
    case .sproutHarvested(let it): about(sprout: it.sproutID, trc("done", "Harvested"), tr("harvested"))
    case .sproutUprooted(let it): about(sprout: it.sproutID, trc("done", "Uprooted"), tr("uprooted"))
    case .sproutEdited(let it): about(sprout: it.sproutID, trc("done", "Edited"), tr("edited"))
    case .sunShone(let it):
      EventTexts(action: trc("done", "Sun"), verb: tr("shone on"), nodeID: it.twigID, nodeLabel: it.twigLabel)
    case .leafCreated(let it):
      EventTexts(action: trc("done", "Leaf"), verb: tr("new leaf"), title: it.name, nodeID: it.twigID)
    case .nodeUpdated(let it):
      EventTexts(
        action: trc("done", "Name or note on the tree"), verb: it.label == nil ? tr("edited") : tr("renamed"),
        title: Node(id: it.nodeID).map { garden.label(of: $0) }, nodeID: it.nodeID)
    case .seedlingCreated(let it):
      EventTexts(action: trc("done", "Seedling"), verb: tr("new seedling"), title: it.title, nodeID: it.twigID)
    case .seedlingEdited(let it): about(seedling: it.seedlingID, trc("done", "Seedling edited"), tr("edited"))
    case .seedlingDeleted(let it):
      about(seedling: it.seedlingID, trc("done", "Seedling deleted"), tr("seedling deleted"))
    case .ignored(let type): EventTexts(action: type, verb: type)
    }
  }

  /// The action and its object in a list of entries: `Watered · Learn the cello prelude`.
  public func summary(in garden: Garden) -> String {
    let texts = texts(in: garden)
    let place = texts.nodeID.flatMap { Node(id: $0) }.map { garden.label(of: $0) } ?? texts.nodeLabel
    return dotted([texts.action, texts.title ?? place ?? ""])
  }
}
