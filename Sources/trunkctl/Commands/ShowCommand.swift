import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: tr("Show a sprout and everything written about it."),
    discussion: Examples([("trunkctl show cello", tr("the whole story of one sprout"))]).text)

  @OptionGroup var options: CommonOptions

  @Argument(help: ArgumentHelp(tr("Part of the title, or the id.")), completion: .allSprouts)
  var sprout: String

  func run() async throws {
    let snapshot = try await options.snapshot()
    guard snapshot.model != nil else { throw Failure(.notFound, CommonOptions.noGardenYet) }
    let sprout = try snapshot.garden.sprout(named: sprout)
    let entries = try await snapshot.entries(of: snapshot.garden.waterings(of: sprout))
    if options.json {
      let records = entries.map { entry in
        JSON.record(
          ("timestamp", .instant(entry.item.time.instant)), ("content", .string(entry.text)),
          ("prompt", .text(entry.question)), ("hidden", entry.isHidden ? .bool(true) : nil))
      }
      return Output.write(
        .record(
          ("sprout", snapshot.garden.record(of: sprout, now: snapshot.now, hidden: snapshot.hidden)),
          ("entries", .array(records))))
    }
    Output.write(ShowCommand.lines(sprout, entries, snapshot))
  }
}

extension ShowCommand {
  /// In place of the words of a hidden entry.
  static var hiddenText: String { tr("(hidden on this computer)") }

  private static func lines(_ sprout: Sprout, _ entries: [TimelineEntry], _ snapshot: GardenSnapshot) -> [String] {
    let (garden, zone) = (snapshot.garden, snapshot.zone)
    var facts = [
      [tr("Twig"), garden.path(ofTwig: sprout.twigID)],
      [tr("Leaf"), garden.leaf(id: sprout.leafID)?.name ?? ""],
      [
        tr("Ground"),
        [Formats.season(sprout.season), Formats.ground(sprout.ground).lowercased()].joined(separator: ", "),
      ],
      [tr("Soil"), Formats.shortSoil(sprout.soilCost)],
      [tr("Planted"), Formats.date(sprout.plantedAt)],
    ]
    switch sprout.state {
    case .active:
      let left = garden.timeLeft(of: sprout, at: snapshot.now)
      facts.append([trc("noun", "Harvest"), Formats.date(sprout.harvestDue, in: zone) + " (" + left + ")"])
    case .completed(let harvest):
      let result = Formats.result(harvest.result).lowercased()
      facts.append([tr("Harvested"), Formats.date(harvest.at) + " (" + result + ")"])
    case .uprooted(let at, _): facts.append([tr("Uprooted"), Formats.date(at)])
    }
    facts += [
      [tr("Withering"), sprout.bloomWither ?? ""], [tr("Budding"), sprout.bloomBudding ?? ""],
      [tr("Flourishing"), sprout.bloomFlourish ?? ""], ["Id", sprout.shortID],
    ]
    var lines = [Output.safe(sprout.title)] + Table(rows: facts.filter { !$0[1].isEmpty }).lines()
    for entry in entries {
      lines += ["", Formats.dateAndTime(entry.item.time)]
      if let prompt = entry.question { lines += Output.paragraphs(prompt, indent: 4) }
      let placeholder = entry.isHidden ? hiddenText : tr("(without words)")
      lines += Output.paragraphs(entry.text.isEmpty ? placeholder : entry.text)
    }
    if let harvest = sprout.harvest, let reflection = harvest.reflection {
      let isHidden = snapshot.hidden.contains(harvest.seq)
      lines += ["", tr("Looking back")] + Output.paragraphs(isHidden ? hiddenText : reflection)
    }
    return lines
  }
}
