import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel

/// The content of a row in the garden. Equal items look the same, so a change updates only the affected rows.
nonisolated struct GardenItem: Equatable, Identifiable {
  nonisolated enum Status: Equatable {
    /// With the time left in its season, such as `34 days`.
    case growing(left: String)
    case ready
    /// With its result, 1…5.
    case cultivated(Int)
    case uprooted
  }

  let id: String
  let title: String
  let path: String
  /// Empty if it is the same as the title.
  let leafName: String
  /// The leaf that a harvested sprout's next one would continue; `nil` for other sprouts, or if the leaf is unknown.
  let continuedLeaf: String?
  let season: Season
  let ground: Ground
  /// Whether there is room for season and ground.
  let showsGround: Bool
  let status: Status
  /// What its shoot or leaflet shows.
  let leaflet: TreeState.Leaflet

  /// - Parameter isNarrow: whether the window is narrow.
  init(_ entry: SproutIndex.Entry, in garden: Garden, at now: Instant, isNarrow: Bool = false) {
    let sprout = entry.sprout
    showsGround = !isNarrow
    id = sprout.id
    title = sprout.title
    path = entry.path
    leafName = entry.leafName == sprout.title ? "" : entry.leafName
    continuedLeaf = sprout.harvest == nil || entry.leafName.isEmpty ? nil : sprout.leafID
    season = sprout.season
    ground = sprout.ground
    switch sprout.state {
    case .active:
      let isReady = sprout.isReady(at: now)
      status = isReady ? .ready : .growing(left: garden.timeLeft(of: sprout, at: now))
    case .completed(let harvest): status = .cultivated(harvest.result)
    case .uprooted: status = .uprooted
    }
    leaflet = TreeState.Leaflet(sprout, garden, garden.zone.dayKey(now))
  }
}

/// One sprout in the garden: its shoot or leaflet, title, place and state, and a button to continue the leaf of a
/// harvested one.
final class GardenRow: ListRow {
  let widget: Widget

  private let sign = SproutSign()
  private let title = paragraph("", "semibold")
  private let place = paragraph("", "hint")
  private let status = label("", "hint", "numeric")
  // GTK logs a warning for an action without a target, and most rows have none.
  private let proceed = iconButton(
    "trunk-sprout-symbolic", name: tr("Continue the Leaf"), command: "win.continue-leaf::")

  init() {
    // Up to two lines each, for narrow windows and large text.
    for label in [title, place] { label.lines(2).ellipsize(.end) }
    status.ellipsize(.none)
    widget = line(
      spacing: 14, sign.widget, column(spacing: 2, title, place).hexpand().valign(.center),
      status, proceed.css("faint"))
    widget.keeps(self)
  }

  func show(_ item: GardenItem) -> String {
    let place = place(of: item)
    let status = status(of: item)
    sign.show(item.leaflet)
    title.setText(oneLine(item.title))
    title.ellipsize(mayBeCut(item.title) ? .end : .none)
    self.place.setText(oneLine(place))
    self.status.setText(status)
    self.status.css("green", when: item.status == .ready).css("semibold", when: item.status == .ready)
    widget.css("spent", when: item.status == .uprooted)
    // The page of the sprout has it, too.
    proceed.visible(item.continuedLeaf != nil && item.showsGround)
    if let leaf = item.continuedLeaf {
      proceed.action("win.continue-leaf", target: leaf)
      proceed.accessibleName(tr("Continue the leaf of “{title}”", ["title": item.title]))
    }
    return [item.title, place, status].joined(separator: ", ")
  }

  private func place(of item: GardenItem) -> String {
    var parts = [item.path]
    if item.showsGround { parts.append(Formats.ground(item.season, item.ground)) }
    if !item.leafName.isEmpty { parts.append(tr("leaf “{name}”", ["name": item.leafName])) }
    return dotted(parts)
  }

  private func status(of item: GardenItem) -> String {
    switch item.status {
    case .growing(let left): left
    case .ready: tr("ready")
    case .cultivated(let result): Formats.result(result)
    case .uprooted: tr("uprooted")
    }
  }
}
