import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Asks on a sprout's third day how its success can be told, once, if that wasn't written down when it was planted.
final class HopesQuestion {
  let widget: Widget

  private let context: WindowContext
  private let about = paragraph("", "hint")
  private var sproutID = ""

  init(_ context: WindowContext) {
    self.context = context
    let texts = column(
      spacing: 3, paragraph(tr("How will you know that it grew?"), "question").withoutHyphens(), about)
    let (write, dismiss) = (button(tr("Write It Down")) {}, button(tr("Not Now"), "link") {})
    widget = wrapping(
      spacing: 12, texts.hexpand().valign(.center), line(spacing: 8, write, dismiss).valign(.center)
    ).css("card")
    widget.keeps(self)
    write.on("clicked") { [weak self] in
      if let self { EditDialog(context, sproutID).present(atHopes: true) }
    }
    dismiss.on("clicked") { [weak self] in self?.dismiss() }
  }

  func show(_ garden: Garden, _ now: Instant) {
    let sprout = garden.sprouts.last {
      garden.asksForHopes($0, at: now) && !context.settings.hasDismissedHopes(of: $0.id)
    }
    widget.visible(sprout != nil)
    guard let sprout else { return }
    sproutID = sprout.id
    about.setText(sprout.title)
  }

  private func dismiss() {
    context.attempt { [context, sproutID] in try context.settings.dismissHopes(of: sproutID) }
  }
}
