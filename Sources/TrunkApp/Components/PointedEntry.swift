import GtkKit
import Localization
import TrunkKit

/// The date and the first words of the entry whose leaf or mark is below the pointer.
final class PointedEntry {
  private let context: WindowContext
  private let widget: Widget
  private let show: (String?) -> Void
  private var item: TimelineItem?
  private lazy var loader = Loader(context, for: widget)

  /// - Parameters:
  ///   - widget: the picture. When it is hidden, nothing is pointed at.
  ///   - show: called with the text; with `nil` if no entry is pointed at.
  init(_ context: WindowContext, for widget: Widget, show: @escaping (String?) -> Void) {
    (self.context, self.widget, self.show) = (context, widget, show)
    widget.on("unmap") { [weak self] in self?.point(at: nil) }
  }

  func point(at item: TimelineItem?) {
    guard item != self.item else { return }
    self.item = item
    guard let item else { return show(nil) }
    loader.load { [model = context.model] in
      try await model.entries([item])
    } show: { [weak self] entries in
      guard let self, item == self.item, let entry = entries.first else { return }
      let words = OwnWords.firstSentences(of: EntryTexts.text(of: entry))
      show(dotted([Formats.dateAndTime(entry.item.time), words]))
    }
  }
}
