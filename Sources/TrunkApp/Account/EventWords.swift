import Garden
import Gardening
import Localization

extension Event {
  /// What was done, and to what: `Watered · Learn the cello prelude`.
  func what(in garden: Garden) -> String {
    func about(_ verb: String, _ sproutID: String) -> String {
      garden.sprout(id: sproutID).map { verb + " · " + $0.title } ?? verb
    }
    return switch content {
    case .sproutPlanted(let event): about(trc("done", "Planted"), event.sproutID)
    case .sproutWatered(let event): about(trc("done", "Watered"), event.sproutID)
    case .sproutHarvested(let event): about(trc("done", "Harvested"), event.sproutID)
    case .sproutUprooted(let event): about(trc("done", "Uprooted"), event.sproutID)
    case .sproutEdited(let event): about(trc("done", "Edited"), event.sproutID)
    case .sunShone(let event): trc("done", "Sun") + " · " + event.twigLabel
    case .leafCreated(let event): trc("done", "Leaf") + " · " + event.name
    case .nodeUpdated: trc("done", "Name or note on the tree")
    case .seedlingCreated(let event): trc("done", "Seedling") + " · " + event.title
    case .seedlingEdited: trc("done", "Seedling edited")
    case .seedlingDeleted: trc("done", "Seedling removed")
    case .ignored(let type): type
    }
  }
}
