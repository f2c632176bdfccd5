import GtkKit
import TreePicture
import TrunkKit
import TrunkModel

extension WindowContext {
  /// What the tree shows now.
  var treeState: TreeState { TreeState(model.garden, at: model.now, isResting: rest != nil) }

  /// The colours of the tree: those of the season and the hour, if the user wants that.
  /// - Parameters:
  ///   - widget: shows the tree.
  ///   - isSouthern: whether it is the season of the southern half of the earth.
  func treePalette(on widget: Widget, isSouthern: Bool) -> Palette {
    let (zone, now) = (model.garden.zone, model.now)
    return Palette(
      widget.isOnDark ? .dark : .light,
      yearShare: settings.hasSeasons ? zone.seasonShare(at: now, isSouthern: isSouthern) : nil,
      hour: settings.hasSeasons ? (Double(zone.local(now).second) / 3600).rounded() : Palette.noon,
      isHighContrast: StyleSheet.isHighContrast)
  }

  /// The colours of the tree at noon of a past day.
  /// - Parameter yearShare: how much of the year had passed; `nil` without seasons.
  func treePalette(on widget: Widget, yearShare: Double?) -> Palette {
    Palette(widget.isOnDark ? .dark : .light, yearShare: yearShare, isHighContrast: StyleSheet.isHighContrast)
  }
}
