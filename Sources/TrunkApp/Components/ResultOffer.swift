import GtkKit
import Localization

/// A button that leads from an empty list to results elsewhere, such as `6 in Sprouts · Show`.
@MainActor func resultOffer(_ words: String, action: @escaping @MainActor () -> Void) -> Widget {
  button(tr("{where} · Show", ["where": words]), action: action).halign(.center)
}

/// `6 in Sprouts`.
func resultCount(_ count: Int, in place: String) -> String {
  tr("{n} in {group}", ["n": localized(count), "group": place])
}
