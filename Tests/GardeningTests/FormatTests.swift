import Foundation
import Garden
import Testing

@testable import Gardening

@Suite struct FormatTests {
  @Test func writesSoil() {
    #expect(Formats.soil(23.4) == "23.40")
    #expect(Formats.soil(0) == "0.00")
    #expect(Formats.soil(0.049) == "0.05")
    #expect(Formats.soil(-1.5) == "−1.50")
    #expect(Formats.soil(-0.001) == "0.00")
    #expect(Formats.soil(99.995) == "100.00")
    #expect(Formats.shortSoil(8) == "8")
    #expect(Formats.shortSoil(0.05) == "0.05")
    // Costs from a file that somebody else wrote.
    #expect(Formats.soil(1e300) == "1e+300")
    #expect(Formats.shortSoil(1e300) == "1e+300")
    #expect(Formats.gain(-1e300) == "−1e+300")
  }

  @Test func writesDates() throws {
    let berlin = try zone("Europe/Berlin")
    let evening = try instant("2026-11-20T23:05:09Z")
    #expect(Formats.date(evening, in: berlin) == "21 November 2026")
    #expect(Formats.dayAndMonth(evening, in: berlin) == "21 November")
    #expect(Formats.time(evening, in: berlin) == "00:05")
    #expect(Formats.dateAndTime(evening, in: berlin) == "21 November 2026, 00:05")
    #expect(Formats.weekday(berlin.local(evening).day) == "Saturday")
  }

  @Test func tellsHowLongAgo() throws {
    let berlin = try zone("Europe/Berlin")
    let now = try instant("2026-11-20T09:00:00Z")
    func ago(_ text: String) throws -> String { Formats.ago(try instant(text), now: now, in: berlin) }
    #expect(try ago("2026-11-20T05:00:00Z") == "today")
    #expect(try ago("2026-11-20T04:59:59Z") == "yesterday", "before 06:00 belongs to the day before")
    #expect(try ago("2026-11-21T09:00:00Z") == "today", "a clock that is ahead")
    #expect(try ago("2026-11-18T09:00:00Z") == "2 days ago")
    #expect(try ago("2026-09-22T09:00:00Z") == "59 days ago")
    #expect(try ago("2026-09-21T09:00:00Z") == "2 months ago")
    #expect(try ago("2024-11-20T09:00:00Z") == "2 years ago")
  }

  @Test func tellsHowLongStill() throws {
    let now = try instant("2026-11-20T09:00:00Z")
    func left(_ seconds: Int64) -> String { Formats.left(until: now.adding(seconds: seconds), now: now) }
    #expect(left(0) == "ready")
    #expect(left(-5) == "ready")
    #expect(left(60) == "1 hour")
    #expect(left(7200) == "2 hours")
    #expect(left(86_399) == "23 hours")
    #expect(left(86_400) == "1 day")
    #expect(left(86_401) == "2 days")
    #expect(left(34 * 86_400) == "34 days")
  }

  @Test func tellsWhenSomethingComesBack() throws {
    let berlin = try zone("Europe/Berlin")
    let now = try instant("2026-11-20T03:00:00Z")
    #expect(Formats.moment(berlin.nextReset(after: now), now: now, in: berlin) == "today at 06:00")
    let later = now.adding(seconds: 3 * 3600)
    #expect(Formats.moment(berlin.nextReset(after: later), now: later, in: berlin) == "tomorrow at 06:00")
    #expect(Formats.moment(berlin.nextWeek(after: later), now: later, in: berlin) == "on Monday at 06:00")
  }

  @Test func everySeasonEnvironmentAndResultHasAName() {
    #expect(Set(Season.allCases.map(Formats.season)).count == 5)
    #expect(Set(Environment.allCases.map(Formats.environment)).count == 3)
    #expect((1...5).map(Formats.result) == ["Withered", "Wilted", "Budded", "Bloomed", "Flourished"])
  }
}

@Suite struct PlaceTests {
  @Test func readsPaths() {
    #expect(Node(path: "voice/practice") == .twig(branch: 2, twig: 0))
    #expect(Node(path: " VOICE / Practice ") == .twig(branch: 2, twig: 0))
    #expect(Node(path: "heart") == .branch(4))
    for wrong in ["", "/", "voice/", "voice/practice/x", "voice/joy", "trunk"] { #expect(Node(path: wrong) == nil) }
  }

  @Test func readsTheZonesOfTheSystem() throws {
    #expect(Zone.named("Mars/Olympus") == nil)
    let lordHowe = try zone("Australia/Lord_Howe")
    #expect(lordHowe.offset(at: try instant("2026-01-01T00:00:00Z")) == 39_600)
    #expect(lordHowe.offset(at: try instant("2026-07-01T00:00:00Z")) == 37_800)
    let berlin = try zone("Europe/Berlin")
    #expect(berlin.offset(at: try instant("2026-03-29T00:59:59Z")) == 3600)
    #expect(berlin.offset(at: try instant("2026-03-29T01:00:00Z")) == 7200)
    #expect(berlin.identifier == "Europe/Berlin")
    #expect(!Zone.system().identifier.isEmpty)
  }
}

@MainActor @Suite struct SettingsTests {
  private func inFolder(_ body: (String, String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "settings-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }  // best effort
    try body(folder, folder + "/trunk.conf")
  }

  @Test func makeNoFileUntilSomethingIsSet() throws {
    try inFolder { folder, file in
      let settings = Settings(folder: folder)
      #expect(settings.appearance == .system)
      #expect(settings.backupFolder == nil)
      #expect(settings.problem == nil)
      #expect(!FileManager.default.fileExists(atPath: folder))
      try settings.set(appearance: .dark)
      #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
      #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
      try settings.set(name: "Ada; # [x] = ü")
      try settings.set(backupFolder: "/media/stick with spaces")
      let again = Settings(folder: folder)
      #expect(again.appearance == .dark)
      #expect(again.name == "Ada; # [x] = ü")
      #expect(again.backupFolder == "/media/stick with spaces")
      try again.set(backupFolder: nil)
      #expect(Settings(folder: folder).backupFolder == nil)
    }
  }

  @Test func keepWhatAHandWrote() throws {
    try inFolder { folder, file in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let text = "# mine\n\n[appearance]\n# at night\ncolor-scheme=dark\n\n[other]\nkey=value\n"
      try text.write(toFile: file, atomically: false, encoding: .utf8)
      let settings = Settings(folder: folder)
      #expect(settings.appearance == .dark)
      // While the program runs somebody adds a line.
      try (text + "[more]\na=b\n").write(toFile: file, atomically: false, encoding: .utf8)
      try settings.set(appearance: .light)
      let now = try String(contentsOfFile: file, encoding: .utf8)
      for kept in ["# mine", "# at night", "color-scheme=light", "key=value", "a=b"] {
        #expect(now.contains(kept), "\(kept)")
      }
    }
  }

  @Test func anUnknownValueCountsAsNone() throws {
    try inFolder { folder, file in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try "[appearance]\ncolor-scheme=plaid\n".write(toFile: file, atomically: false, encoding: .utf8)
      #expect(Settings(folder: folder).appearance == .system)
    }
  }

  @Test(arguments: ["nonsense", "[appearance\ncolor-scheme=dark\n", "[a]\nb\n"])
  func anUnreadableFileIsNeverOverwritten(text: String) throws {
    try inFolder { folder, file in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try text.write(toFile: file, atomically: false, encoding: .utf8)
      let settings = Settings(folder: folder)
      #expect(settings.appearance == .system)
      #expect(settings.problem?.path == file)
      #expect(throws: Settings.Unreadable.self) { try settings.set(appearance: .light) }
      #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    }
  }

  @Test func aFileThatBecameUnreadableIsNotOverwritten() throws {
    try inFolder { folder, file in
      let settings = Settings(folder: folder)
      try settings.set(appearance: .dark)
      try "nonsense".write(toFile: file, atomically: false, encoding: .utf8)
      #expect(throws: Settings.Unreadable.self) { try settings.set(appearance: .light) }
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "nonsense")
    }
  }
}
