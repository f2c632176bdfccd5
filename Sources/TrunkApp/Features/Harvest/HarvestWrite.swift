import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel

/// The last step of a harvest: the chosen result, and the reflection.
final class HarvestWrite {
  let widget = column(spacing: 12)
  let area: TextArea

  /// Called when the user wants to harvest without words.
  var onWordless: (() -> Void)?
  /// Called when the user starts writing mode.
  var onFullScreen: (() -> Void)?

  static var question: String { tr("What do you take with you?") }
  private static var offer: String { tr("One sentence for later? You can also harvest without words.") }

  /// Whether it offers to harvest without words. It does after an attempt to save nothing.
  var isOffering = false {
    didSet {
      wordless.visible(isOffering)
      saved.visible(!isOffering)
    }
  }

  private let sign = SproutSign(width: 48, height: 24)
  private let result = label("", "second")
  private let saved = paragraph(tr("Saved as you type"), "hint")
  private let wordless = column(spacing: 2).visible(false)

  init(_ context: WindowContext) {
    area = TextArea(
      name: HarvestWrite.question, placeholder: tr("A sentence for later years"), limit: .reflection, height: 24)
    context.spelling.check(area)
    let fullScreen = WritingMode.button(name: tr("Write in full screen")) { [weak self] in self?.onFullScreen?() }
    wordless.append(
      paragraph(HarvestWrite.offer, "wood"),
      button(tr("Harvest Without Words"), "link", "flush") { [weak self] in self?.onWordless?() }.halign(.start))
    widget.append(
      line(spacing: 14, sign.widget, result).halign(.start),
      line(spacing: 8, paragraph(HarvestWrite.question, "question").hexpand(), fullScreen), area.widget.vexpand(),
      saved, wordless)
    widget.keeps(self)
  }

  func show(_ sprout: Sprout, result: Int?, in garden: Garden, now: Instant) {
    guard let result else { return }
    var leaflet = TreeState.Leaflet(sprout, garden, garden.zone.dayKey(now))
    leaflet.stage = .harvested(result: result)
    sign.show(leaflet)
    self.result.setText(Formats.result(result))
  }

  /// Asks for words, and offers to harvest without them.
  func offer() {
    isOffering = true
    area.focus()
    widget.announce(HarvestWrite.offer)
  }
}
