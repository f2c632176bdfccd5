import ArgumentParser
import Localization
import TrunkKit
import TrunkModel
import TrunkPrint

/// What the book of whole years contains, and how it is printed.
struct YearBookOptions: ParsableArguments {
  @Flag(help: ArgumentHelp(tr("Write a book for each year into a folder. Years with few pages are joined.")))
  var volumes = false

  @Flag(
    help: ArgumentHelp(tr("For a print shop: a multiple of four pages, and a second file with the cover.")))
  var printShop = false

  @Flag(help: ArgumentHelp(tr("Two pages on each side of a sheet of twice the size, in sections of four sheets.")))
  var booklet = false

  @Option(
    help: ArgumentHelp(tr("Up to three lines at the beginning of the book of a year."), valueName: "text"))
  var dedication: String?

  @Option(help: ArgumentHelp(tr("The day of the tree on the cover; the last one by default."), valueName: "day"))
  var coverDay: Day?

  @Option(help: ArgumentHelp(tr("The sentence on the back of the cover; an empty one for none."), valueName: "text"))
  var backText: String?

  @Option(
    help: ArgumentHelp(tr("The thickness of a leaf in millimetres, for the spine; 0.11 by default."), valueName: "mm"))
  var leafThickness: Double?

  @Flag(help: ArgumentHelp(tr("Print harvests as lines instead of chapters.")))
  var noChapters = false

  @Flag(help: ArgumentHelp(tr("Leave out what you wrote on the same days in earlier years.")))
  var noEarlierYears = false

  @Flag(help: ArgumentHelp(tr("Print a drop for each watering without words.")))
  var withDrops = false

  /// The first option that only the book of whole years has; `nil` if none is given.
  var given: String? {
    let options: [(String, Bool)] = [
      ("--volumes", volumes), ("--print-shop", printShop), ("--booklet", booklet), ("--dedication", dedication != nil),
      ("--cover-day", coverDay != nil), ("--back-text", backText != nil), ("--leaf-thickness", leafThickness != nil),
      ("--no-chapters", noChapters), ("--no-earlier-years", noEarlierYears), ("--with-drops", withDrops),
    ]
    return options.first(where: \.1)?.0
  }

  var edition: BookEdition { printShop ? .printShop : booklet ? .booklet : .screen }

  func validate() throws {
    if booklet, printShop { throw ValidationError(tr("A print shop needs single pages, without --booklet.")) }
    if let leafThickness, !(0.01...2).contains(leafThickness) {
      throw ValidationError(tr("--leaf-thickness must be a number from 0.01 to 2."))
    }
    if leafThickness != nil, !printShop { throw ValidationError(tr("--leaf-thickness needs --print-shop.")) }
  }

  var choices: BookChoices {
    var choices = BookChoices()
    choices.dedication = (dedication ?? "").split(separator: "\\n").joined(separator: "\n")
    (choices.hasChapters, choices.hasEarlierYears) = (!noChapters, !noEarlierYears)
    (choices.hasSilence, choices.hasFlipTrees) = (withDrops, edition != .screen)
    (choices.coverDay, choices.quote) = (coverDay, backText)
    return choices
  }
}
