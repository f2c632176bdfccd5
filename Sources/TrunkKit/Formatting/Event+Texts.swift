import Localization
import TrunkModel

// What each kind of event is called in lists: every kind needs a line in the three functions of this file.

extension Event {
  /// The action and its object in a list of entries: `Watered · Learn the cello prelude`.
  public func summary(in garden: Garden) -> String {
    func about(_ verb: String, _ sproutID: String) -> String {
      garden.sprout(id: sproutID).map { verb + " · " + $0.title } ?? verb
    }
    return switch payload {
    case .sproutPlanted(let event): about(trc("done", "Planted"), event.sproutID)
    case .sproutWatered(let event): about(trc("done", "Watered"), event.sproutID)
    case .sproutHarvested(let event): about(trc("done", "Harvested"), event.sproutID)
    case .sproutUprooted(let event): about(trc("done", "Uprooted"), event.sproutID)
    case .sproutEdited(let event): about(trc("done", "Edited"), event.sproutID)
    case .sunShone(let event):
      trc("done", "Sun") + " · " + (Node(id: event.twigID).map { garden.label(of: $0) } ?? event.twigLabel)
    case .leafCreated(let event): trc("done", "Leaf") + " · " + event.name
    case .nodeUpdated: trc("done", "Name or note on the tree")
    case .seedlingCreated(let event): trc("done", "Seedling") + " · " + event.title
    case .seedlingEdited: trc("done", "Seedling edited")
    case .seedlingDeleted: trc("done", "Seedling deleted")
    case .ignored(let type): type
    }
  }

  /// The action in a log: `watered`.
  public var verb: String {
    switch payload {
    case .sproutPlanted: tr("planted")
    case .sproutWatered: tr("watered")
    case .sproutHarvested: tr("harvested")
    case .sproutUprooted: tr("uprooted")
    case .sproutEdited: tr("edited")
    case .sunShone: tr("shone on")
    case .leafCreated: tr("new leaf")
    case .nodeUpdated(let it): it.label == nil ? tr("edited") : tr("renamed")
    case .seedlingCreated: tr("new seedling")
    case .seedlingEdited: tr("edited")
    case .seedlingDeleted: tr("seedling deleted")
    case .ignored(let type): type
    }
  }

  /// What the event is about: its title and the place on the tree.
  public func subject(in garden: Garden) -> (title: String?, twigID: String?) {
    func about(_ sproutID: String) -> (String?, String?) {
      let sprout = garden.sprout(id: sproutID)
      return (sprout?.title, sprout?.twigID)
    }
    func seedling(_ id: String) -> (String?, String?) {
      let seedling = garden.seedling(id: id)
      return (seedling?.title, seedling?.twigID)
    }
    return switch payload {
    case .sproutPlanted(let it): (it.title, it.twigID)
    case .sproutWatered(let it): about(it.sproutID)
    case .sproutHarvested(let it): about(it.sproutID)
    case .sproutUprooted(let it): about(it.sproutID)
    case .sproutEdited(let it): about(it.sproutID)
    case .sunShone(let it): (nil, it.twigID)
    case .leafCreated(let it): (it.name, it.twigID)
    case .nodeUpdated(let it): (Node(id: it.nodeID).map { garden.label(of: $0) }, it.nodeID)
    case .seedlingCreated(let it): (it.title, it.twigID)
    case .seedlingEdited(let it): seedling(it.seedlingID)
    case .seedlingDeleted(let it): seedling(it.seedlingID)
    case .ignored: (nil, nil)
    }
  }
}
