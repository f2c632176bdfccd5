import Localization
import TrunkModel

extension Garden {
  /// Which leaflet of its leaf a harvested sprout has become: “The third leaflet of The cello.”; `nil` without a leaf.
  /// - Parameter show: returns the leaf's name as it is shown, for example as markup.
  public func leafletSentence(of sprout: Sprout, show: (String) -> String = { $0 }) -> String? {
    guard let harvest = sprout.harvest, let leaf = leaf(id: sprout.leafID) else { return nil }
    let number = sprouts(onLeaf: leaf.id).compactMap(\.harvest).count { $0.at <= harvest.at }
    let name = show(leaf.name)
    guard let ordinal = Formats.ordinal(number) else {
      return tr("Leaflet {n} of {leaf}.", ["n": "\(number)", "leaf": name])
    }
    // Translators: {ordinal} is “first”, “second” and so on.
    return tr("The {ordinal} leaflet of {leaf}.", ["ordinal": ordinal, "leaf": name])
  }
}

extension Formats {
  /// The ordinal of a leaflet as a word, up to the tenth.
  fileprivate static func ordinal(_ number: Int) -> String? {
    switch number {
    case 1: trc("leaflet", "first")
    case 2: trc("leaflet", "second")
    case 3: trc("leaflet", "third")
    case 4: trc("leaflet", "fourth")
    case 5: trc("leaflet", "fifth")
    case 6: trc("leaflet", "sixth")
    case 7: trc("leaflet", "seventh")
    case 8: trc("leaflet", "eighth")
    case 9: trc("leaflet", "ninth")
    case 10: trc("leaflet", "tenth")
    default: nil
    }
  }
}
