import GtkKit
import Localization
import TrunkKit

/// All keyboard shortcuts. `GtkShortcutsWindow` isn't used, because its titles don't wrap: it would be wider than a
/// small window.
final class ShortcutsWindow {
  private let window: DialogWindow

  init(over parent: Widget) {
    let content = column(spacing: 22)
    for (title, keys) in ShortcutsWindow.groups {
      let lines = group(title).css("facts")
      for (accelerator, title) in keys {
        let keys = shortcutLabel(accelerator).valign(.center)
        lines.append(line(spacing: 16, paragraph(title).hexpand(), keys))
      }
      content.append(column(spacing: 4, sectionHeader(title), lines))
    }
    window = DialogWindow(
      over: parent, title: tr("Keyboard Shortcuts"), width: 520, content: content)
    window.widget.keeps(self)
  }

  func present() { window.present() }

  private static var groups: [(title: String, keys: [(accelerator: String, title: String)])] {
    let views = Route.views.enumerated().map { position, route in
      (accelerator: "<Control>\(position + 1)", title: route.viewTitle)
    }
    return [
      (
        tr("Tend"),
        [
          ("w", tr("Water")), ("<Control>Return", tr("Water, and go on to the next sprout")),
          ("F11", tr("Write in full screen")), ("s", tr("Shine")),
          ("h", tr("Harvest the first ready sprout")), ("n", tr("Plant a sprout")),
          ("<Alt>1", tr("The season, 1 to 5, while you plant")),
          ("<Shift><Alt>1", tr("The ground, 1 to 3, while you plant")),
          ("<Control>n", tr("Note an idea as a seedling")), ("<Control>z", tr("Undo")),
        ]
      ),
      (
        tr("On the Tree"),
        [
          ("Right", tr("The next branch or twig")), ("Left", tr("The previous branch or twig")),
          ("Down", tr("The next growing sprout")), ("Up", tr("The previous growing sprout")),
          ("w", tr("Water the chosen sprout")), ("h", tr("Harvest the chosen sprout when it is ready")),
          ("n", tr("Note an idea on the twig of the chosen sprout")),
        ]
      ),
      (
        tr("Through Time"),
        [
          ("Left", tr("The day before")), ("Right", tr("The day after")),
          ("<Control>Left", tr("The month before")), ("<Control>Right", tr("The month after")),
          ("Page_Up", tr("The year before")), ("Page_Down", tr("The year after")),
          ("Home", tr("The first day of the tree")), ("End", tr("Today")), ("space", tr("Play or stop")),
          ("Return", tr("The first entry of the day")), ("Escape", tr("Back to today")),
        ]
      ),
      (
        tr("Go"),
        views + [
          ("1", tr("A branch of the tree, by its number or first letter")),
          ("t", tr("The tree through time")), ("0", tr("The year in growth, from the tree")),
          ("l", tr("The tree as a picture or as a list")), ("c", tr("The days of the month, in the journal")),
          ("<Control>b", tr("When you last tended each limb")), ("slash", tr("Search")),
          ("<Control>f", tr("Search, even while you type")),
          ("Right", tr("From a row to its button or link")), ("Escape", tr("One level up, or close")),
          ("<Alt>Left", tr("Back")), ("<Alt>Up", tr("The branch, twig, sprout, entry or year above")),
          ("<Alt>Down", tr("The branch, twig, sprout, entry or year below")),
        ]
      ),
      (
        tr("General"),
        [
          ("<Control>r", tr("Sync now")), ("F10", tr("Main menu")), ("<Control>comma", tr("Preferences")),
          ("<Control>question", tr("Keyboard shortcuts")), ("F1", tr("Handbook")), ("<Control>q", tr("Quit")),
        ]
      ),
    ]
  }
}
