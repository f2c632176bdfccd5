import CairoKit
import GtkKit
import Localization
import TrunkKit
import TrunkPrint

/// Saves the tree as a poster, after a choice of the format and of what is written on it.
final class PosterDialog {
  private let context: WindowContext
  private let dialog: DialogWindow
  private let preview = drawing(width: PosterDialog.previewSize.width, height: PosterDialog.previewSize.height)
  private let hint = paragraph("", "hint")
  private lazy var action = BusyAction(context, foot: dialog.foot)
  private var format = Surface.Format.pdf
  private var hasLabels = true
  private var hasName = true
  private var hasDate = true
  /// The preview as it was last painted, and its width.
  private var painted: (picture: Snapshot, width: Double)?

  private static let formats: [Surface.Format] = [.pdf, .svg, .png]
  /// In pixels; the shape of a sheet in landscape.
  private static let previewSize = (width: 297, height: 210)

  init(_ context: WindowContext) {
    self.context = context
    let content = column(spacing: 18)
    dialog = DialogWindow(
      over: context.window, title: tr("Save the Tree as a Poster"), closeTitle: tr("Cancel"), width: 480,
      content: content)
    let titles = PosterDialog.formats.map { $0.rawValue.uppercased() }
    let format = Segments(name: tr("Format"), titles, selected: 0)
    format.onSelect = { [weak self] in self?.choose(PosterDialog.formats[$0]) }
    let name = context.accountModel.profile.name
    let nameRow = switchRow(tr("Your name"), name, isOn: hasName) { [weak self] in self?.change(\.hasName, to: $0) }
    let parts = boxedList(
      switchRow(tr("Names of the branches"), isOn: hasLabels) { [weak self] in self?.change(\.hasLabels, to: $0) },
      nameRow.visible(!name.isEmpty),
      switchRow(tr("The date"), isOn: hasDate) { [weak self] in self?.change(\.hasDate, to: $0) })
    content.append(
      preview.halign(.center).css("card"),
      column(spacing: 6, label(tr("Format"), "caption-title"), format.widget, hint),
      parts.accessibleName(tr("On the poster")))
    preview.onDraw { [weak self] in self?.draw(on: $0) }
    dialog.addActionButton(tr("Save…"), "suggested-action") { [weak self] in self?.save() }
    choose(.pdf)
    dialog.widget.keeps(self)
    context.follow(dialog.widget) { [weak self] in self?.redraw() }
  }

  func present() { dialog.present() }
}

extension PosterDialog {
  private func choose(_ format: Surface.Format) {
    self.format = format
    switch format {
    case .pdf: hint.setText(tr("A sheet of A3, sharp at every size, to print or to send."))
    case .svg: hint.setText(tr("Sharp at every size, for drawing programs and web pages."))
    case .png: hint.setText(tr("An image for any program, or for the desktop background."))
    }
  }

  private func change(_ part: ReferenceWritableKeyPath<PosterDialog, Bool>, to isOn: Bool) {
    self[keyPath: part] = isOn
    redraw()
  }

  private func redraw() {
    painted = nil
    preview.redraw()
  }

  private var content: TreeScene.Content {
    .init(context.model.garden, at: context.model.now, isResting: context.rest != nil)
  }

  private func poster(_ format: Surface.Format) -> TreePoster {
    var poster = TreePoster(format)
    let model = context.model
    poster.hasNames = hasLabels
    poster.caption = model.posterCaption(name: hasName ? context.accountModel.profile.name : "", hasDate: hasDate)
    poster.yearShare = context.settings.hasSeasons ? model.posterSeason : nil
    return poster
  }

  private func draw(on canvas: Canvas) {
    if painted?.width != canvas.width { painted = nil }
    let poster = poster(.pdf)
    let scale = min(canvas.width / poster.width, canvas.height / poster.height)
    let picture =
      painted?.picture
      ?? Snapshot(
        width: poster.width * scale, height: poster.height * scale, scale: Double(canvas.widget.scaleFactor)
      ) { poster.draw(content, scale: scale, on: $0) }
    painted = (picture, canvas.width)
    picture.show(
      on: canvas.cairo, x: (canvas.width - poster.width * scale) / 2, y: (canvas.height - poster.height * scale) / 2,
      scale: 1)
  }

  private func save() {
    action.run(keeping: dialog.widget) { [self] in
      let path = await chooseFile(
        .save(name: tr("My Tree") + "." + format.rawValue), over: dialog.widget,
        title: tr("Save the Tree as a Poster"), accept: tr("Save"))
      guard let path else { return }
      // The ending that was typed has priority over the one that was chosen before.
      guard let format = TreePoster(path: path)?.format else {
        dialog.foot.show(tr("The name of the file must end in .svg, .png or .pdf."))
        return
      }
      try GardenModel.write(poster(format).file(content), to: path)
      context.foot.showSaved([path])
      dialog.close()
    }
  }
}
