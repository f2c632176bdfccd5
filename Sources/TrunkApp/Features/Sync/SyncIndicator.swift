import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// Shows whether the server has the same garden: a cloud with a coloured dot, when the server last confirmed an entry,
/// and a sign with a word. It is one button, which opens the sync details.
final class SyncIndicator {
  let widget: Widget

  private let context: WindowContext
  private let cloud = CloudSign()
  private let stamp = label("", "stamp")
  private let state = label("", "sync-state")

  init(_ context: WindowContext) {
    self.context = context
    widget = button("", "flat", "place", command: "win.sync")
    widget.setChild(line(spacing: 8, cloud.widget, stamp, state))
    widget.keeps(self)
    context.follow(widget, sync: true) { [weak self] in self?.render() }
  }

  /// A longer text may be cut off at very large text sizes.
  private static let maxCharacters = 11

  /// Whether to show only the sign and the word, without the time.
  var isNarrow = false {
    didSet { if isNarrow != oldValue { render() } }
  }

  /// Whether to show only the sign, as in the header bar.
  var isCloudOnly = false {
    didSet { state.visible(!isCloudOnly) }
  }

  private func render() {
    let status = context.accountModel.status
    let look = SyncLook(status)
    cloud.dot = look.color
    cloud.widget.css("pulsing", when: look.isBusy && widget.mayMove)
    for style in SyncLook.styles { state.css(style, when: style == look.style) }
    state.setText(look.label)
    // The greeting next to it can wrap; this label can't.
    state.widthChars(min(look.label.count, SyncIndicator.maxCharacters))
    let (garden, now) = (context.model.garden, context.model.now)
    let instant = status.latest.flatMap { Instant($0) }
    let latest = instant.map { Formats.stamp($0, now: now, in: garden.zone) }
    stamp.setText(latest ?? "")
    stamp.visible(!isNarrow && !isCloudOnly && latest != nil)
    let name = tr("Sync: {state}", ["state": look.sentence])
    widget.accessibleName(latest.map { name + ", " + tr("latest entry {time}", ["time": $0]) } ?? name)
    // The exact time, to compare with other devices.
    widget.tooltip(instant.map { dotted([look.sentence, Formats.utcSecond($0)]) } ?? look.sentence)
  }
}

private final class CloudSign {
  let widget = growingDrawing(width: 22, height: 16).css("cloud")

  /// The name of the dot's colour.
  var dot = "sync_idle" {
    didSet { if dot != oldValue { widget.redraw() } }
  }

  init() {
    widget.valign(.center).keeps(self)
    widget.onDraw { [weak self] in self?.draw(on: $0) }
  }

  private func draw(on canvas: Canvas) {
    let body = canvas.widget.color
    // Larger texts make the drawing larger.
    canvas.scale(by: canvas.height / 16)
    // Three circles and the flat base between them.
    for (x, y, radius) in [(6.0, 9.0, 4.0), (10.5, 6.5, 5.0), (15.0, 9.0, 4.0)] {
      canvas.circle(x, y, radius: radius)
      canvas.fill(body)
    }
    canvas.rectangle(6, 9, 9, 4)
    canvas.fill(body)
    canvas.circle(17, 11.5, radius: 4.4)
    canvas.fill(canvas.widget.color("ground"))
    canvas.circle(17, 11.5, radius: 3.2)
    canvas.fill(canvas.widget.color(dot))
  }
}
