import Foundation
import Garden
import GardenStore
import Gardening
import Sync
import Testing

@Suite struct TransferTests {
  @Test func exportsAndImportsEverything() throws {
    let (program, other) = (try Program(), try Program())
    try program.plant("Cello")
    _ = try program.json("water", "cello", "-m", "Long notes.")
    let file = program.home + "/garden.json"
    #expect(try program.run("export", file).output == "3 events are in “\(file)”.\n")
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(try JSON(text).number("version") == 4)

    let trial = try other.run("import", "--dry-run", file)
    #expect(trial.output == "3 events would be new.\n")
    #expect(other.files == [])
    #expect(try other.run("import", file).output == "3 events are new.\n")
    #expect(try other.run("import", file).output == "0 events are new.\n3 were there already.\n")
    let again = try other.json("import", "--dry-run", file)
    #expect(again.number("new") == 0)
    #expect(again.number("duplicates") == 3)
    #expect(again.at("dryRun") == .bool(true))
    let events = { (answer: Program.Answer) in try ExportFile.decode(answer.output).map(\.raw) }
    #expect(try events(program.run("export", "-")) == events(other.run("export", "-")))
  }

  @Test func aMissingGardenIsNotAnEmptyGarden() throws {
    let program = try Program()
    try program.plant("Cello")
    _ = try program.json("backup")
    let files = FileManager.default
    for name in try files.contentsOfDirectory(atPath: program.garden) where name.hasPrefix("garden.db") {
      try files.removeItem(atPath: program.garden + "/" + name)
    }
    let before = program.files.filter { !$0.hasPrefix(".") }
    let plant = ["plant", "Oboe", "--twig", "voice/practice"]
    for arguments in [
      [], ["status", "--json"], ["list"], ["doctor"], plant, ["import", "-"], ["backup"], ["export", "-"],
    ] {
      let answer = try program.start(arguments, input: #"{"events":[],"version":4}"#).answer()
      #expect(answer.code == 4, "\(arguments)")
      #expect(answer.output == "" && answer.complaint.contains("is missing"), "\(arguments)")
      #expect(answer.complaint.contains("trunkctl doctor --restore-backup"), "\(arguments)")
    }
    #expect(program.files.filter { !$0.hasPrefix(".") } == before)
    let doctor = try program.run("doctor", "--json")
    #expect(doctor.code == 4)
    #expect(try doctor.json().at("missing") == .bool(true))
    #expect(try program.run("doctor", "--restore-backup", "--start-over").code == 2)
    #expect(try program.run("doctor", "--restore-backup").output.hasPrefix("2 entries were restored.\n"))
    #expect(try program.run("list").output.contains("Cello"))
    #expect(try program.run("doctor", "--start-over").code == 1)
    #expect(try program.run("list").output.contains("Cello"))
  }

  @Test func importKeepsTheTextThatIsHereAndShowsBoth() throws {
    let program = try Program()
    try program.plant("Cello")
    _ = try program.json("water", "cello", "-m", "my words")
    let export = try program.run("export", "-").output
    let file = "\u{FEFF}" + export.replacingOccurrences(of: "my words", with: "AAAA")
    for arguments in [["import", "-", "--dry-run", "--json"], ["import", "-", "--json"]] {
      let answer = try program.start(arguments, input: file).answer().json()
      #expect(answer.number("new") == 0 && answer.number("duplicates") == 2 && answer.number("conflicts") == 1)
      let conflict = try #require(answer.at("conflicting")?.elements?.first)
      #expect(conflict["here"]?["content"]?.text == "my words" && conflict["file"]?["content"]?.text == "AAAA")
    }
    let words = try program.start(["import", "-"], input: file).answer().output
    #expect(words.contains("1 is here with a different text") && words.contains("my words") && words.contains("AAAA"))
    #expect(try program.run("export", "-").output.contains(#""content": "my words""#))
    let log = try program.json("log", "--superseded").at("superseded")?.elements
    #expect(log?.count == 1 && log?.first?["event"]?["content"]?.text == "AAAA")
    #expect(try program.run("log", "--superseded").output.contains("AAAA"))
    #expect(try program.run("log", "--superseded", "--limit", "1").code == 2)
    #expect(try program.json("doctor").number("superseded") == 1)
    let derive = ["derive", "--events", "-", "--now", "2026-01-01T00:00:00Z", "--time-zone", "Etc/UTC"]
    #expect(try program.start(derive, input: file).answer().code == 0)
  }

  @Test func namesAnExportAfterTheTime() throws {
    let program = try Program()
    try program.plant("Cello")
    let file = try #require(try program.json("export").text("file"))
    #expect(file.hasPrefix("trunk-20") && file.hasSuffix(".json"))
    #expect(program.files.contains(file))
  }

  @Test func keepsWhatItDoesNotUnderstand() throws {
    let program = try Program()
    let input = """
      {"version":1,"events":[{"type":"moon_rose","timestamp":"2026-01-01T00:00:00Z"},{"type":"sprout_planted"},
      {"type":"leaf_created","leafId":"leaf-1","twigId":"branch-0-twig-0","name":"A","timestamp":"2026-01-01T00:00:00Z"}]}
      """
    for arguments in [["import", "-", "--dry-run", "--json"], ["import", "-", "--json"]] {
      let json = try program.start(arguments, input: input).answer().json()
      #expect(json.number("new") == 3)
      #expect(json.number("unknown") == 1)
      #expect(json.number("malformed") == 1)
    }
    #expect(
      try program.run("import", "-", input: input).output == """
        0 events are new.
        3 were there already.
        1 is of a kind that this version does not know. It is kept.
        1 is not as it should be. It is kept and has no effect.

        """)
    #expect(try program.json("status").number("ignored") == 2)
    #expect(try program.run("export", "-").output.contains("moon_rose"))
  }

  @Test(arguments: [
    ("", "is not JSON"), ("{", "is not JSON"), ("{\"version\":4}", "has no list of events"),
    ("{\"version\":7,\"events\":[]}", "of version 7"), ("{\"events\":[]}", "of version ?"), ("[[]]", "is not an event"),
  ])
  func refusesWhatIsNoExportFile(input: String, complaint: String) throws {
    let program = try Program()
    let answer = try program.run("import", "-", input: input)
    #expect(answer.code == 5)
    #expect(answer.output == "")
    #expect(answer.complaint.contains(complaint))
    #expect(program.files == [])
  }

  @Test func saysWhyAFileCannotBeUsed() throws {
    let program = try Program()
    #expect(
      try program.run("import", "missing.json").complaint
        == "“missing.json” can’t be read: No such file or directory.\n")
    #expect(try program.run("import", program.home).code == 5)
    try Data([0x7B, 0xFF, 0xFE]).write(to: URL(fileURLWithPath: program.home + "/latin.json"))
    let latin = try program.run("import", "latin.json")
    #expect(latin.code == 5)
    #expect(latin.complaint == "“latin.json” is not text in UTF-8.\n")
    try program.plant("Cello")
    #expect(try program.run("export", "/nowhere/at/all.json").code == 5)
  }

  @Test func backsUpAndLooksAtItself() throws {
    let program = try Program()
    try program.plant("Cello")
    let file = try #require(try program.json("backup").text("file"))
    #expect(file.hasPrefix(program.garden + "/backups/trunk-"))
    #expect(try ExportFile.decode(String(contentsOfFile: file, encoding: .utf8)).count == 2)
    let other = try #require(try program.json("backup", "--to", program.home + "/stick").text("file"))
    #expect(other.hasPrefix(program.home + "/stick/"))
    #expect(try program.run("backup", "--to", "/proc/nowhere").code == 4)

    let doctor = try program.run("doctor")
    #expect(doctor.code == 0)
    #expect(doctor.lines.contains("Events          2"))
    #expect(doctor.lines.contains("Texts           sound"))
    let json = try program.json("doctor")
    #expect(json.at("sound") == .bool(true))
    #expect(json.number("unsent") == 2)
    #expect(json.text("folder") == program.garden)
  }

  @Test func anUnusableStoreIsNamed() throws {
    let program = try Program()
    try "".write(toFile: program.home + "/data", atomically: false, encoding: .utf8)
    let answer = try program.run("plant", "x", "--twig", "core/sport")
    #expect(answer.code == 4)
    #expect(answer.output == "")
    #expect(!answer.complaint.isEmpty)
  }

  @Test func theOutboxIsComplete() async throws {
    let program = try Program()
    let userID = "6f0a1c86-8b3e-4d5a-9d0e-1f2a3b4c5d6e"
    let folder = program.home + "/data/trunk"
    let configuration = try ServerConfiguration(backend: .trunk, url: "http://127.0.0.1:1", key: "")
    try CurrentAccount(folder: folder).save(
      SignedInAccount(account: Account(server: configuration.url, userID: userID), configuration: configuration))
    let store = try await GardenStore.open(folder: folder + "/" + userID)
    let events = (0..<1203).map { number in
      let content = String(repeating: "ü", count: number)
      return Event(
        .sproutWatered(.init(sproutID: "s", content: content, prompt: nil)), at: Program.daysAgo(1),
        clientID: "event-\(number)")
    }
    _ = try await store.append(events)
    let entries = try await store.outbox(now: Program.daysAgo(0), limit: 2000)
    try await store.quarantine(entries[7], answer: "400 22P05: words")
    // A rejected entry has an exit code of its own.
    let answer = try program.run("outbox", "--json")
    #expect(answer.code == 8 && answer.complaint.contains("The server rejected 1 entry."))
    let outbox = try #require(try answer.json().at("outbox")?.elements)
    #expect(outbox.count == 1203)
    #expect(
      outbox.compactMap { $0.number("bytes") }.reduce(0, +) == Double(events.reduce(0) { $0 + $1.raw.utf8.count }))
    let refused = try #require(outbox.last)
    #expect(refused.text("clientId") == "event-7" && refused.text("answer") == "400 22P05: words")
    #expect(refused.at("refused") == .bool(true) && refused.number("attempts") == 1)
    #expect(try program.run("outbox").lines.count == 1203)
  }

  @Test func keepsTheDraftOfTheWindow() async throws {
    let program = try Program()
    let id = try program.plant("Cello")
    let gardener = try await Gardener.open(folder: program.garden)
    try await gardener.keepDraft("Begun in the window", .water, about: id)
    _ = try program.json("water", "cello", "-m", "Written here.")
    #expect(try await gardener.draft(.water, about: id) == "Begun in the window")
    try await gardener.catchUp()
    let (garden, now) = await (gardener.garden, gardener.now)
    #expect(garden.waterLeft(at: now) == 2, "the window sees what was written")
  }
}

@Suite struct TwoProgramsTests {
  @Test func writeAtOnce() throws {
    let program = try Program()
    let titles = (1...8).map { "Idea number \($0)" }
    let started = try titles.map { try program.start(["seed", $0, "--twig", "heart/joy"]) }
    for one in started {
      let answer = try one.answer()
      #expect(answer.code == 0, "\(answer.complaint)")
    }
    let kept = try program.json("list", "--seedlings")["seedlings"]?.elements?.compactMap { $0.text("title") } ?? []
    #expect(kept.sorted() == titles)
    #expect(try program.json("doctor").at("sound") == .bool(true))
  }

  @Test func makeOneEntryOutOfTwo() throws {
    let program = try Program()
    try program.plant("Cello")
    let started = try ["one", "two"].map { try program.start(["water", "cello", "-m", $0]) }
    let codes = try started.map { try $0.answer().code }.sorted()
    // Both may have looked before either wrote; then both entries are kept.
    #expect(codes == [0, 1] || codes == [0, 0])
    #expect(try program.json("show", "cello")["entries"]?.elements?.count == codes.filter { $0 == 0 }.count)
  }
}

@Suite struct DemoTests {
  @Test func writesIntoAnEmptyStoreOnly() throws {
    let program = try Program()
    let written = try program.run("demo", "--years", "1", "--into-store")
    #expect(written.code == 0)
    let status = try program.json("status")
    #expect(status.at("ready")?.elements?.count == 1)
    #expect(status.at("wateredToday")?.elements?.count == 1)
    #expect(status.at("due")?.elements?.count == 3, "two that grow, and the ready one")
    #expect(status.number("sun.left") == 1)
    #expect(status.number("water.left") == 2)
    #expect(status.number("streak.current") == 12)
    let again = try program.run("demo", "--years", "1", "--into-store")
    #expect(again.code == 1)
    #expect(again.complaint.contains("There is a garden already."))
  }

  @Test func isTheSameForTheSameSeed() throws {
    let program = try Program()
    func demo(_ seed: String) throws -> String {
      try program.run("demo", "--years", "1", "--seed", seed, "--now", "2026-11-21T09:00:00Z", "--to", "-").output
    }
    #expect(try demo("7") == demo("7"))
    #expect(try demo("7") != demo("8"))
    #expect(program.files == [])
  }

  @Test(arguments: [
    ["demo"], ["demo", "--years", "3"], ["demo", "--years", "0", "--to", "-"], ["demo", "--years", "x", "--to", "-"],
    ["demo", "--years", "1", "--to", "-", "--into-store"], ["demo", "--years", "1", "--events", "0", "--to", "-"],
    ["demo", "--years", "1", "--now", "noon", "--to", "-"],
  ])
  func asksForWhatItNeeds(arguments: [String]) throws {
    let program = try Program()
    let answer = try program.start(arguments).answer()
    #expect(answer.code == 2)
    #expect(answer.output == "")
    #expect(program.files == [])
  }
}
