import GtkKit
import TreePicture

/// An act with the words on which it ends.
final class ActPage {
  let widget: Widget
  let picture: ActPicture

  private let words = paragraph("", "moment-title").centred()

  /// - Parameter height: of the picture, in pixels.
  init(_ context: WindowContext, height: Int = 240) {
    picture = ActPicture(context, height: height)
    widget = column(spacing: 12, picture.widget, words)
    widget.keeps(self)
  }

  /// Lets the picture take all the height there is.
  func fill() {
    picture.widget.vexpand()
    widget.vexpand()
  }

  var isShown: Bool { widget.isVisible }

  func show(_ words: String) { self.words.setText(words) }

  /// Shows a moment of the act, in milliseconds.
  func show(_ act: Act, at time: Double) {
    picture.time = time
    words.opacity(act.words(at: time))
  }
}
