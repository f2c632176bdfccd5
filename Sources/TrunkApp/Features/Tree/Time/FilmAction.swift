import CairoKit
import GtkKit
import Localization
import Synchronization
import TrunkKit
import TrunkModel
import TrunkPrint

/// A button that saves the life of the tree as a film. While the film is made, the button shows the progress and
/// cancels it.
final class FilmAction {
  let widget = button("") {}

  private let context: WindowContext
  private var film: Task<[UInt8], any Error>?
  private var progress: Timeout?

  /// How often the progress is shown, in milliseconds.
  private static let interval = 200

  init(_ context: WindowContext) {
    self.context = context
    show()
    widget.on("clicked") { [weak self] in self?.press() }
    widget.on("destroy") { [weak self] in self?.film?.cancel() }
    widget.keeps(self)
  }

  private func press() {
    guard film == nil else {
      film?.cancel()
      return
    }
    context.attempt(keeping: widget) { [self] in
      let path = await chooseFile(
        .save(name: tr("My Tree") + ".webp"), over: context.window, title: tr("Save as a Film"), accept: tr("Save"))
      guard let path, film == nil else { return }
      guard path.lowercased().hasSuffix(".webp") else {
        context.foot.show(tr("The name of the file must end in .webp."))
        return
      }
      try await make(path)
    }
  }

  private func make(_ path: String) async throws {
    guard var film = LifeFilm(context.model.garden, through: context.today) else { return }
    film.theme = widget.isOnDark ? .dark : .light
    film.hasSeasons = context.settings.hasSeasons
    defer { end() }
    do {
      let bytes = try await start(film)
      try GardenModel.write(bytes, to: path)
      context.foot.show(tr("Saved “{path}”.", ["path": path]))
    } catch is CancellationError {
      context.foot.show(tr("Cancelled."))
    } catch WebPAnimation.Failure.noLibrary {
      context.report(tr("A film needs libwebp. Install the package libwebp7."))
    }
  }

  /// Makes the film on another thread.
  private func start(_ film: LifeFilm) async throws -> [UInt8] {
    let done = FrameCount()
    let task = Task.detached {  // No widgets
      try film.webP { frame in
        try Task.checkCancellation()
        done.frames.withLock { $0 = frame }
      }
    }
    self.film = task
    progress = Timeout.every(milliseconds: FilmAction.interval) { [weak self] in
      self?.show(done.frames.withLock { $0 }, of: film.count)
      return self != nil
    }
    return try await task.value
  }

  private func end() {
    (film, progress) = (nil, nil)
    show()
  }

  private func show() { widget.setButtonText(tr("Save as a Film…")) }

  private func show(_ frame: Int, of count: Int) {
    widget.setButtonText(tr("Cancel the Film: {percent}", ["percent": Formats.percent(Double(frame) / Double(count))]))
  }
}

/// The number of finished frames, which two threads use.
private final class FrameCount: Sendable {
  let frames = Mutex(0)
}
