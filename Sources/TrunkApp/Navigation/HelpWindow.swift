import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// What the parts of the garden are and how they work together.
final class HelpWindow {
  private let window: DialogWindow

  init(over parent: Widget) {
    let content = column(spacing: 18)
    for (sign, style, title, text) in HelpWindow.topics {
      let texts = column(spacing: 3, paragraph(title, "semibold"), paragraph(text, "second")).hexpand()
      content.append(line(spacing: 14, icon(sign, size: 24).css(style).valign(.start), texts))
    }
    if Handbook.isInstalled {
      content.append(button(tr("Handbook"), "link", "flush") { Handbook.present(over: parent) }.halign(.start))
    }
    window = DialogWindow(over: parent, title: tr("How It Works"), width: 520, content: content)
    window.widget.keeps(self)
  }

  func present() { window.present() }

  private static var topics: [(icon: String, style: String, title: String, text: String)] {
    [
      (
        "trunk-tree-symbolic", "wood", tr("Tree"),
        tr(
          "Your life as a tree: eight branches with eight twigs each. You can rename them. Everything you grow belongs to a twig."
        )
      ),
      (
        "trunk-sprout-symbolic", "green", tr("Sprouts"),
        tr(
          "A sprout is something you want to grow, for a season of two weeks to a year. Planting it takes soil. The harder the ground, the more soil it takes and the more it gives."
        )
      ),
      (
        "trunk-drop-symbolic", "water", trc("noun", "Water"),
        tr("Write a few words about up to three sprouts a day. Each watering gives back some soil.")
      ),
      (
        "trunk-sun-symbolic", "sun", tr("Sun"),
        tr("Once a week, a question about one of your twigs. Your answer gives back more soil than a watering.")
      ),
      (
        "trunk-harvest-symbolic", "green", trc("noun", "Harvest"),
        tr(
          "When a sprout’s season is over, say how it went. You get its soil back, and your soil grows."
        )
      ),
      (
        "trunk-leaf-symbolic", "green", tr("Leaves"),
        tr("A leaf is the story a sprout starts. Later sprouts can continue it.")
      ),
      (
        "trunk-seedling-symbolic", "green", tr("Seedlings"),
        tr("Ideas for later. They cost no soil and wait until you plant them.")
      ),
      (
        "trunk-soil-symbolic", "wood", tr("Soil"),
        tr(
          "What you spend on planting. It grows with every harvest, up to {most}.",
          ["most": Formats.shortSoil(Soil.maximumCapacity)])
      ),
      (
        "computer-symbolic", "wood", tr("Server"),
        tr(
          "A computer that is always on and keeps the same garden on all your devices. Run trunk-server on your own, or ask someone you trust. Without a server, your garden stays on this computer."
        )
      ),
    ]
  }
}
