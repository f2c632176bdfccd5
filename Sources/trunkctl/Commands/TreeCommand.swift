import ArgumentParser
import CairoKit
import Glibc
import Localization
import TreePicture
import TrunkKit
import TrunkModel
import TrunkPrint

struct TreeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tree",
    abstract: tr("Draw the tree as a poster or as a film."),
    discussion: Examples([
      ("trunkctl tree --to tree.pdf", tr("a poster to print")),
      ("trunkctl tree --to tree.png --theme dark --size 2560x1440", tr("a desktop background")),
      ("trunkctl tree --to tree.svg --season autumn --size a2", tr("the tree in autumn")),
      ("trunkctl tree --film life.webp", tr("the tree from its first day to today")),
    ]).text)

  @OptionGroup var options: CommonOptions

  @Option(
    name: .customLong("to"), help: ArgumentHelp(tr("The file to write: .svg, .png or .pdf."), valueName: "file"))
  var file: String?

  @Option(
    help: ArgumentHelp(
      tr("Make a film of the tree through time: a .webp, or a folder with a numbered .png for each frame."),
      valueName: "file"))
  var film: String?

  @Option(help: ArgumentHelp(tr("The colours: light, dark, or print for black on white."), valueName: "theme"))
  var theme = Palette.Theme.light

  @Option(
    help: ArgumentHelp(
      tr("The sheet: a1, a2, a3 or 50x70 (cm), upright or with -wide; or a size, as 1600x1200. By default a3-wide."),
      valueName: "size"))
  var size: PictureSize?

  @Option(help: ArgumentHelp(tr("Draw the tree as it was on this day."), valueName: "day"))
  var on: Day?

  @Option(help: ArgumentHelp(tr("The colours of a season: winter, spring, summer or autumn."), valueName: "season"))
  var season: PosterSeason?

  @Option(help: ArgumentHelp(tr("Words below the tree, on at most two lines."), valueName: "text"))
  var line: String?

  @Flag(help: ArgumentHelp(tr("Leave out the names of the branches.")))
  var noLabels = false

  @Flag(help: ArgumentHelp(tr("Leave out your name and the date.")))
  var noCaption = false

  @Flag(help: ArgumentHelp(tr("Draw the tree in its summer colours, whatever the season.")))
  var noSeasons = false

  @Flag(help: Files.forceHelp)
  var force = false

  func validate() throws {
    guard (file == nil) != (film == nil) else { throw ValidationError(tr("Name a file with --to or --film.")) }
  }

  @MainActor
  func run() async throws {
    let model = try await options.openExisting(fullDisk: .opensForReading)
    let path = try file.map { try drawPoster(of: model, to: $0) } ?? film.map { try makeFilm(of: model, to: $0) } ?? ""
    if options.json { return Output.write(.record(("file", .string(path)))) }
    Output.write(tr("Saved “{path}”.", ["path": path]))
  }

  @MainActor
  private func drawPoster(of model: GardenModel, to file: String) throws -> String {
    guard var poster = TreePoster(path: file) else {
      throw Failure(.usage, tr("The name of the file must end in .svg, .png or .pdf."))
    }
    let settings = Settings()
    poster.theme = theme
    size?.apply(to: &poster)
    (poster.hasNames, poster.line) = (!noLabels, line)
    if !noCaption { poster.caption = model.posterCaption(name: model.userName(settings), day: on) }
    let usesSeasons = !noSeasons && settings.hasSeasons
    let ofDay = on.map { $0.seasonShare(isSouthern: model.garden.zone.isSouthern) } ?? model.posterSeason
    poster.yearShare = season?.yearShare ?? (usesSeasons ? ofDay : nil)
    try Files.write(poster.file(content(model, settings)), to: file, replacing: force)
    return file
  }

  @MainActor
  private func makeFilm(of model: GardenModel, to path: String) throws -> String {
    guard var film = LifeFilm(model.garden, through: model.garden.zone.dayKey(model.now)) else {
      throw Failure(.notAllowed, tr("The tree is too young for a film."))
    }
    (film.theme, film.hasSeasons) = (theme, !noSeasons && Settings().hasSeasons)
    defer { Output.showProgress("") }
    if path.hasSuffix("/") {
      mkdir(path, 0o700)
      try checkFrames(after: film.count, in: path)
      for frame in 0..<film.count {
        show(frame, of: film)
        try Files.write(film.png(frame), to: path + TreeCommand.name(ofFrame: frame), replacing: force)
      }
      return path
    }
    guard path.lowercased().hasSuffix(".webp") else {
      throw Failure(.usage, tr("The name of the film must end in .webp, or in / for a folder."))
    }
    try Files.check(path, replacing: force)
    do {
      try Files.write(film.webP { show($0, of: film) }, to: path, replacing: force)
    } catch WebPAnimation.Failure.noLibrary {
      throw Failure(.file, tr("A film needs libwebp. Install the package libwebp7."))
    }
    return path
  }

  private static func name(ofFrame frame: Int) -> String {
    let number = String(frame + 1)
    return String(repeating: "0", count: max(0, 4 - number.count)) + number + ".png"
  }

  /// The frames of a longer film in the folder would follow those of this one. They may also be the user's own
  /// pictures, so they aren't removed.
  private func checkFrames(after count: Int, in folder: String) throws {
    let path = folder + TreeCommand.name(ofFrame: count)
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    throw Failure(
      .file, tr("“{path}” would follow the last frame. Choose an empty folder.", ["path": Folders.displayed(path)]))
  }

  private func show(_ frame: Int, of film: LifeFilm) {
    Output.showProgress(tr("Frame {n} of {count}", ["n": "\(frame + 1)", "count": "\(film.count)"]))
  }

  @MainActor
  private func content(_ model: GardenModel, _ settings: Settings) throws -> TreeScene.Content {
    let today = model.garden.zone.dayKey(model.now)
    guard let on else {
      let isResting = !noSeasons && settings.restDays.contains(today)
      return TreeScene.Content(model.garden, at: model.now, isResting: isResting)
    }
    let life = Life(model.garden)
    guard on <= today else { throw Failure(.usage, tr("This day is in the future.")) }
    guard let first = life.firstDay, first <= on else {
      let first = Formats.day(life.firstDay ?? today)
      throw Failure(.usage, tr("The tree began on {date}.", ["date": first]))
    }
    return TreeScene.Content(life, on: on)
  }
}

extension Palette.Theme: ExpressibleByArgument {}
extension PosterSeason: ExpressibleByArgument {}
