import CairoKit
import GtkKit
import Localization
import TrunkKit
import TrunkPrint

/// Saves the tree as a poster. The ending of the file's name chooses the format.
enum PosterDialog {
  static func choose(_ context: WindowContext) {
    context.attempt {
      let path = await chooseFile(
        .save(name: tr("My Tree") + ".pdf"), over: context.window, title: tr("Save the Tree as a Poster"),
        accept: tr("Save"))
      guard let path else { return }
      guard var poster = TreePoster(path: path) else {
        context.toaster.show(tr("The name of the file must end in .svg, .png or .pdf."))
        return
      }
      let model = context.model
      poster.caption = model.posterCaption
      poster.yearShare = context.settings.hasSeasons ? model.posterSeason : nil
      poster.isResting = context.rest != nil
      try GardenModel.write(poster.file(model.garden, at: model.now), to: path)
      context.toaster.show(tr("Saved “{path}”.", ["path": path]))
    }
  }
}
