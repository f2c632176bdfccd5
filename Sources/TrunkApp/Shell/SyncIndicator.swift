import Garden
import Gardening
import GtkKit
import Localization

/// Whether this garden and the server's are the same: a cloud with a coloured dot, when the server last confirmed an entry,
/// and a sign with a word. One button, which opens the details.
final class SyncIndicator {
  let widget: Widget

  private let session: Session
  private let cloud = CloudSign()
  private let stamp = label("", "stamp")
  private let state = label("", "sync-state")

  init(_ session: Session) {
    self.session = session
    widget = button("", "flat", "place", command: "win.sync")
    gtk_button_set_child(widget.cast(), line(spacing: 8, cloud.widget, stamp, state))
    widget.keeps(self)
    session.follow(widget, sync: true) { [weak self] in self?.render() }
  }

  /// A longer text may be cut where letters are very large.
  private static let mostCharacters: gint = 11

  /// Only the sign and the word, where there is no room for the time.
  var isNarrow = false {
    didSet { if isNarrow != oldValue { render() } }
  }

  private func render() {
    let status = session.synchroniser.status
    let look = SyncLook(status)
    cloud.dot = look.color
    cloud.widget.css("pulsing", when: look.isBusy && widget.mayMove)
    for style in SyncLook.styles { state.css(style, when: style == look.style) }
    state.setText(look.word)
    // The greeting beside it can wrap, this can't.
    gtk_label_set_width_chars(state.cast(), min(gint(look.word.count), SyncIndicator.mostCharacters))
    let latest = status.latest.flatMap { Instant($0) }.map(Formats.utcSecond)
    stamp.setText(latest ?? "")
    stamp.visible(!isNarrow && latest != nil)
    let name = tr("Sync: {state}", ["state": look.sentence])
    widget.named(latest.map { name + ", " + tr("latest entry {time}", ["time": $0]) } ?? name)
    widget.tooltip(look.sentence)
  }
}

/// A cloud with a dot.
private final class CloudSign {
  let widget = drawing(width: 22, height: 16).css("cloud")

  /// The name of the dot's colour.
  var dot = "sync_idle" {
    didSet { if dot != oldValue { widget.redraw() } }
  }

  init() {
    widget.alignDown(GTK_ALIGN_CENTER).keeps(self)
    widget.onDraw { [weak self] in self?.draw(on: $0) }
  }

  private func draw(on canvas: Canvas) {
    let body = canvas.widget.color
    // Three puffs and the flat base between them.
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
