import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Lets the user choose the account's time zone.
enum ZonePicker {
  static func present(_ context: WindowContext, over parent: any DialogParent) {
    let (zones, now) = (ZoneList(), context.model.now)
    // `nil` stands for each device's own zone.
    let picker = SearchPicker<String?>(
      over: parent.widget, title: tr("Time Zone"), searchName: tr("Search places"),
      hint: tr("No place found. Try a large city nearby."), chosen: context.accountModel.profile.timeZone
    ) {
      texts(of: $0, at: now)
    } find: { query in
      (query.isEmpty ? [nil] : []) + zones.find(query).map(Optional.some)
    } onPick: { [foot = parent.foot] zone in
      context.attempt(in: foot) { try await context.accountModel.profile.set(timeZone: zone) }
    }
    picker.present()
  }

  /// The place, its region and its current time.
  private static func texts(of zone: String?, at now: Instant) -> PickerTexts {
    guard let zone else { return PickerTexts(title: tr("Each device’s own time zone")) }
    let parts = Formats.place(zone).split(separator: "/").map(String.init)
    return PickerTexts(
      title: parts.last ?? zone, subtitle: dotted(parts.dropLast()),
      note: Zone.named(zone, at: now).map { Formats.time(now, in: $0) } ?? "")
  }
}
