import ArgumentParser
import CairoKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel
import TrunkPrint

struct TreeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tree",
    abstract: tr("Draw the tree as a poster."),
    discussion: Examples([
      ("trunkctl tree --to tree.pdf", tr("a poster to print")),
      ("trunkctl tree --to tree.png --theme dark --size 2560x1440", tr("a desktop background")),
    ]).text)

  @OptionGroup var options: CommonOptions

  @Option(
    name: .customLong("to"), help: ArgumentHelp(tr("The file to write: .svg, .png or .pdf."), valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp(tr("The colours: light, dark, or print for black on white."), valueName: "theme"))
  var theme = Palette.Theme.light

  @Option(
    help: ArgumentHelp(
      tr("Width and height, in pixels for .png, otherwise in points; A3 by default."), valueName: "WxH"))
  var size: PictureSize?

  @Flag(help: ArgumentHelp(tr("Leave out the names of the branches.")))
  var noLabels = false

  @Flag(help: ArgumentHelp(tr("Leave out your name and the date.")))
  var noCaption = false

  @Flag(help: ArgumentHelp(tr("Draw the tree in its summer colours, whatever the season.")))
  var noSeasons = false

  @Flag(help: Files.forceHelp)
  var force = false

  @MainActor
  func run() async throws {
    guard var poster = TreePoster(path: file) else {
      throw Failure(.usage, tr("The name of the file must end in .svg, .png or .pdf."))
    }
    let model = try await options.openExisting(fullDisk: .opensForReading)
    poster.theme = theme
    if let size { (poster.width, poster.height) = (size.width, size.height) }
    poster.hasNames = !noLabels
    let settings = Settings()
    if !noCaption { poster.caption = model.posterCaption(name: model.userName(settings)) }
    if !noSeasons {
      poster.yearShare = settings.hasSeasons ? model.posterSeason : nil
      poster.isResting = settings.restDays.contains(model.garden.zone.dayKey(model.now))
    }
    try Files.write(poster.file(model.garden, at: model.now), to: file, replacing: force)
    if options.json { return Output.write(.record(("file", .string(file)))) }
    Output.write(tr("Saved “{path}”.", ["path": file]))
  }
}

extension Palette.Theme: ExpressibleByArgument {}
