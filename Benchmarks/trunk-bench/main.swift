import Glibc
import TrunkKit
import TrunkModel

// Times the core on the events of a file and prints seconds as JSON: trunk-bench FILE RUNS
// Benchmarks/run compares them with the references.

guard CommandLine.arguments.count == 3, let runs = Int(CommandLine.arguments[2]),
  let text = contents(of: CommandLine.arguments[1]), let zone = Zone.named("Europe/Berlin")
else {
  print("usage: trunk-bench FILE RUNS")
  exit(64)
}

var decode: [Double] = []
var derive: [Double] = []
var apply: [Double] = []
let clock = ContinuousClock()
do {
  for _ in 0..<runs {
    var events: [Event] = []
    decode.append(try seconds { events = try ExportFile.decodeEvents(text) })
    var garden = Garden(zone: zone)
    derive.append(seconds { garden = Garden(events, zone: zone) })

    // As in the program: the garden on screen stays unchanged while the next one is derived.
    guard let sprout = garden.sprouts.last(where: \.isActive), var instant = garden.lastKey?.instant else {
      continue
    }
    var projection = Projection(garden)
    for number in 0..<1000 {
      instant = Instant(milliseconds: instant.milliseconds + 60_000)
      let watering = Content.SproutWatered(sproutID: sprout.id, content: "A line.", prompt: "A question?")
      let event = Event(
        .sproutWatered(watering), at: instant,
        clientID: Event.clientID(at: instant, random: UInt32(number)))
      let logged = LoggedEvent(seq: Int64(events.count + number), event: event)
      let shown = projection.garden
      apply.append(seconds { projection.advance([logged]) })
      precondition(projection.garden.eventCount == shown.eventCount + 1)
    }
  }
  print("{\"decode\": \(decode), \"derive\": \(derive), \"apply\": \(apply)}")
} catch {
  print("trunk-bench: \(error)")
  exit(1)
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
