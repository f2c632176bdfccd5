import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Lets the user choose one of all leaves by its name or its twig.
enum LeafPicker {
  /// - Parameters:
  ///   - chosen: the id of the leaf that is chosen now; `nil` stands for all leaves.
  ///   - onPick: called with the id that the user has picked.
  static func present(
    _ garden: Garden, over parent: DialogWindow, chosen: String?, onPick: @escaping @MainActor (String?) -> Void
  ) {
    let (progress, leaves) = (garden.leafProgress, garden.leaves.filter { !$0.name.isEmpty })
    let byName = leaves.map { (key: $0.name.folded, id: $0.id) }.sorted { $0.key < $1.key }.map(\.id)
    let byID = Dictionary(leaves.map { (ExactID($0.id), $0) }) { first, _ in first }
    func path(_ id: String) -> String { byID[ExactID(id)].map { garden.path(ofTwig: $0.twigID) } ?? "" }
    let items = NamedItems(byName) { [byID[ExactID($0)]?.name ?? "", path($0)].joined(separator: " ") }
    let picker = SearchPicker<String?>(
      over: parent.widget, title: tr("Leaf"), searchName: tr("Search leaves"),
      hint: tr("No leaf found. Try fewer or shorter words."), chosen: chosen
    ) { id in
      guard let id else { return PickerTexts(title: tr("All leaves")) }
      let count = progress[ExactID(id)]?.total ?? 0
      return PickerTexts(
        title: byID[ExactID(id)]?.name ?? "", subtitle: path(id), note: trn("{n} sprout", "{n} sprouts", count))
    } find: { query in
      (query.isEmpty ? [nil] : []) + items.find(query).map(Optional.some)
    } onPick: {
      onPick($0)
    }
    picker.present()
  }
}
