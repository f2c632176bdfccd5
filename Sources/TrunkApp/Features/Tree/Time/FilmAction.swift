import CairoKit
import GtkKit
import Localization
import TrunkKit
import TrunkModel
import TrunkPrint

/// A button that saves the life of the tree as a film. While the film is made, the button shows the progress and
/// cancels it.
final class FilmAction {
  let widget = button("") {}

  private let context: WindowContext
  private lazy var work = FileWork(for: widget)

  init(_ context: WindowContext) {
    self.context = context
    show(nil)
    work.onProgress = { [weak self] in self?.show($0) }
    widget.on("clicked") { [weak self] in self?.press() }
    widget.keeps(self)
  }

  private func press() {
    guard !work.isRunning else { return work.cancel() }
    context.attempt(keeping: widget) { [self] in
      let path = await chooseFile(
        .save(name: tr("My Tree") + ".webp"), over: context.window, title: tr("Save as a Film"), accept: tr("Save"))
      guard let path, !work.isRunning else { return }
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
    do {
      let bytes = try await work.run { [film] progress in
        try film.webP { try progress(Double($0) / Double(film.count)) }
      }
      try GardenModel.write(bytes, to: path)
      context.foot.showSaved([path])
    } catch is CancellationError {
      context.foot.show(tr("Cancelled."))
    } catch WebPAnimation.Failure.noLibrary {
      context.report(tr("A film needs libwebp. Install the package libwebp7."))
    }
  }

  private func show(_ share: Double?) {
    widget.setButtonText(
      share.map { tr("Cancel the Film: {percent}", ["percent": Formats.percent($0)]) } ?? tr("Save as a Film…"))
  }
}
