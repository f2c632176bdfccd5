import CairoKit
import Glibc
import PageFormats
import SpellKit
import TreePicture
import TrunkKit
import TrunkModel
import TrunkPrint

// Times the core on the events of a file and prints seconds as JSON: trunk-bench FILE RUNS
// Benchmarks/run compares them with the references.

let clock = ContinuousClock()
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "book" {
  do { try await measureBooks(CommandLine.arguments[2]) } catch { fail(error) }
  exit(0)
}
guard CommandLine.arguments.count == 3, let runs = Int(CommandLine.arguments[2]),
  let text = contents(of: CommandLine.arguments[1]), let zone = Zone.named("Europe/Berlin")
else {
  print("usage: trunk-bench FILE RUNS")
  exit(64)
}

var decode: [Double] = []
var derive: [Double] = []
var apply: [Double] = []
var picture: [Double] = []
var zoom: [Double] = []
var act: [Double] = []
var day: [Double] = []
var spell: [Double] = []
var pages: [Double] = []
do {
  for _ in 0..<runs {
    var events: [Event] = []
    decode.append(try seconds { events = try ExportFile.decodeEvents(text) })
    var garden = Garden(zone: zone)
    derive.append(seconds { garden = Garden(events, zone: zone) })

    draw(garden)
    play(in: garden)
    move(through: garden)
    try await checkSpelling(of: events)
    try readPages()

    // As in the program: the garden on screen stays unchanged while the next one is derived.
    guard let sprout = garden.sprouts.last(where: \.isActive), var instant = garden.lastKey?.instant else {
      continue
    }
    var projection = Projection(garden)
    for number in 0..<1000 {
      instant = Instant(milliseconds: instant.milliseconds + 60_000)
      let watering = Payload.SproutWatered(sproutID: sprout.id, content: "A line.", prompt: "A question?")
      let event = Event(
        .sproutWatered(watering), at: instant,
        clientID: Event.clientID(at: instant, random: UInt32(number)))
      let logged = LoggedEvent(seq: Int64(events.count + number), event: event)
      let shown = projection.garden
      apply.append(seconds { projection.advance([logged]) })
      precondition(projection.garden.eventCount == shown.eventCount + 1)
    }
  }
  print(
    "{\"picture\": \(picture), \"zoom\": \(zoom), \"act\": \(act), \"day\": \(day)",
    "\"spell\": \(spell), \"pages\": \(pages)",
    "\"decode\": \(decode), \"derive\": \(derive), \"apply\": \(apply)}", separator: ", ")
} catch {
  fail(error)
}

func fail(_ error: any Error) -> Never {
  print("trunk-bench: \(error)")
  exit(1)
}

/// Reads a journal of another program with 5,000 entries of 1,200 characters.
@MainActor func readPages() throws {
  let path = "/tmp/trunk-bench-\(getpid()).txt"
  guard let file = fopen(path, "w") else { return }
  defer { remove(path) }
  let text = String(repeating: "A loaf of bread, and the #river at four. ", count: 30)
  for number in 0..<5000 {
    let day = Day(number: Int32(12_000 + number))
    fputs("[\(day) 08:15] Entry \(number)\n\(text)\n\n", file)
  }
  fclose(file)
  pages.append(
    try seconds {
      let found = try PageReader.read(path, options: PageOptions(zone: Zone.named))
      precondition(found.pages.count == 5000)
    })
}

/// Paints the tree as the window does: when something has changed, and for a frame while the camera moves.
@MainActor func draw(_ garden: Garden) {
  guard let now = garden.lastKey?.instant else { return }
  let (width, height) = (1280.0, 900.0)
  var painted: Snapshot?
  picture.append(
    seconds {
      let scene = TreeScene(
        .init(garden, at: now), width: width, height: height, palette: Palette(.light, yearShare: 0.5),
        lettering: Lettering(), fontSize: 14)
      painted = Snapshot(width: width, height: height, scale: 1) { scene.paintTree(on: $0) }
    })
  _ = Snapshot(width: width, height: height, scale: 1) { cairo in
    for step in 0..<20 {
      zoom.append(seconds { painted?.show(on: cairo, x: -100, y: -80, scale: 1 + Double(step) / 10) })
    }
  }
}

/// Paints the frames of a reflection on a twig of the tree, after the first one, which paints what stays still.
@MainActor func play(in garden: Garden) {
  guard let now = garden.lastKey?.instant, let node = garden.sprouts.last?.node else { return }
  let (width, height, before) = (960.0, 640.0, TreeState(garden, at: now))
  var after = before
  if case .twig(let branch, let twig) = node {
    after.branches[branch].twigs[twig].suns.append(.init(seed: now.milliseconds, age: 0))
  }
  let stage = ActStage(
    .sun, from: before, to: after, twig: node, sproutID: nil, width: width, height: height,
    palette: Palette(.light, yearShare: 0.5))
  guard let stage else { return }
  let scene = ActScene(stage, width: width, height: height)
  _ = Snapshot(width: width, height: height, scale: 1) { cairo in
    scene.paint(on: cairo, at: 0)
    for step in 1..<20 { act.append(seconds { scene.paint(on: cairo, at: Double(step) * 60) }) }
  }
}

/// Derives the tree of days through the whole of its life.
@MainActor func move(through garden: Garden) {
  guard let first = Life.firstDay(of: garden), let now = garden.lastKey?.instant else { return }
  let length = first.distance(to: garden.zone.dayKey(now))
  let made = Life(garden)
  for number in 1...40 {
    let shown = first.adding(days: length * Int32(number) / 40)
    day.append(seconds { _ = made.state(on: shown) })
  }
}

/// Checks as much text as a journal entry can have, with a misspelt word in each line.
@MainActor func checkSpelling(of events: [Event]) async throws {
  var text = ""
  for case .sproutWatered(let watering) in events.lazy.map(\.payload) where text.count < 2000 {
    text += watering.content + " gardn\n"
  }
  text = String(text.prefix(2000))
  let checker = SpellChecker(languages: ["en_US"])
  // The first text loads the dictionary.
  guard await !checker.misspelt(in: "gardn").isEmpty else { throw MissingDictionary() }
  for _ in 0..<5 {
    let start = clock.now
    _ = await checker.misspelt(in: text)
    spell.append((clock.now - start) / .seconds(1))
  }
}

struct MissingDictionary: Error, CustomStringConvertible {
  let description = "the dictionary hunspell-en-us is missing"
}

func seconds(_ work: () throws -> Void) rethrows -> Double {
  try clock.measure(work) / .seconds(1)
}

func contents(of path: String) -> String? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var part = [UInt8](repeating: 0, count: 1 << 20)
  while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
  return String(decoding: bytes, as: UTF8.self)
}
