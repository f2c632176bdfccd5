import Foundation
import Testing
import TrunkKit
import TrunkModel

@Suite struct EverydayTests {
  @Test(arguments: [
    ["status"], ["today"], ["due"], ["list"], ["list", "--seedlings"], ["seedling"], ["log"], ["search", "river"],
    ["doctor"], [],
  ])
  func readingWithoutAGardenSaysSoAndCreatesNothing(arguments: [String]) throws {
    let program = try BuiltProgram()
    let outcome = try program.start(arguments).outcome()
    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("There is no garden yet."))
    #expect(outcome.errorOutput == "")
    let asked = try program.start((arguments.isEmpty ? ["status"] : arguments) + ["--json"]).outcome()
    #expect(asked.code == 0)
    let json = try asked.json()
    guard case .object = json else {
      Issue.record("not an object: \(asked.output)")
      return
    }
    #expect(program.files == [])
  }

  @Test(arguments: [
    ["water", "cello", "-m", "x"], ["harvest", "cello", "--result", "3"], ["uproot", "cello"], ["show", "cello"],
    ["seedling", "edit", "bird", "--title", "x"], ["seedling", "delete", "bird"],
    ["shine", "-m", "x"], ["export", "-"], ["backup"],
  ])
  func commandsThatNeedAGardenSayHowToStartOne(arguments: [String]) throws {
    let program = try BuiltProgram()
    let outcome = try program.start(arguments).outcome()
    #expect(outcome.code == 3)
    #expect(outcome.output == "")
    #expect(outcome.errorOutput.contains("trunkctl plant"))
    #expect(program.files == [])
  }

  /// It is complete without a terminal and on a narrow one.
  @Test func theStatusIsNeverTruncated() throws {
    let program = try BuiltProgram()
    let titles = ["Learn the cello prelude", "Know every tree between the house and the river, by name", "Run"]
    for title in titles {
      let sproutID = try program.plant(title, daysAgo: 13)
      try program.importEvents(
        (1...12).map { day in
          let instant = BuiltProgram.daysAgo(Double(day))
          return Event(
            .sproutWatered(.init(sproutID: sproutID, content: "A line.", prompt: nil)), at: instant,
            clientID: Event.clientID(at: instant, random: .random(in: 0 ... .max)))
        })
      #expect(try program.run("water", title, "-m", "A line.").code == 0)
    }
    let water = try #require(try program.run("status").lines.first { $0.hasPrefix("Water") })
    #expect(water == "Water  0 of 3 left · 13 days in a row · full again tomorrow at 06:00")
    for width in [24, 40, 66, 90] {
      let lines = try program.onTerminal(width, "status")
      #expect(lines.allSatisfy { $0.count <= width }, "\(width)")
      let text = lines.flatMap { $0.split(separator: " ") }.joined(separator: " ")
      #expect(text.contains(water.split(separator: " ").joined(separator: " ")), "\(width)")
      #expect(titles.contains { text.contains("Next harvest \($0) Voice · practice in ") }, "\(width)")
    }
    // The log shows the beginning of an entry, one line each.
    let log = try program.onTerminal(66, "log")
    #expect(log.count == 20 && log.allSatisfy { $0.count <= 66 })
  }

  @Test func plantsAndShowsTheStatus() throws {
    let program = try BuiltProgram()
    let planted = try program.run("plant", "Learn the cello prelude", "--twig", "voice/practice", "--season", "3m")
    #expect(planted.code == 0)
    #expect(planted.lines[0] == "Planted “Learn the cello prelude” on Voice · practice.")
    #expect(planted.lines[2] == "5 soil planted, 5 free.")

    let status = try program.run("status")
    #expect(status.code == 0)
    #expect(
      status.lines.dropFirst(2) == [
        "Soil   5 of 10 free", "Water  3 of 3 left", "Sun    ready to shine", "", "To water",
        "  Learn the cello prelude  Voice · practice  not watered yet", "", "Next harvest",
        "  Learn the cello prelude  Voice · practice  in 90 days",
      ])

    let json = try program.json("status")
    #expect(json.at("otherGardens")?.elements == [])
    #expect(json.number("soil.available") == 5)
    #expect(json.number("soil.capacity") == 10)
    #expect(json.number("water.left") == 3)
    #expect(json.number("sun.left") == 1)
    #expect(json.number("streak.current") == 0)
    #expect(json.number("growing") == 1)
    #expect(json.number("events") == 2)
    #expect(json.number("ignored") == 0)
    #expect(json.text("timeZone") == program.zoneName)
    #expect(json.text("due.0.title") == "Learn the cello prelude")
    #expect(json.text("due.0.twig") == "voice/practice")
    #expect(json.text("due.0.state") == "active")
    #expect(json.text("nextHarvest.season") == "3m")
    #expect(json.at("ready")?.elements?.isEmpty == true)
  }

  @Test func printsTheDayInOneLineWithoutTitles() throws {
    let program = try BuiltProgram()
    #expect(try program.run("today", "--short").output == "Nothing is growing\n")
    #expect(program.files == [], "a status bar must not create a garden")
    try program.plant("Learn the cello prelude", daysAgo: 3)
    try program.plant("Run", daysAgo: 60, season: .twoWeeks)
    #expect(try program.run("today", "--short").output == "3 of 3 drops · 1 due · 1 ready\n")
    #expect(try program.run("water", "cello", "-m", "A line.").code == 0)
    #expect(try program.run("today", "--short").output == "2 of 3 drops · 1 ready · 1 day in a row\n")

    let outcome = try program.run("today", "--short", "--json")
    #expect(outcome.code == 0 && outcome.lines.count == 1 && !outcome.output.contains("cello"))
    let json = try outcome.json()
    #expect(json.text("text") == "2 of 3 drops · 1 ready · 1 day in a row")
    #expect(json.text("class") == "done")
    #expect(json.number("water.left") == 2 && json.number("due") == 0 && json.number("ready") == 1)
    #expect(json.number("streak.current") == 1)
    try program.plant("Bread", daysAgo: 2)
    #expect(try program.json("today").text("class") == "due")
  }

  @Test func everyCommandAgreesOnWhatIsDue() throws {
    let program = try BuiltProgram()
    func due() throws -> [[String?]] {
      let (due, status, today) = (
        try program.json("due"), try program.json("status"), try program.json("today", "--short")
      )
      func titles(_ json: JSON) -> [String?] { (json.at("due")?.elements ?? []).map { $0.text("title") } }
      #expect(today.number("due") == Double(titles(due).count))
      #expect(titles(due) == titles(status))
      return [titles(due), (status.at("ready")?.elements ?? []).map { $0.text("title") }]
    }
    try program.plant("Cello")
    try program.plant("Run", daysAgo: 60, season: .twoWeeks)
    #expect(try due() == [["Cello"], ["Run"]])
    let today = program.zone.dayKey(BuiltProgram.daysAgo(0)).description
    _ = try program.json("rest", "--to", today)
    #expect(try due() == [[], ["Run"]])
    #expect(try program.run("due").output.hasPrefix("Nothing is due: the garden rests until "))
    #expect(try program.run("today", "--short").output == "3 of 3 drops · 1 ready · resting\n")
    #expect(try !program.run("status").output.contains("To water"))
    #expect(try program.run("water", "cello", "-m", "It can be watered all the same.").code == 0)
    _ = try program.json("rest", "--end")
    #expect(try program.run("due").output == "Everything has been watered today.\n")
  }

  @Test func theDayIsTheStatusWithoutTheGreeting() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    #expect(try program.run("today").lines == Array(program.run("status").lines.dropFirst(2)))
  }

  @Test func jsonHasItsKeysInOrder() throws {
    let program = try BuiltProgram()
    let outcome = try program.run("status", "--json")
    #expect(outcome.output == (try outcome.json().prettyText) + "\n")
    guard case .object(let members) = try outcome.json() else {
      Issue.record("not an object")
      return
    }
    #expect(
      members.map(\.name.decoded) == [
        "due", "events", "growing", "ignored", "now", "otherGardens", "ready", "rest", "soil", "streak", "sun",
        "timeZone", "water", "wateredToday",
      ])
  }

  @Test func plantsWithEveryOption() throws {
    let program = try BuiltProgram()
    let first = try program.json(
      "plant", "Ten kilometres", "--twig", "core/movement", "--season", "2w", "--ground", "firm", "--leaf",
      "Running", "--withering", "not at all", "--budding", "half of it", "--flourishing", "and back")
    #expect(first.text("sprout.leaf") == "Running")
    #expect(first.text("sprout.environment") == "firm")
    #expect(first.text("sprout.bloomWither") == "not at all")
    #expect(first.text("sprout.bloomBudding") == "half of it")
    #expect(first.text("sprout.bloomFlourish") == "and back")
    #expect(first.number("soil.available") == 7)
    let second = try program.json(
      "plant", "Fifteen", "--twig", "branch-0-twig-0", "--season", "2w", "--leaf", "RUNNING")
    #expect(second.text("sprout.leafId") == first.text("sprout.leafId"), "the leaf is there already")
    let third = try program.json("plant", "A poem", "--twig", "memory", "--season", "2w")
    #expect(third.text("sprout.twigId") == "branch-1-twig-4")
    #expect(third.text("sprout.leaf") == "A poem")
    let former = try program.json("plant", "An essay", "--twig", "writing", "--season", "2w", "--environment", "firm")
    #expect(former.text("sprout.environment") == "firm", "the name of the option in version 0.1")
  }

  @Test func rejectsUnaffordableSprouts() throws {
    let program = try BuiltProgram()
    let outcome = try program.run("plant", "Too much", "--twig", "core/sport", "--season", "1y")
    #expect(outcome.code == 1)
    #expect(outcome.errorOutput == "This needs 12 soil, but only 10 is free.\n")
    #expect(try program.run("plant", " ", "--twig", "core/sport").code == 1)
    let long = String(repeating: "x", count: 61)
    let tooLong = try program.run("plant", long, "--twig", "core/sport")
    #expect(tooLong.code == 1)
    #expect(tooLong.errorOutput == "The title is 61 characters long. The limit is 60.\n")
  }

  @Test func rejectsUnknownTwigsAndCreatesNothing() throws {
    let program = try BuiltProgram()
    for twig in ["nowhere", "voice/nothing", "voice", "heart/anything", "trunk", ""] {
      let outcome = try program.run("plant", "x", "--twig", twig)
      #expect(outcome.code == 3, "\(twig)")
      #expect(outcome.errorOutput.contains("voice   practice composition"), "\(twig)")
    }
    #expect(program.files == [])
  }

  @Test func watersOnceADayAndThreeTimes() throws {
    let program = try BuiltProgram()
    for title in ["Cello", "Letters", "Herbs", "Swimming"] { try program.plant(title, season: .twoWeeks) }
    let watered = try program.run("water", "cello", "-m", "The shift at bar nine held.")
    #expect(watered.code == 0)
    #expect(watered.output == "Watered “Cello”.\n2 waterings left today.\n")
    let again = try program.run("water", "cello", "-m", "more")
    #expect(again.code == 1)
    #expect(again.errorOutput == "“Cello” was already watered today.\n")
    #expect(try program.run("water", "letters", input: "From\nelsewhere\n").code == 0)
    #expect(try program.run("water", "herbs", "--without-words").output.hasSuffix("0 waterings left today.\n"))
    let dry = try program.run("water", "swimming", "-m", "x")
    #expect(dry.code == 1)
    #expect(dry.errorOutput == "No water left today. It returns tomorrow at 06:00.\n")

    let shown = try program.json("show", "letters")
    #expect(shown.text("entries.0.content") == "From\nelsewhere")
    #expect(shown.at("entries.0.prompt") == nil)
    let status = try program.json("status")
    #expect(status.number("water.left") == 0)
    #expect(status.number("streak.current") == 1)
    #expect(status.at("wateredToday")?.elements?.count == 3)
    #expect(try program.json("due").text("due.0.title") == "Swimming")
    #expect(try program.run("due").output == "Swimming  Voice · practice  not watered yet\n")
  }

  @Test func anEntryWithoutATextIsNotWritten() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let outcome = try program.run("water", "cello", "-m", "-", input: " \n ")
    #expect(outcome.code == 1)
    #expect(outcome.errorOutput.contains("-m"))
    #expect(try program.json("status").number("water.left") == 3)
    let tooLong = try program.run("water", "cello", input: String(repeating: "ä", count: 2001))
    #expect(tooLong.code == 1)
    #expect(tooLong.errorOutput == "The entry is 2001 characters long. The limit is 2000.\n")
  }

  @Test func shinesOnceAWeek() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let outcome = try program.run("shine", "--twig", "heart/joy", "-m", "Two evenings by the stove.")
    #expect(outcome.code == 0)
    #expect(outcome.lines == ["The sun has shone on Heart · joy."])
    let again = try program.run("shine", "-m", "more")
    #expect(again.code == 1)
    #expect(again.errorOutput.hasPrefix("The sun has shone this week. It returns "))
    let entry = try program.json("log", "--limit", "1")
    #expect(entry.text("log.0.event.content") == "Two evenings by the stove.")
    #expect(entry.text("log.0.event.prompt") == nil, "the user has seen no question")
    #expect(entry.text("log.0.twig") == "heart/joy")
  }

  @Test func atATerminalTheSunAsksAQuestionAboutATwig() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let lines = try program.onTerminal(200, "shine", input: "Quiet.\n")
    let entry = try program.json("log", "--limit", "1")
    #expect(entry.text("log.0.event.content") == "Quiet.")
    let question = try #require(entry.text("log.0.event.prompt"))
    let asked = try #require(lines.firstIndex { $0.contains(question) })
    #expect(asked > 0 && lines.last == "The sun has shone on \(lines[asked - 1]).", "the twig is above its question")
  }

  /// Otherwise the entry would be about a twig that the user hasn't seen.
  @Test func aTextGivenToShineNeedsATwig() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    for arguments in [["shine", "-m", "Quiet."], ["shine"], ["shine", "-m", "-"]] {
      let outcome = try program.start(arguments, input: "Quiet.").outcome()
      #expect(outcome.code == 2)
      #expect(outcome.errorOutput.hasPrefix("Name a twig with --twig."))
    }
    let json = try program.json("shine", "--twig", "heart/joy", "-m", "Quiet.")
    #expect(json.text("twig") == "heart/joy")
    #expect(json.text("question") == "")
    #expect(json.number("sun.left") == 0)
    #expect(json.number("soil.available") == 7.35)
    #expect(try program.run("shine", "--twig", "nowhere", "-m", "x").code == 3)
  }

  @Test func harvestsReadySprouts() throws {
    let program = try BuiltProgram()
    try program.plant("Cello", daysAgo: 31)
    try program.plant("Letters", daysAgo: 3)
    let status = try program.run("status")
    #expect(status.output.contains("Ready to harvest\n  Cello  Voice · practice  planted "))
    let early = try program.run("harvest", "letters", "--result", "3")
    #expect(early.code == 1)
    #expect(early.errorOutput.hasPrefix("“Letters” can be harvested from "))
    // It says so before it reads a text: a folder can't be read.
    let shell = "'\(BuiltProgram.binary.path)' harvest letters --result 3 -m - < /"
    let unread = try program.start(["-c", shell], of: URL(fileURLWithPath: "/bin/sh")).outcome()
    #expect(unread.errorOutput.hasPrefix("“Letters” can be harvested from "))
    let harvested = try program.run("harvest", "CELLO", "--result", "5", "-m", "It sounds like music now.")
    #expect(harvested.code == 0)
    #expect(harvested.lines[0] == "Harvested “Cello”: flourished.")
    #expect(harvested.lines[1].hasPrefix("3 soil is free again, and your soil grew by 0.5"))
    let over = try program.run("harvest", "cello", "--result", "5")
    #expect(over.code == 1)
    #expect(over.errorOutput == "“Cello” is no longer growing.\n")
    let shown = try program.run("show", "cello")
    #expect(shown.output.contains("Looking back\n  It sounds like music now.\n"))
    let json = try program.json("show", "cello")
    #expect(json.number("sprout.result") == 5)
    #expect(json.text("sprout.state") == "completed")
  }

  @Test func uprootsAndKeepsTheIdea() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let outcome = try program.json("uproot", "cello", "--keep-idea")
    #expect(outcome.number("soilReturned") == 0.75)
    #expect(outcome.text("sprout.state") == "uprooted")
    #expect(try program.json("list", "--seedlings").text("seedlings.0.title") == "Cello")
    #expect(try program.run("list", "--seedlings").output == "Cello  Voice · practice\n")
    #expect(try program.run("uproot", "cello").code == 1)
  }

  @Test func savesASeedling() throws {
    let program = try BuiltProgram()
    let outcome = try program.run("seed", "Build a bird table", "--twig", "hands/fabrication", "--notes", "for robins")
    #expect(outcome.code == 0)
    #expect(outcome.output == "Saved “Build a bird table” as a seedling on Hands · fabrication.\n")
    let json = try program.json("list", "--seedlings")
    #expect(json.text("seedlings.0.notes") == "for robins")
    #expect(json.text("seedlings.0.twig") == "hands/fabrication")
    #expect(try program.run("seed", "", "--twig", "hands/fabrication").code == 1)
  }
}

@Suite struct SeedlingTests {
  private let program: BuiltProgram
  /// The id of the first of two seedlings.
  private let birdTable: String

  init() throws {
    program = try BuiltProgram()
    let seeded = try program.json("seed", "Build a bird table", "--twig", "hands/fabrication", "--notes", "for robins")
    birdTable = try #require(seeded.text("seedling.id"))
    _ = try program.json("seed", "Build a nest box", "--twig", "hands/fabrication")
  }

  @Test func listsTheNewestFirst() throws {
    let json = try program.json("seedling", "list")
    #expect(json.text("seedlings.0.title") == "Build a nest box")
    #expect(json.text("seedlings.1.notes") == "for robins")
    let lines = try program.run("seedling").lines
    #expect(lines.count == 2)
    let id = String(birdTable.dropFirst("seedling-".count).prefix(8))
    #expect(lines[1] == "\(id)  Build a bird table  Hands · fabrication  for robins")
  }

  @Test func editsTitleAndNotes() throws {
    let outcome = try program.run("seedling", "edit", "bird", "--title", "Build a feeder")
    #expect(outcome.output == "Saved “Build a feeder”.\n")
    let edited = try program.json("seedling", "edit", birdTable, "--notes", "for sparrows")
    #expect(edited.text("seedling.id") == birdTable)
    #expect(edited.text("seedling.title") == "Build a feeder")
    #expect(edited.text("seedling.notes") == "for sparrows")
    #expect(try program.json("seedling", "edit", "feeder", "--notes", "").text("seedling.notes") == "")
  }

  @Test func rejectsUnusableEdits() throws {
    let long = String(repeating: "x", count: 61)
    #expect(try program.run("seedling", "edit", "bird", "--title", " ").code == 1)
    #expect(try program.run("seedling", "edit", "bird", "--title", long).code == 1)
    #expect(try program.run("seedling", "edit", "bird").code == 2)
    #expect(try program.json("seedling", "list").text("seedlings.1.title") == "Build a bird table")
  }

  @Test func deletesASeedling() throws {
    let outcome = try program.run("seedling", "delete", "nest")
    #expect(outcome.code == 0)
    #expect(outcome.output == "Deleted the seedling “Build a nest box”.\n")
    #expect(try program.run("seedling", "delete", "nest").code == 3)
    #expect(try program.json("seedling", "delete", "bird").text("seedling.id") == birdTable)
    #expect(try program.run("seedling", "list").output == "There are no seedlings.\n")
  }

  @Test func listsTheCandidatesOfAnAmbiguousName() throws {
    for command in [["edit", "build", "--title", "x"], ["delete", "build"]] {
      let outcome = try program.start(["seedling"] + command).outcome()
      #expect(outcome.code == 3)
      #expect(outcome.errorOutput.hasPrefix("2 seedlings match “build”."))
      #expect(outcome.errorOutput.contains("Build a nest box") && outcome.errorOutput.contains("Build a bird table"))
    }
    #expect(try program.json("seedling", "list").at("seedlings")?.elements?.count == 2)
  }
}

@Suite struct NamingTests {
  @Test func namesByIdAndByPartsOfTheTitle() throws {
    let program = try BuiltProgram()
    let cello = try program.plant("Übe das Cello", id: "abcd0000-0000-4000-8000-000000000001", season: .twoWeeks)
    try program.plant("Read about cellos", id: "abce0000-0000-4000-8000-000000000002", season: .twoWeeks)
    for name in [cello, "ubE", "das cello", "ÜBE DAS CELLO", "abcd", "abcd0000", "sprout-abcd"] {
      #expect(try program.json("show", name).text("sprout.id") == cello, "\(name)")
    }
    let ambiguous = try program.run("show", "cello")
    #expect(ambiguous.code == 3)
    #expect(ambiguous.output == "")
    #expect(
      ambiguous.errorOutput == """
        2 sprouts match “cello”. Give more of the title, or the id:
          abce0000  Read about cellos  Voice · practice
          abcd0000  Übe das Cello      Voice · practice

        """)
    for name in ["viola", "abc", "", " ", "sprout-nothing"] {
      let missing = try program.run("show", name)
      #expect(missing.code == 3, "\(name)")
      #expect(missing.errorOutput.contains("trunkctl list"), "\(name)")
    }
  }

  @Test func wholeTitlesAndGrowingSproutsArePreferred() throws {
    let program = try BuiltProgram()
    let short = try program.plant("Run", season: .twoWeeks)
    try program.plant("Run far", season: .twoWeeks)
    #expect(try program.json("show", "run").text("sprout.id") == short)
    try program.plant("Cello", daysAgo: 40, season: .twoWeeks)
    _ = try program.json("harvest", "cello", "--result", "4")
    let growing = try program.plant("Cello", season: .twoWeeks)
    #expect(try program.json("show", "cello").text("sprout.id") == growing)
  }

  @Test func wideAndHostileTextsKeepTheColumns() throws {
    let program = try BuiltProgram()
    try program.plant("日本語を毎日", daysAgo: 3, season: .twoWeeks)
    try program.plant("Zoë\u{1B}[31m\u{7}\nred", daysAgo: 2, season: .twoWeeks)
    try program.plant("e\u{301}tude 🎻", daysAgo: 1, season: .twoWeeks)
    let listed = try program.run("due")
    #expect(
      listed.lines == [
        "日本語を毎日   Voice · practice  not watered yet",
        "Zoë [31m  red  Voice · practice  not watered yet",
        "e\u{301}tude 🎻       Voice · practice  not watered yet",
      ])
    #expect(!listed.output.contains("\u{1B}"))
    try program.plant(String(repeating: "long ", count: 5000), season: .twoWeeks)
    let clipped = try program.run("list")
    #expect(clipped.lines.allSatisfy { $0.count < 120 })
  }

  /// The name of a file and the answer of a server can have any characters.
  @Test func errorsCannotControlTheTerminal() throws {
    let program = try BuiltProgram()
    let outcome = try program.run("import", program.home + "/a\u{1B}[31mb\u{202E}")
    #expect(outcome.errorOutput.contains("a [31mb"), "\(outcome.errorOutput)")
    #expect(!outcome.errorOutput.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
  }

  /// JSON may be shown on a terminal too. Characters that could control it are escaped, which doesn't change the JSON.
  @Test func outputCannotControlTheTerminal() throws {
    let program = try BuiltProgram()
    let title = "a\u{7F}b\u{9B}31mc\u{85}d\u{2028}e\u{2029}f\u{202E}g\u{2066}h\u{61C}i\u{200F}é"
    try program.plant(title, season: .twoWeeks)
    for arguments in [["list", "--json"], ["log", "--json"], ["status", "--json"], ["search", "é", "--json"]] {
      let output = try program.start(arguments).outcome().output
      #expect(output.contains("\\u009b") && output.contains("\\u202e"), "\(arguments)")
      #expect(
        // A snippet begins with an ellipsis.
        output.unicodeScalars.allSatisfy { "\né…".unicodeScalars.contains($0) || (0x20..<0x7F).contains($0.value) },
        "\(arguments)")
    }
    #expect(try program.json("list").text("sprouts.0.title") == title)
    let plain = try program.run("list").output
    #expect(plain.contains("a b 31mc d e fghié"), "\(plain)")
  }

  /// Each mark used to cost a copy of the whole output, so that a long journal in Arabic or Hebrew never ended.
  @Test func manyEscapedCharactersTakeNoTime() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let text = "a" + String(repeating: "\u{200F}", count: 300_000) + "b"
    let event = JSON.object([
      .init("type", .string("sprout_watered")), .init("timestamp", .string("2026-01-01T12:00:00.000Z")),
      .init("client_id", .string("long")), .init("sproutId", .string("s")), .init("content", .string(text)),
    ])
    let file = program.home + "/long.json"
    try #"{"version":1,"events":[\#(event.compactText)]}"#.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try program.run("import", file).code == 0)
    #expect(try program.json("log", "--limit", "3")["log"]?.elements?.last?.text("event.content") == text)
  }
}

@Suite struct LookingBackTests {
  @Test func listsSproutsByState() throws {
    let program = try BuiltProgram()
    try program.plant("Cello", daysAgo: 40, id: "abcd0000-0000-4000-8000-000000000001")
    try program.plant("Herbs", daysAgo: 20, season: .twoWeeks)
    try program.plant("Letters", daysAgo: 1, season: .twoWeeks)
    _ = try program.json("harvest", "cello", "--result", "2")
    _ = try program.json("uproot", "letters")
    func titles(_ state: String) throws -> [String] {
      try program.json("list", "--state", state)["sprouts"]?.elements?.compactMap { $0.text("title") } ?? []
    }
    #expect(try titles("all") == ["Letters", "Herbs", "Cello"])
    #expect(try titles("growing") == ["Herbs"])
    #expect(try titles("ready") == ["Herbs"])
    #expect(try titles("cultivated") == ["Cello"])
    #expect(try titles("uprooted") == ["Letters"])
    #expect(
      try program.run("list", "--state", "cultivated").output == "abcd0000  Cello  Voice · practice  wilted, today\n")
    #expect(try program.run("list", "--state", "dead").code == 2)
    _ = try program.json("uproot", "herbs")
    #expect(try program.run("list", "--state", "growing").output == "No sprouts found.\n")
    #expect(try program.run("list", "--seedlings").output == "There are no seedlings.\n")
  }

  @Test func showsEveryEntryOfASprout() throws {
    let program = try BuiltProgram()
    let id = try program.plant("Cello", daysAgo: 3.0, id: "abcd0000-0000-4000-8000-000000000001")
    let instant = BuiltProgram.daysAgo(1)
    try program.importEvents([
      Event(
        .sproutWatered(.init(sproutID: id, content: "First line.\nSecond line.", prompt: "What was it like?")),
        at: instant, clientID: Event.clientID(at: instant, random: 1))
    ])
    let shown = try program.run("show", "cello")
    #expect(shown.code == 0)
    #expect(shown.lines.first == "Cello")
    #expect(shown.lines.contains("  Twig     Voice · practice"))
    #expect(shown.lines.contains("  Id       abcd0000"))
    #expect(
      Array(shown.lines.suffix(4)) == [
        Formats.dateAndTime(instant, in: program.zone), "    What was it like?", "  First line.", "  Second line.",
      ])
  }

  @Test func findsEntries() throws {
    let program = try BuiltProgram()
    try program.plant("Cello", season: .twoWeeks)
    try program.plant("Running", season: .twoWeeks)
    _ = try program.json("water", "cello", "-m", "The river was high, and brown.")
    _ = try program.json("water", "running", "-m", "High clouds, no river bank.")
    let found = try program.json("search", "RIVER", "hi")
    #expect(found["results"]?.elements?.count == 2)
    #expect(found.text("results.0.title") == "Running")
    #expect(found.text("results.0.event.type") == "sprout_watered")
    #expect(found.text("results.0.snippet") == "High clouds, no river bank.")
    #expect(found.number("results.0.marks.0.0") == 0)
    #expect(found.number("results.0.marks.0.1") == 4)
    #expect(try program.json("search", "\"river bank\"")["results"]?.elements?.count == 1)
    #expect(try program.json("search", "river", "--limit", "1")["results"]?.elements?.count == 1)
    let nothing = try program.run("search", "ocean")
    #expect(nothing.code == 0)
    #expect(nothing.output.hasPrefix("Nothing was found for “ocean”."))
    for hostile in ["\"", "AND", "(", "x*^:", "-", "NEAR(a b)"] {
      #expect(try program.run("search", "--", hostile).code == 0)
    }
    #expect(try program.run("search").code == 2)
    #expect(try program.run("search", "x", "--limit", "0").code == 2)
    let shown = try program.run("search", "brown")
    #expect(shown.lines.count == 3)
    #expect(shown.lines[0] == "Entries · 1")
    #expect(shown.lines[1].hasSuffix("watered  Cello"))
    #expect(shown.lines[2] == "    The river was high, and brown.")
  }

  @Test func searchesInGroupsAndWithFilters() throws {
    let program = try BuiltProgram()
    try program.plant("Cello", season: .twoWeeks)
    _ = try program.json("water", "cello", "-m", "The river was high.")
    _ = try program.json("seed", "River", "--twig", "core/sport", "--notes", "swim in it")
    let found = try program.json("search", "river")
    #expect(found.number("counts.entries") == 1)
    #expect(found.number("counts.seedlings") == 1)
    #expect(found.text("seedlings.0.title") == "River")
    #expect(found.text("seedlings.0.snippet") == "River")
    #expect(found["results"]?.elements?.count == 2, "the entry, and the event that noted the seedling")
    #expect(try program.json("search", "twig:practice", "river")["results"]?.elements?.count == 1)
    #expect(try program.json("search", "movement").text("tree.0.place") == "core/movement")
    let elsewhere = try program.run("search", "high", "kind:sun")
    #expect(elsewhere.lines.last == "1 result without “kind:sun”")
    let wrong = try program.run("search", "river", "result:9")
    #expect(wrong.code == 2)
    #expect(wrong.errorOutput.contains("“9” is not a result."))
    #expect(
      try program.run("search", "--", "river", "-high").lines == [
        "Seedlings · 1", "  River  Core · sport",
      ])
  }

  @Test func watersForYesterdayInTheMorningOnly() throws {
    let morning = try BuiltProgram(hour: 8)
    try morning.plant("Cello", daysAgo: 3)
    let outcome = try morning.run("water", "cello", "--yesterday", "-m", "Ten minutes.")
    #expect(outcome.code == 0 && outcome.output == "Watered “Cello” for yesterday.\n")
    let event = try morning.json("log", "--limit", "1")["log"]?.elements?.first
    let instant = try #require(Instant(event?.text("event.timestamp") ?? ""))
    let yesterday = morning.zone.dayKey(BuiltProgram.daysAgo(1))
    // The last minute of the garden's day, which ends at 06:00.
    #expect(morning.zone.dayKey(instant) == yesterday)
    #expect(morning.zone.dayKey(instant.adding(seconds: 60)) == yesterday.adding(days: 1))
    // Today's drops are untouched, and the sprout can still be watered today.
    #expect(try morning.json("due").at("due")?.elements?.map { $0.text("title") } == ["Cello"])
    #expect(try morning.run("water", "cello", "--yesterday", "-m", "Again.").code == 1)
    #expect(try morning.run("water", "cello", "-m", "Today.").output.hasSuffix("2 waterings left today.\n"))

    let afternoon = try BuiltProgram(hour: 14)
    try afternoon.plant("Cello", daysAgo: 3)
    let late = try afternoon.run("water", "cello", "--yesterday", "-m", "Ten minutes.")
    #expect(late.code == 1 && late.output == "")
  }

  @Test func onlyAnOptionWritesAnEntryWithoutWords() throws {
    let program = try BuiltProgram()
    try program.plant("Cello", daysAgo: 3)
    for text in ["", " \n", "\u{200B}"] {
      let refused = try program.run("water", "cello", "-m", text)
      #expect(refused.code == 1 && refused.errorOutput.hasPrefix("Write a few words first."))
    }
    #expect(try program.run("water", "cello", "--without-words", "-m", "A line.").code == 2)
    #expect(try program.json("log")["log"]?.elements?.count == 2)
    #expect(try program.run("water", "cello", "--without-words").code == 0)
    let event = try program.json("log", "--limit", "1")["log"]?.elements?.first
    #expect(event?.text("event.type") == "sprout_watered" && event?.text("event.content") == "")
  }

  /// Programs that run at the same moment check the rules again if another one was faster.
  @Test func programsTogetherKeepTheLimitsOfOne() async throws {
    let program = try BuiltProgram()
    for title in ["A", "B", "C", "D", "E"] { try program.plant(title, daysAgo: 3) }
    let writers =
      try ["A", "B", "C", "D", "E", "A", "B"].map { try program.start(["water", $0, "-m", "A line."]) }
      + (0..<3).map { try program.start(["shine", "--twig", "heart/joy", "-m", "Laughed. \($0)"]) }
    let codes = try writers.map { try $0.outcome().code }
    #expect(codes.filter { $0 == 0 }.count == 4 && codes.allSatisfy { $0 == 0 || $0 == 1 }, "\(codes)")
    let log = try program.json("log")["log"]?.elements ?? []
    #expect(log.filter { $0.text("event.type") == "sun_shone" }.count == 1)
    let watered = log.filter { $0.text("event.type") == "sprout_watered" }.compactMap { $0.text("event.sproutId") }
    #expect(watered.count == 3 && Set(watered).count == 3)
  }

  @Test func aBackupGoesToBothFolders() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let second = program.home + "/second"
    try FileManager.default.createDirectory(atPath: second, withIntermediateDirectories: false)
    #expect(try program.run("settings", "set", "backup-folder", second).code == 0)
    #expect(try program.run("backup").code == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: second + "/backups").count == 1)
    try FileManager.default.removeItem(atPath: second)
    let failed = try program.run("backup")
    #expect(failed.code != 0 && failed.errorOutput.contains(second))
  }

  @Test(arguments: [
    (":Europe/Berlin", "Europe/Berlin"), ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"), ("XYZ-2", "Etc/GMT-2"),
    ("<+0530>-5:30", "Asia/Kolkata"), ("<-0930>9:30", "Pacific/Marquesas"),
  ])
  func aZoneIsWrittenByItsName(setting: String, name: String) throws {
    let program = try BuiltProgram()
    let arguments = ["seed", "Idea", "--twig", "heart/joy"]
    #expect(try program.start(arguments, environment: ["TZ": setting]).outcome().code == 0)
    #expect(try program.json("log")["log"]?.elements?.first?.text("event.timeZone") == name)
  }

  @Test(arguments: [":/etc/passwd", "../../../etc/passwd", "zone.tab"])
  func aFileThatIsNoZoneIsNotRead(setting: String) throws {
    let program = try BuiltProgram()
    let outcome = try program.start(["settings", "get", "name"], environment: ["TZ": setting]).outcome()
    #expect(outcome.code == 0 && outcome.errorOutput == "")
    let seed = try program.start(["seed", "Idea", "--twig", "heart/joy"], environment: ["TZ": setting]).outcome()
    #expect(seed.code == 0 && seed.errorOutput == "")
    #expect(try program.json("log")["log"]?.elements?.first?.text("event.timeZone") == "UTC")
  }

  @Test func listsTheEventsOfADayWhereTheyWereWritten() throws {
    let program = try BuiltProgram()
    // The first is written at 22:00 on 9 November in Honolulu, the other at 23:00 on 10 November in Auckland.
    let events = zip(
      ["2026-11-10T08:00:00.000Z", "2026-11-10T10:00:00.000Z"], ["Pacific/Honolulu", "Pacific/Auckland"]
    )
    .map { time, zone in
      #"{"type":"sun_shone","timestamp":"\#(time)","client_id":"\#(time)","twigId":"branch-0-twig-0","#
        + #""twigLabel":"movement","content":"\#(zone)","timeZone":"\#(zone)"}"#
    }
    let file =
      #"{"version":4,"exportedAt":"2026-11-11T00:00:00.000Z","events":["# + events.joined(separator: ",") + "]}"
    #expect(try program.run("import", "-", input: file).code == 0)
    let log = try program.json("log", "--since", "2026-11-10")["log"]?.elements ?? []
    #expect(log.map { $0.text("event.content") } == ["Pacific/Auckland"])
  }

  @Test func listsEvents() throws {
    let program = try BuiltProgram()
    try program.plant("Cello", daysAgo: 10)
    _ = try program.json("water", "cello", "-m", "Long notes.")
    _ = try program.json("shine", "--twig", "heart/joy", "-m", "Laughed.")
    let all = try program.json("log")
    #expect(
      all["log"]?.elements?.compactMap { $0.text("event.type") } == [
        "sun_shone", "sprout_watered", "sprout_planted", "leaf_created",
      ])
    #expect(try program.json("log", "--limit", "1")["log"]?.elements?.count == 1)
    let yesterday = program.zone.dayKey(BuiltProgram.daysAgo(1)).description
    #expect(try program.json("log", "--since", yesterday)["log"]?.elements?.count == 2)
    #expect(try program.json("log", "--since", BuiltProgram.daysAgo(11).description)["log"]?.elements?.count == 4)
    #expect(try program.run("log", "--since", "2999-01-01").output == "Nothing has happened since then.\n")
    for wrong in ["yesterday", "2026-02-30", ""] { #expect(try program.run("log", "--since", wrong).code == 2) }
    let lines = try program.run("log").lines
    #expect(lines.count == 4)
    #expect(lines[1].contains("watered") && lines[1].hasSuffix("Long notes."))
  }

  @Test func theLogHasTheTitleAndTheTextOfAnEventOnce() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    _ = try program.json("seed", "Dance", "--twig", "heart/joy", "--notes", "On Fridays.")
    let lines = try program.run("log").lines
    #expect(lines[0].contains("Dance") && lines[0].hasSuffix("On Fridays."))
    #expect(lines.dropFirst().allSatisfy { $0.hasSuffix("Cello") && $0.split(separator: "Cello").count == 1 })
  }

  @Test func theLogHasAnEntryThatIsAlsoATitle() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    _ = try program.json("water", "Cello", "-m", "Cello")
    let line = try #require(try program.run("log", "--limit", "1").lines.first)
    #expect(line.contains("watered") && line.ranges(of: "Cello").count == 2)
  }
}
