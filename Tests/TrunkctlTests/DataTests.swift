import EventStore
import Foundation
import Glibc
import SyncEngine
import TestSupport
import Testing
import TrunkAccount
import TrunkKit
import TrunkModel

@Suite struct TransferTests {
  @Test func pagesThatCannotBeReadAreCounted() throws {
    let program = try BuiltProgram()
    let journal =
      #"{"format":"jrnl","name":"notes","importedAt":"2026-01-01T00:00:00.000Z","pages":["#
      + #"{"date":"2020-01-02","id":"a","text":"Snow"},{"date":"2020","id":"b","text":"Rain"},{"id":"c"},"#
      + #"{"date":"2020-01-04","id":"d","text":5}]}"#
    let file = program.home + "/pages.trunk.json"
    let text = #"{"version":4,"events":[],"earlierJournals":[\#(journal),{"pages":[{},{}]}]}"#
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    let lines = "1 earlier page is new.\n5 earlier pages can’t be read and are left out.\n"
    #expect(try program.run("import", "--dry-run", file).output == "0 events would be new.\n" + lines)
    #expect(try program.json("import", "--dry-run", file).number("unreadablePages") == 5)
    #expect(try program.run("import", file).output == "0 events are new.\n" + lines)
  }

  @Test func exportsAndImportsEverything() throws {
    let (program, other) = (try BuiltProgram(), try BuiltProgram())
    try program.plant("Cello")
    _ = try program.json("water", "cello", "-m", "Long notes.")
    let file = program.home + "/garden.json"
    #expect(try program.run("export", file).output == "Wrote 3 events to “\(file)”.\n")
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(try JSON(text).number("version") == 4)

    let trial = try other.run("import", "--dry-run", file)
    #expect(trial.output == "3 events would be new.\n")
    #expect(other.files == [])
    #expect(try other.run("import", file).output == "3 events are new.\n")
    #expect(try other.run("import", file).output == "0 events are new.\n3 were already in the garden.\n")
    let again = try other.json("import", "--dry-run", file)
    #expect(again.number("new") == 0)
    #expect(again.number("duplicates") == 3)
    #expect(again.at("dryRun") == .bool(true))
    let events = { (outcome: BuiltProgram.Outcome) in try ExportFile.decode(outcome.output).map(\.raw) }
    #expect(try events(program.run("export", "-")) == events(other.run("export", "-")))
  }

  @Test func anImportHasALimit() throws {
    let program = try BuiltProgram()
    let file = program.home + "/large.json"
    try Data().write(to: URL(fileURLWithPath: file))
    #expect(truncate(file, off_t(GardenModel.largestText) + 1) == 0)
    let outcome = try program.run("import", file)
    #expect(outcome.code == 5)
    #expect(
      outcome.errorOutput
        == "“\(file)” is larger than 1 GiB, the most that Trunk reads from a file. Nothing was changed.\n")
    #expect(program.files.filter { $0.hasPrefix("data") } == [])
  }

  @Test(.enabled(if: canMount, "needs the right to mount")) func aFullDiskCanBeRead() throws {
    let program = try BuiltProgram()
    let data = program.home + "/data"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    #expect(mount("tmpfs", data, "tmpfs", 0, "size=4m") == 0)
    defer { umount(data) }
    try program.plant("Cello")
    fillDisk(with: data + "/rest")
    let file = program.home + "/rescued.json"
    for arguments in [
      ["status"], ["list"], ["show", "cello"], ["log"], ["search", "cello"], ["doctor"], ["export", file],
      ["backup", "--to", program.home],
    ] {
      let outcome = try program.start(arguments).outcome()
      #expect(outcome.code == 0, "\(arguments): \(outcome.errorOutput)")
      #expect(
        outcome.errorOutput == "The disk is full. You can read your journal. To write, free some space.\n",
        "\(arguments)")
    }
    #expect(try ExportFile.decode(String(contentsOfFile: file, encoding: .utf8)).count == 2)
    let outcome = try program.run("plant", "Oboe", "--twig", "voice/practice")
    #expect(outcome.code == 4 && outcome.errorOutput.contains("The disk is full. Nothing was lost"))
    unlink(data + "/rest")
    try program.plant("Oboe")
    #expect(try program.json("list").at("sprouts")?.elements?.count == 2)
  }

  @Test(.enabled(if: canMount, "needs the right to mount"))
  func theOutboxCanBeReadOnAFullDisk() async throws {
    let program = try BuiltProgram()
    let data = program.home + "/data"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    #expect(mount("tmpfs", data, "tmpfs", 0, "size=4m") == 0)
    defer { umount(data) }
    do {
      let event = Event(
        .sproutWatered(.init(sproutID: "s", content: "words", prompt: nil)), at: BuiltProgram.daysAgo(1),
        clientID: "event")
      _ = try await signedInStore(program).append([event])
    }
    fillDisk(with: data + "/rest")
    let file = program.home + "/rescued.json"
    for arguments in [["outbox"], ["outbox", "--json"], ["outbox", "--export", file]] {
      let outcome = try program.start(arguments).outcome()
      #expect(outcome.code == 0, "\(arguments): \(outcome.errorOutput)")
      #expect(outcome.output.contains(arguments.contains("--json") ? "\"pending\": 1" : "not sent"), "\(arguments)")
    }
    #expect(try ExportFile.decode(String(contentsOfFile: file, encoding: .utf8)).count == 1)
    #expect(try program.run("outbox", "--retry").code == 4)
  }

  @Test func aMissingGardenIsNotAnEmptyGarden() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    _ = try program.json("backup")
    let files = FileManager.default
    func removeGarden() throws {
      for name in try files.contentsOfDirectory(atPath: program.garden) where name.hasPrefix("garden.db") {
        try files.removeItem(atPath: program.garden + "/" + name)
      }
    }
    try removeGarden()
    let before = program.files.filter { !$0.hasPrefix(".") }
    let plant = ["plant", "Oboe", "--twig", "voice/practice"]
    for arguments in [
      [], ["status", "--json"], ["list"], ["doctor"], plant, ["import", "-"], ["backup"], ["export", "-"],
    ] {
      let outcome = try program.start(arguments, input: #"{"events":[],"version":4}"#).outcome()
      #expect(outcome.code == 4, "\(arguments)")
      #expect(outcome.output == "" && outcome.errorOutput.contains("is missing"), "\(arguments)")
      #expect(outcome.errorOutput.contains("trunkctl doctor --restore-backup"), "\(arguments)")
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

    let backups = program.files.filter { $0.contains("backups/") }
    try removeGarden()
    #expect(
      try program.run("doctor", "--start-over").output
        .hasPrefix("Started an empty garden. Backups and damaged files are still there.\n"))
    #expect(try !program.run("list").output.contains("Cello"))
    #expect(!backups.isEmpty && Set(program.files).isSuperset(of: backups))
    try removeGarden()
    let started = try program.run("doctor", "--start-over", "--json")
    #expect(try started.json().at("sound") == .bool(true) && started.json().number("events") == 0)
    #expect(started.errorOutput.components(separatedBy: "This garden is empty, but it has backups").count == 2)
  }

  /// The file of another computer, kept by a service that syncs the folder, is named, shown and merged.
  @Test func aConflictedCopyIsNamedAndMerged() throws {
    let (program, other) = (try BuiltProgram(), try BuiltProgram())
    try program.plant("Cello")
    try FileManager.default.createDirectory(atPath: other.home + "/data", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: program.home + "/data/trunk", toPath: other.home + "/data/trunk")
    _ = try program.json("seed", "here", "--twig", "voice/practice")
    _ = try other.json("seed", "there 1", "--twig", "voice/practice")
    _ = try other.json("seed", "there 2", "--twig", "voice/practice")
    let copy = program.garden + "/garden (Ada's conflicted copy).db"
    try FileManager.default.copyItem(atPath: other.garden + "/garden.db", toPath: copy)

    let status = try program.run("status")
    #expect(status.code == 0 && status.errorOutput.contains("“garden (Ada's conflicted copy).db”"))
    #expect(try program.run("doctor").output.contains("conflicted copy"))
    #expect(try program.json("doctor").at("otherGardens") == .array([.string(copy)]))
    let trial = try program.run("import", "--dry-run", copy)
    #expect(trial.output.hasPrefix("2 events would be new.\n2 were already in the garden.\n"), "\(trial)")
    #expect(trial.output.contains("there 1") && FileManager.default.fileExists(atPath: copy))
    let merged = try program.json("import", copy)
    let target = program.garden + "/merged/garden (Ada's conflicted copy).db"
    #expect(merged.number("new") == 2 && merged.at("movedTo") == .string(target))
    let seedlings = try program.run("list", "--seedlings").output
    #expect(["here", "there 1", "there 2"].allSatisfy(seedlings.contains))
    #expect(!FileManager.default.fileExists(atPath: copy) && FileManager.default.fileExists(atPath: target))
    #expect(try program.run("status").errorOutput == "")
    // A file that is not in the garden's folder stays.
    #expect(try program.json("import", other.garden + "/garden.db").number("new") == 0)
    #expect(FileManager.default.fileExists(atPath: other.garden + "/garden.db"))
  }

  /// An event can't be removed, so one that is too large is refused, from whatever file it comes.
  @Test func aMergeHasTheLimitsOfAnImport() async throws {
    let (program, other) = (try BuiltProgram(), try BuiltProgram())
    let large = #"{"type":"moon_rose","x":"\#(String(repeating: "x", count: ExportFile.largestEvent))"}"#
    _ = try await EventStore.open(folder: other.garden).importEvents([Event(json: large)])
    for arguments in [["import"], ["import", "--dry-run"]] {
      let outcome = try program.start(arguments + [other.garden + "/garden.db"]).outcome()
      #expect(outcome.code == 5 && outcome.errorOutput.contains("(moon_rose) takes"), "\(outcome)")
    }
    #expect(try program.json("status").number("events") == 0)
  }

  /// With an account, what is new is sent at once, like every other entry.
  @Test func aMergeIsSent() async throws {
    let (program, other) = (try BuiltProgram(), try BuiltProgram())
    try other.plant("Cello")
    _ = try await signedInStore(program)
    let merged = try program.run("import", other.garden + "/garden.db", "--json")
    // It tries: there is no server at its address, and perhaps no keyring.
    #expect(merged.code == 0 && merged.errorOutput.hasPrefix("Not sent yet: "))
    #expect(try merged.json().number("new") == 2 && merged.json().at("sent") == .bool(false))
    #expect(try program.json("import", "--dry-run", other.garden + "/garden.db").at("sent") == nil)
  }

  /// A half-synced copy is merged as far as it can be read, stays, and is not named again until it changes.
  @Test func aDamagedCopySaysSo() throws {
    let (program, other) = (try BuiltProgram(), try BuiltProgram())
    try program.plant("Cello")
    try other.importEvents(
      (1...600).map { number in
        let instant = BuiltProgram.daysAgo(Double(number))
        return Event(
          .sproutWatered(.init(sproutID: "sprout", content: "idea \(number)", prompt: nil)), at: instant,
          clientID: Event.clientID(at: instant, random: UInt32(number)))
      })
    let copy = program.garden + "/garden (Ada's conflicted copy).db"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: other.garden + "/garden.db"))
    try bytes.prefix(bytes.count / 8192 / 2 * 8192).write(to: URL(fileURLWithPath: copy))
    let trial = try program.run("import", "--dry-run", copy)
    #expect(trial.code == 0 && trial.output.contains("is damaged. "), "\(trial)")
    #expect(trial.output.contains("parts of it can’t be read"))
    let damage = try program.json("import", "--dry-run", copy).at("damage")
    let read = try #require(damage?.number("read"))
    #expect(read > 0 && read < 600 && damage?.number("unreadable") == 600 - read)
    #expect(try program.run("status").errorOutput.contains("conflicted copy"))
    let merged = try program.run("import", copy)
    #expect(merged.output.contains("is damaged. ") && merged.output.contains("\(Int(read)) events are new."))
    #expect(FileManager.default.fileExists(atPath: copy))
    #expect(try program.run("status").errorOutput == "")
    try bytes.write(to: URL(fileURLWithPath: copy))
    #expect(try program.run("status").errorOutput.contains("conflicted copy"))
    #expect(try program.json("import", copy).number("new") == 600 - read)
    #expect(!FileManager.default.fileExists(atPath: copy))
    for size in [0, 16, 100] {
      try bytes.prefix(size).write(to: URL(fileURLWithPath: copy))
      let outcome = try program.run("import", "--dry-run", copy)
      #expect(outcome.code == 5 && outcome.errorOutput.contains("nothing in it can be read"), "\(outcome)")
    }
  }

  @Test func importKeepsTheLocalTextAndShowsBoth() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    _ = try program.json("water", "cello", "-m", "my words")
    let export = try program.run("export", "-").output
    let file = "\u{FEFF}" + export.replacingOccurrences(of: "my words", with: "AAAA")
    for arguments in [["import", "-", "--dry-run", "--json"], ["import", "-", "--json"]] {
      let outcome = try program.start(arguments, input: file).outcome().json()
      #expect(outcome.number("new") == 0 && outcome.number("duplicates") == 2 && outcome.number("conflicts") == 1)
      let conflict = try #require(outcome.at("conflicting")?.elements?.first)
      #expect(conflict["here"]?["content"]?.text == "my words" && conflict["file"]?["content"]?.text == "AAAA")
    }
    let output = try program.start(["import", "-"], input: file).outcome().output
    #expect(
      output.contains("1 is in the garden with a different text") && output.contains("my words")
        && output.contains("AAAA")
    )
    #expect(try program.run("export", "-").output.contains(#""content": "my words""#))
    let log = try program.json("log", "--superseded").at("superseded")?.elements
    #expect(log?.count == 1 && log?.first?["event"]?["content"]?.text == "AAAA")
    #expect(try program.run("log", "--superseded").output.contains("AAAA"))
    #expect(try program.run("log", "--superseded", "--limit", "1").code == 2)
    #expect(try program.json("doctor").number("superseded") == 1)
    let derive = ["derive", "--events", "-", "--now", "2026-01-01T00:00:00Z", "--time-zone", "Etc/UTC"]
    #expect(try program.start(derive, input: file).outcome().code == 0)
  }

  @Test func namesAnExportAfterTheTime() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let file = try #require(try program.json("export").text("file"))
    #expect(file.hasPrefix("trunk-20") && file.hasSuffix(".trunk.json"))
    #expect(program.files.contains(file))
  }

  @Test func keepsUnknownEvents() throws {
    let program = try BuiltProgram()
    let input = """
      {"version":1,"events":[{"type":"moon_rose","timestamp":"2026-01-01T00:00:00Z"},{"type":"sprout_planted"},
      {"type":"leaf_created","leafId":"leaf-1","twigId":"branch-0-twig-0","name":"A","timestamp":"2026-01-01T00:00:00Z"}]}
      """
    for arguments in [["import", "-", "--dry-run", "--json"], ["import", "-", "--json"]] {
      let json = try program.start(arguments, input: input).outcome().json()
      #expect(json.number("new") == 3)
      #expect(json.number("unknown") == 1)
      #expect(json.number("malformed") == 1)
    }
    #expect(
      try program.run("import", "-", input: input).output == """
        0 events are new.
        3 were already in the garden.
        1 is not understood by this version. It is kept.
        1 is invalid. It is kept and has no effect.

        """)
    #expect(try program.json("status").number("ignored") == 2)
    #expect(try program.run("export", "-").output.contains("moon_rose"))
  }

  @Test(arguments: [
    ("", "is not JSON"), ("{", "is not JSON"), ("{\"version\":4}", "has no list of events"),
    ("{\"version\":7,\"events\":[]}", "format version 7"), ("{\"events\":[]}", "has no format version"),
    ("[[]]", "is not an event"),
  ])
  func rejectsFilesThatAreNotExports(input: String, errorOutput: String) throws {
    let program = try BuiltProgram()
    let outcome = try program.run("import", "-", input: input)
    #expect(outcome.code == 5)
    #expect(outcome.output == "")
    #expect(outcome.errorOutput.contains(errorOutput))
    #expect(program.files == [])
  }

  @Test func explainsWhyAFileCannotBeUsed() throws {
    let program = try BuiltProgram()
    #expect(
      try program.run("import", "missing.json").errorOutput
        == "“missing.json” can’t be read: No such file or directory.\n")
    #expect(try program.run("import", program.home).code == 5)
    try Data([0x7B, 0xFF, 0xFE]).write(to: URL(fileURLWithPath: program.home + "/latin.json"))
    let latin = try program.run("import", "latin.json")
    #expect(latin.code == 5)
    #expect(latin.errorOutput == "“latin.json” is not UTF-8 text.\n")
    try program.plant("Cello")
    #expect(try program.run("export", "/nowhere/at/all.json").code == 5)
  }

  @Test func backsUpAndChecksTheStore() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let file = try #require(try program.json("backup").text("file"))
    #expect(file.hasPrefix(program.garden + "/backups/trunk-"))
    #expect(try ExportFile.decode(String(contentsOfFile: file, encoding: .utf8)).count == 2)
    let other = try #require(try program.json("backup", "--to", program.home + "/stick").text("file"))
    #expect(other.hasPrefix(program.home + "/stick/"))
    #expect(try program.run("backup", "--to", "/proc/nowhere").code == 4)
    #expect(try program.run("backup", "--to", "").code == 2)

    let doctor = try program.run("doctor")
    #expect(doctor.code == 0)
    #expect(doctor.lines.contains("Events          2"))
    #expect(doctor.lines.contains("Texts           sound"))
    let json = try program.json("doctor")
    #expect(json.at("sound") == .bool(true))
    #expect(json.number("unsent") == 2)
    #expect(json.text("folder") == program.garden)
  }

  @Test func aBackupWithoutEntriesIsNotMentioned() throws {
    let program = try BuiltProgram()
    #expect(try program.run("import", "-", input: #"{"events":[],"version":4}"#).code == 0)
    let file = try #require(try program.json("backup").text("file"))
    #expect(try program.run("list").errorOutput == "")
    // An unreadable backup may have entries.
    try "{".write(toFile: file, atomically: false, encoding: .utf8)
    #expect(try program.run("list").errorOutput.contains("This garden is empty, but it has backups"))
  }

  /// Otherwise, the garden would be another one in each working directory.
  @Test func relativeFoldersInTheEnvironmentAreIgnored() throws {
    let program = try BuiltProgram()
    for variables in [["XDG_DATA_HOME": "data"], ["XDG_DATA_HOME": ""]] {
      let outcome = try program.run("seed", "Oboe", "--twig", "voice/practice", environment: variables)
      #expect(outcome.code == 0, "\(outcome.errorOutput)")
    }
    #expect(program.files.contains(".local/share/trunk/local/garden.db"))
    #expect(!program.files.contains("data/trunk"))
    let list = try program.run("seedling", "list", "--json", environment: ["XDG_DATA_HOME": "./x"])
    #expect(try list.json().at("seedlings")?.elements?.count == 2)
  }

  @Test func anUnusableStoreIsNamed() throws {
    let program = try BuiltProgram()
    try "".write(toFile: program.home + "/data", atomically: false, encoding: .utf8)
    let outcome = try program.run("plant", "x", "--twig", "core/sport")
    #expect(outcome.code == 4)
    #expect(outcome.output == "")
    #expect(!outcome.errorOutput.isEmpty)
  }

  /// The existing file may be the only export.
  @Test func aFileIsReplacedOnlyWithForce() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let file = program.home + "/garden.json"
    for (command, arguments) in [("export", [file]), ("demo", ["--years", "1", "--to", file])] {
      try "words".write(toFile: file, atomically: false, encoding: .utf8)
      let rejected = try program.start([command] + arguments).outcome()
      #expect(rejected.code == 1 && rejected.output == "")
      #expect(rejected.errorOutput == "“\(file)” already exists. Nothing was written. Use --force to replace it.\n")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "words")
      #expect(try program.start([command, "--force"] + arguments).outcome().code == 0)
      #expect(try JSON(String(contentsOfFile: file, encoding: .utf8)).number("version") == 4)
    }
    // A dangling link counts as an existing file.
    let link = program.home + "/link.json"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: program.home + "/nowhere")
    #expect(try program.run("export", link).code == 1)
    #expect(try program.run("export", "--force", "-").code == 0)
    let dangling = try program.run("export", "--force", link)
    #expect(dangling.code == 5)
    #expect(
      dangling.errorOutput
        == "“\(link)” can’t be written: it is a link to “\(program.home)/nowhere”, which does not exist.\n")
  }

  @Test func aFileIsReplacedThroughALink() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    try FileManager.default.createDirectory(atPath: program.home + "/cloud", withIntermediateDirectories: true)
    let (file, link) = (program.home + "/cloud/garden.json", program.home + "/link.json")
    try "words".write(toFile: file, atomically: false, encoding: .utf8)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "cloud/garden.json")
    #expect(try program.run("export", "--force", link).code == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "cloud/garden.json")
    #expect(try JSON(String(contentsOfFile: file, encoding: .utf8)).number("version") == 4)
    // A link to the garden must not be the way around the protection of Trunk's own folders.
    let toGarden = program.home + "/garden.json"
    try FileManager.default.createSymbolicLink(atPath: toGarden, withDestinationPath: program.garden + "/garden.db")
    let rejected = try program.run("export", "--force", toGarden)
    #expect(rejected.code == 5 && rejected.errorOutput.contains("is where Trunk keeps your garden"))
    #expect(try program.json("doctor").at("sound") == .bool(true))
  }

  @Test func aFileThatIsCompressedIsNamed() throws {
    let program = try BuiltProgram()
    let file = program.home + "/garden.json"
    for (start, command) in [
      ([0x1F, 0x8B, 8, 0], "gunzip"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 0xFF], "unxz"),
      ([0x28, 0xB5, 0x2F, 0xFD], "unzstd"),
    ] as [([UInt8], String)] {
      try Data(start).write(to: URL(fileURLWithPath: file))
      let outcome = try program.run("import", file)
      #expect(outcome.code == 5)
      #expect(
        outcome.errorOutput
          == "“\(file)” is compressed. Decompress it first, for example with the command “\(command)”.\n")
    }
  }

  @Test func aBackupWithoutItsDiskSaysSo() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let outcome = try program.run("backup", "--to", program.home + "/media/stick")
    #expect(outcome.code == 5)
    #expect(outcome.errorOutput.hasPrefix("The folder “\(program.home)/media/stick” does not exist. No backup"))
    #expect(!program.files.contains("media"))
  }

  @Test func aLinkThatLeadsNowhereIsNamed() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let path = program.home + "/data/trunk/account.conf"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/not/mounted.conf")
    let outcome = try program.run("status")
    #expect(outcome.code == 4)
    #expect(
      outcome.errorOutput
        == "“\(path)” can’t be used: it is a link to “/not/mounted.conf”, which does not exist.\n")
  }

  @Test(arguments: [
    (["water", "cello", "-m", "x"], 3, "notFound"), (["import", "/nowhere.json"], 5, "file"),
    (["harvest", "--result", "9", "x"], 2, "usage"), (["strange"], 2, "usage"),
    (["seed", "\u{200B}", "--twig", "voice/practice"], 1, "notAllowed"), (["sync"], 3, "notFound"),
    (["derive", "--events", "/nowhere", "--now", "2026-01-01T00:00:00Z", "--time-zone", "Etc/UTC"], 5, "file"),
  ])
  func errorsAreJSONToo(arguments: [String], code: Int, kind: String) throws {
    let program = try BuiltProgram()
    try program.plant("Violin")
    let plain = try program.start(arguments).outcome()
    let outcome = try program.start(arguments + ["--json"]).outcome()
    #expect(outcome.code == code && outcome.output == "")
    let line = try #require(outcome.errorOutput.split(separator: "\n").last)
    let error = try #require(try JSON(String(line))["error"])
    #expect(error.number("exitCode") == Double(code) && error.text("kind") == kind)
    #expect(error.text("message").map { $0 + "\n" } == plain.errorOutput)
  }

  /// A file in the garden's place would destroy every entry since the last backup.
  @Test func noFileIsWrittenIntoTrunksFolders() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    #expect(try program.run("backup").code == 0)
    let link = program.home + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: program.garden)
    let backups = try FileManager.default.contentsOfDirectory(atPath: program.garden + "/backups")
    let backup = try program.garden + "/backups/" + #require(backups.first)
    for file in [program.garden + "/garden.db", link + "/garden.db", program.home + "/data/trunk/account.conf", backup]
    {
      for (command, arguments) in [
        ("export", [file]), ("export", ["--format", "markdown", file]), ("demo", ["--years", "1", "--to", file]),
      ] {
        let rejected = try program.start([command, "--force"] + arguments).outcome()
        #expect(rejected.code == 5 && rejected.output == "", "\(command) \(file)")
        #expect(rejected.errorOutput.contains("is where Trunk keeps your garden"), "\(rejected.errorOutput)")
      }
    }
    #expect(try program.run("list").output.contains("Cello"))
    #expect(try program.json("doctor").at("sound") == .bool(true))
    #expect(program.files.filter { $0.contains("damaged") || $0.hasSuffix("account.conf") } == [])
  }

  /// With the right to write there, the file would take the place of the pipe or device.
  @Test func aPipeIsNotReplacedByAFile() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let pipe = program.home + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let rejected = try program.run("export", "--force", pipe)
    #expect(rejected.code == 5 && rejected.errorOutput == "“\(pipe)” is not a file.\n")
    var status = stat()
    #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  private func signedInStore(_ program: BuiltProgram) async throws -> EventStore {
    let userID = "6f0a1c86-8b3e-4d5a-9d0e-1f2a3b4c5d6e"
    let folder = program.home + "/data/trunk"
    let serverSettings = try ServerSettings(backend: .trunk, url: "http://127.0.0.1:1", key: "")
    try AccountFile(folder: folder).save(
      SignedInAccount(account: Account(server: serverSettings.url, userID: userID), serverSettings: serverSettings))
    return try await EventStore.open(folder: folder + "/" + userID)
  }

  @Test func anUnreadableRecordOfALossIsAnError() async throws {
    let program = try BuiltProgram()
    let store = try await signedInStore(program)
    try await store.set("garbage", for: .remoteLoss)
    for command in ["status", "doctor", "outbox"] {
      for arguments in [[command], [command, "--json"]] {
        let outcome = try program.start(arguments).outcome()
        #expect(outcome.code == 4, "\(arguments)")
        #expect(outcome.errorOutput.contains("can’t read its record of entries"), "\(arguments)")
        #expect(command == "outbox" || outcome.output.count > 50, "\(arguments): the rest is shown")
        #expect(!outcome.output.contains("had everything") && !outcome.output.contains("remoteLoss"), "\(arguments)")
      }
    }
  }

  @Test func theOutboxIsComplete() async throws {
    let program = try BuiltProgram()
    let store = try await signedInStore(program)
    let events = (0..<1203).map { number in
      let content = String(repeating: "ü", count: number)
      return Event(
        .sproutWatered(.init(sproutID: "s", content: content, prompt: nil)), at: BuiltProgram.daysAgo(1),
        clientID: "event-\(number)")
    }
    _ = try await store.append(events)
    let unsent = try await store.takeBatch(now: BuiltProgram.daysAgo(0), limit: 2000)
    try await store.reject(unsent[7], answer: "400 22P05: words")
    // A rejected entry has its own exit code.
    let outcome = try program.run("outbox", "--json")
    #expect(outcome.code == 8 && outcome.errorOutput.contains("The server rejected 1 entry."))
    let outbox = try #require(try outcome.json().at("outbox")?.elements)
    #expect(outbox.count == 1203)
    #expect(
      outbox.compactMap { $0.number("bytes") }.reduce(0, +) == Double(events.reduce(0) { $0 + $1.raw.utf8.count }))
    let rejected = try #require(outbox.last)
    #expect(rejected.text("clientId") == "event-7" && rejected.text("answer") == "400 22P05: words")
    #expect(rejected.at("refused") == .bool(true) && rejected.number("attempts") == 1)
    let lines = try program.run("outbox").lines
    #expect(lines.count == 1203)
    #expect(lines.first?.hasPrefix("Watered  ") == true && lines.first?.contains("  not sent") == true)
    let last = lines.last ?? ""
    #expect(last.contains("  rejected  ") && last.contains(" · tried 1 time · 400 22P05: words"))
    let file = program.home + "/outbox.json"
    #expect(try program.run("outbox", "--export", file).code == 8)
    #expect(try program.run("outbox", "--export", file).code == 1)
    #expect(try program.run("outbox", "--export", file, "--force").code == 8)
  }

  @Test func keepsTheDraftOfTheWindow() async throws {
    let program = try BuiltProgram()
    let id = try program.plant("Cello")
    let model = try await GardenModel.open(folder: program.garden)
    try await model.save(DraftContent("Begun in the window", .water, about: id))
    _ = try program.json("water", "cello", "-m", "Written here.")
    #expect(try await model.unfinished(.water, about: id)?.text == "Begun in the window")
    try await model.refresh()
    #expect(await model.garden.sprout(id: id)?.waterings.count == 1, "the window sees what was written")
  }
}

@Suite struct TwoProgramsTests {
  @Test func simultaneousWritesAreAllKept() throws {
    let program = try BuiltProgram()
    let titles = (1...8).map { "Idea number \($0)" }
    let started = try titles.map { try program.start(["seed", $0, "--twig", "heart/joy"]) }
    for one in started {
      let outcome = try one.outcome()
      #expect(outcome.code == 0, "\(outcome.errorOutput)")
    }
    let kept = try program.json("list", "--seedlings")["seedlings"]?.elements?.compactMap { $0.text("title") } ?? []
    #expect(kept.sorted() == titles)
    #expect(try program.json("doctor").at("sound") == .bool(true))
  }

  @Test func onlyAcknowledgedWateringsAreKept() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let started = try ["one", "two"].map { try program.start(["water", "cello", "-m", $0]) }
    let codes = try started.map { try $0.outcome().code }.sorted()
    // If both checked before either wrote, both entries are kept.
    #expect(codes == [0, 1] || codes == [0, 0])
    #expect(try program.json("show", "cello")["entries"]?.elements?.count == codes.filter { $0 == 0 }.count)
  }
}

@Suite struct DemoTests {
  @Test func writesIntoAnEmptyStoreOnly() throws {
    let program = try BuiltProgram()
    let written = try program.run("demo", "--years", "1", "--into-store")
    #expect(written.code == 0)
    let status = try program.json("status")
    #expect(status.at("ready")?.elements?.count == 1)
    #expect(status.at("wateredToday")?.elements?.count == 1)
    #expect(status.at("due")?.elements?.count == 2, "the ready one needs no water")
    #expect(status.number("sun.left") == 1)
    #expect(status.number("water.left") == 2)
    #expect(status.number("streak.current") == 12)
    let again = try program.run("demo", "--years", "1", "--into-store")
    #expect(again.code == 1)
    #expect(again.errorOutput.contains("This computer’s garden is not empty."))
  }

  @Test func theSeedDeterminesTheGarden() throws {
    let program = try BuiltProgram()
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
  func rejectsIncompleteOptions(arguments: [String]) throws {
    let program = try BuiltProgram()
    let outcome = try program.start(arguments).outcome()
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(program.files == [])
  }
}

@Suite struct JournalExportTests {
  private func program() throws -> BuiltProgram {
    let program = try BuiltProgram()
    try program.plant("Cello")
    try program.plant("Oboe")
    _ = try program.json("water", "cello", "-m", "Long *notes*.")
    _ = try program.json("water", "oboe", "-m", "Short ones.")
    return program
  }

  @Test func writesTheJournalForReading() throws {
    let program = try program()
    let file = program.home + "/Journal.md"
    #expect(try program.run("export", "--format", "markdown").output == "Wrote 2 entries to “Journal.md”.\n")
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.hasPrefix("# Journal\n") && text.contains("\nLong \\*notes\\*.\n") && text.contains("\nShort ones.\n"))
    #expect(try program.run("export", "--format", "markdown").code == 1)
    #expect(try program.run("export", "--format", "markdown", "--force").code == 0)
    let page = try program.run("export", "--format", "html", "-")
    #expect(
      page.output.hasPrefix("<!DOCTYPE html>\n") && page.output.contains("<p dir=\"auto\">Long <em>notes</em>.</p>"))
    let outcome = try program.json("export", "--format", "html")
    #expect(outcome.number("entries") == 2 && outcome.text("file") == "Journal.html")
  }

  @Test func writesAPartOfTheJournal() throws {
    let program = try program()
    func text(_ options: [String]) throws -> String {
      try program.start(["export", "--format", "markdown", "-"] + options).outcome().output
    }
    for options in [["--sprout", "cello"], ["--leaf", "cello"], ["--search", "notes"]] {
      let text = try text(options)
      #expect(text.contains("notes") && !text.contains("Short"), "\(options)")
    }
    let year = program.zone.local(BuiltProgram.daysAgo(0)).day.year
    #expect(try text(["--year", "\(year)"]).hasPrefix("# \(year)\n"))
  }

  @Test func writesABookToPrint() throws {
    let program = try program()
    let file = program.home + "/book.pdf"
    #expect(try program.run("export", "--format", "pdf", "--paper", "a4", file).code == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)).starts(with: Data("%PDF".utf8)))
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    #expect(try program.run("export", "--format", "html", "--paper", "a4").code == 2)
    let year = "\(program.zone.local(BuiltProgram.daysAgo(0)).day.year)"
    let shop = ["export", "--format", "pdf", "--year", year, "--print-shop", "--dedication", "For Ruth"]
    #expect(try program.start(shop + [program.home + "/shop.pdf"]).outcome().code == 0)
    #expect(FileManager.default.fileExists(atPath: program.home + "/shop-cover.pdf"))
    #expect(try program.start(shop + ["--booklet", program.home + "/no.pdf"]).outcome().code == 2)
    #expect(try program.run("export", "--format", "pdf", "--dedication", "For Ruth").code == 2)
    #expect(try program.run("export", "--format", "pdf", "--volumes", "--to", program.home + "/books").code == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: program.home + "/books") == ["Journal-\(year).pdf"])
    // On a terminal a line says which year is being made, and makes room for the result.
    let lines = try program.onTerminal(100, "export --format pdf --volumes --force --to books")
    #expect(lines.first == "\u{1B}[K\(year)" && lines.last?.hasPrefix("\u{1B}[KWrote ") == true, "\(lines)")
  }

  @Test func rejectsAPartThatIsEmptyOrImpossible() throws {
    let program = try program()
    let empty = try program.run("export", "--format", "markdown", "--year", "1999")
    #expect(empty.code == 3 && empty.errorOutput == "No entry matches. Nothing was written.\n")
    #expect(try program.run("export", "--year", "2026").code == 2)
    #expect(try program.run("export", "--format", "html", "--leaf", "flute").code == 3)
    #expect(program.files.filter { $0.hasSuffix(".html") || $0.hasSuffix(".md") } == [])
  }
}
