import Foundation
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@Suite struct FormatTests {
  @Test func formatsSoil() {
    #expect(Formats.exactSoil(23.4) == "23.40")
    #expect(Formats.exactSoil(0) == "0.00")
    #expect(Formats.exactSoil(0.049) == "0.05")
    #expect(Formats.exactSoil(-1.5) == "−1.50")
    #expect(Formats.exactSoil(-0.001) == "0.00")
    #expect(Formats.exactSoil(99.995) == "100.00")
    #expect(Formats.soil(23.4) == "23.4")
    #expect(Formats.soil(8) == "8" && Formats.soil(0) == "0" && Formats.soil(8.05) == "8")
    #expect(Formats.soil(7.99) == "7.9", "8 soil could be spent")
    #expect(Formats.soil(0.1 + 0.2 + 7.7) == "8", "without the error of the sum")
    #expect(Formats.shortSoil(8) == "8")
    #expect(Formats.shortSoil(0.05) == "0.05")
    // Costs from a foreign file.
    #expect(Formats.soil(1e300) == "1e+300")
    #expect(Formats.shortSoil(1e300) == "1e+300")
    #expect(Formats.gain(-1e300) == "−1e+300")
  }

  @Test func formatsDates() throws {
    let berlin = try zone("Europe/Berlin")
    let evening = try instant("2026-11-20T23:05:09Z")
    #expect(Formats.date(evening, in: berlin) == "21 November 2026")
    #expect(Formats.dayAndMonth(berlin.local(evening).day) == "21 November")
    #expect(Formats.time(evening, in: berlin) == "00:05")
    #expect(Formats.dateAndTime(evening, in: berlin) == "21 November 2026, 00:05")
    #expect(Formats.weekday(berlin.local(evening).day) == "Saturday")
  }

  @Test func formatsTheTimeOfAnEvent() throws {
    let berlin = try zone("Europe/Berlin")
    func time(_ text: String) throws -> EventTime { EventTime(try instant(text), in: berlin) }
    #expect(Formats.dateAndTime(try time("2026-12-31T13:05:09Z")) == "31 December 2026, 14:05")
    let night = try time("2026-12-31T23:30:00Z")
    #expect(Formats.dateAndTime(night) == "31 December 2026, 00:30 at night", "the day ends at 06:00")
    #expect(Formats.dayAndTime(night) == "31 December, 00:30 at night")
    #expect(Formats.date(night) == "31 December 2026" && Formats.dayAndMonth(night) == "31 December")
    #expect(Formats.dateAndTime(try time("2027-01-01T04:58:59Z")) == "31 December 2026, 05:58 at night")
    #expect(Formats.dateAndTime(try time("2027-01-01T04:59:00Z")) == "31 December 2026", "written for yesterday")
    #expect(Formats.dateAndTime(try time("2027-01-01T05:00:00Z")) == "1 January 2027, 06:00")
    #expect(night.localStamp == "2027-01-01T00:30", "programs get the date of the calendar")
  }

  @Test func formatsElapsedTime() throws {
    let berlin = try zone("Europe/Berlin")
    let now = try instant("2026-11-20T09:00:00Z")
    func ago(_ text: String) throws -> String {
      Formats.ago(berlin.dayKey(try instant(text)), today: berlin.dayKey(now))
    }
    #expect(try ago("2026-11-20T05:00:00Z") == "today")
    #expect(try ago("2026-11-20T04:59:59Z") == "yesterday", "before 06:00 belongs to the day before")
    #expect(try ago("2026-11-21T09:00:00Z") == "today", "a clock that is ahead")
    #expect(try ago("2026-11-18T09:00:00Z") == "2 days ago")
    #expect(try ago("2026-09-22T09:00:00Z") == "59 days ago")
    #expect(try ago("2026-09-21T09:00:00Z") == "2 months ago")
    #expect(try ago("2024-11-20T09:00:00Z") == "2 years ago")
  }

  @Test func formatsRemainingTime() throws {
    let (now, berlin) = (try instant("2026-11-20T09:00:00Z"), try zone("Europe/Berlin"))  // 10:00
    func left(_ due: String) throws -> String { Formats.left(until: try instant(due), now: now, in: berlin) }
    #expect(try left("2026-11-20T09:00:00Z") == "ready")
    #expect(try left("2026-11-20T08:59:55Z") == "ready")
    #expect(try left("2026-11-20T09:00:02Z") == "1 minute")
    #expect(try left("2026-11-20T09:59:59Z") == "59 minutes")
    #expect(try left("2026-11-20T10:00:00Z") == "1 hour")
    #expect(try left("2026-11-20T11:00:00Z") == "2 hours")
    #expect(try left("2026-11-20T22:59:59Z") == "13 hours", "still the same day in Berlin")
    #expect(try left("2026-11-20T23:00:00Z") == "1 day", "the next day, though less than 24 hours away")
    #expect(try left("2026-11-21T22:59:59Z") == "1 day", "the next day, though more than 24 hours away")
    #expect(try left("2026-12-24T09:00:00Z") == "34 days")
  }

  @Test(arguments: [
    // In winter and in summer time.
    ("2026-02-09T13:32:07.123456+00:00", "2026-02-09T20:00:00Z", "Europe/Berlin", "today 14:32"),
    ("2026-07-09T12:32:07Z", "2026-07-09T20:00:00Z", "Europe/Berlin", "today 14:32"),
    // The day is a local calendar day, not one in UTC or from 06:00.
    ("2026-02-09T22:59:59Z", "2026-02-09T23:00:00Z", "Europe/Berlin", "yesterday 23:59"),
    ("2026-02-09T23:00:00Z", "2026-02-10T03:00:00Z", "Europe/Berlin", "today 00:00"),
    ("2026-02-09T23:30:00Z", "2026-02-10T00:30:00Z", "Etc/UTC", "yesterday 23:30"),
    ("2026-02-09T23:30:00Z", "2026-02-10T00:30:00Z", "America/New_York", "today 18:30"),
    ("2026-02-09T18:20:00Z", "2026-02-10T00:30:00Z", "Asia/Kathmandu", "today 00:05"),
    // The hour that comes twice, and the days of 23 and 25 hours.
    ("2026-10-25T00:30:00Z", "2026-10-25T12:00:00Z", "Europe/Berlin", "today 02:30"),
    ("2026-10-25T01:30:00Z", "2026-10-25T12:00:00Z", "Europe/Berlin", "today 02:30"),
    ("2026-10-24T22:00:00Z", "2026-10-25T22:59:00Z", "Europe/Berlin", "today 00:00"),
    ("2026-03-28T23:00:00Z", "2026-03-29T21:59:00Z", "Europe/Berlin", "today 00:00"),
    ("2026-03-28T22:59:00Z", "2026-03-29T21:59:00Z", "Europe/Berlin", "yesterday 23:59"),
    ("2026-02-07T13:32:00Z", "2026-02-09T13:32:00Z", "Europe/Berlin", "7 February, 14:32"),
    ("2025-12-31T22:30:00Z", "2026-01-02T12:00:00Z", "Europe/Berlin", "31 December 2025, 23:30"),
    ("2025-12-31T23:30:00Z", "2026-01-03T12:00:00Z", "Europe/Berlin", "1 January, 00:30"),
    // The server's clock is ahead.
    ("2026-02-10T00:30:00Z", "2026-02-09T22:30:00Z", "Europe/Berlin", "10 February, 01:30"),
  ])
  func formatsTimesInThePast(text: String, now: String, place: String, expected: String) throws {
    let stamp = Formats.stamp(try instant(text), now: try instant(now), in: try zone(place))
    #expect(stamp == expected)
  }

  @Test func formatsTimesOfReturn() throws {
    let berlin = try zone("Europe/Berlin")
    let now = try instant("2026-11-20T03:00:00Z")
    #expect(Formats.moment(berlin.nextReset(after: now), now: now, in: berlin) == "today at 06:00")
    let later = now.adding(seconds: 3 * 3600)
    #expect(Formats.moment(berlin.nextReset(after: later), now: later, in: berlin) == "tomorrow at 06:00")
    #expect(Formats.moment(berlin.nextWeek(after: later), now: later, in: berlin) == "on Monday at 06:00")
    let monday = berlin.nextWeek(after: later)
    let next = Formats.moment(berlin.nextWeek(after: monday), now: monday, in: berlin)
    #expect(next.hasPrefix("next Monday, "))
  }

  @Test func everySeasonEnvironmentAndResultHasAName() {
    #expect(Set(Season.allCases.map(Formats.season)).count == 5)
    #expect(Set(Ground.allCases.map(Formats.ground)).count == 3)
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
    let folder = TemporaryFolder("settings")
    try withExtendedLifetime(folder) { try body(folder.path, folder.path + "/trunk.conf") }
  }

  @Test func settingsAreStoredOnlyAfterAChange() throws {
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

  /// Users keep their preferences in a repository, for example.
  @Test func aLinkToThePreferencesStays() throws {
    try inFolder { folder, file in
      let (files, elsewhere) = (FileManager.default, folder + "/elsewhere")
      try files.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
      try files.createSymbolicLink(atPath: file, withDestinationPath: elsewhere + "/trunk.conf")
      let unmounted = Settings(folder: folder)
      #expect(unmounted.problem != nil, "the link leads nowhere")
      #expect(throws: Settings.Unreadable.self) { try unmounted.set(appearance: .dark) }
      try "[profile]\nname=Ada\n".write(toFile: elsewhere + "/trunk.conf", atomically: true, encoding: .utf8)
      let settings = Settings(folder: folder)
      try settings.set(appearance: .dark)
      #expect(try files.destinationOfSymbolicLink(atPath: file) == elsewhere + "/trunk.conf")
      #expect(try String(contentsOfFile: elsewhere + "/trunk.conf", encoding: .utf8).contains("name=Ada"))
      #expect(Settings(folder: folder).appearance == .dark)
    }
  }

  /// The preferences may be edited by hand. The backups would be in another folder for each working directory.
  @Test(arguments: [("~/Backups", "/Backups"), ("Backups", "/Backups"), ("~", ""), ("~x", "/~x")])
  func aFolderForBackupsIsInTheHome(typed: String, below: String) throws {
    try inFolder { folder, file in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try "[backups]\nfolder=\(typed)\n".write(toFile: file, atomically: true, encoding: .utf8)
      let home = try #require(ProcessInfo.processInfo.environment["HOME"])
      #expect(Settings(folder: folder).backupFolder == home + below)
    }
  }

  @Test(arguments: [("", "~"), ("/.local/share/trunk", "~/.local/share/trunk")])
  func aPathInTheHomeIsDisplayedWithATilde(below: String, displayed: String) throws {
    let home = try #require(ProcessInfo.processInfo.environment["HOME"])
    #expect(Folders.displayed(home + below) == displayed)
    for elsewhere in ["/media/stick", home + "-of-others/trunk"] {
      #expect(Folders.displayed(elsewhere) == elsewhere)
    }
  }

  @Test func theLanguageOfTheSpellingIsStored() throws {
    try inFolder { folder, file in
      let settings = Settings(folder: folder)
      #expect(settings.spelling == .desktop)
      for choice in [Settings.Spelling.off, .language("de_AT"), .desktop] {
        try settings.set(spelling: choice)
        #expect(Settings(folder: folder).spelling == choice)
      }
    }
  }

  @Test func changesOfOtherProgramsAreRead() throws {
    try inFolder { folder, file in
      let settings = Settings(folder: folder)
      try settings.set(name: "Ada")
      let revision = settings.revision
      settings.reload()
      #expect(settings.revision == revision)
      try Settings(folder: folder).set(name: "Ben")
      #expect(settings.name == "Ada")
      settings.reload()
      #expect(settings.name == "Ben")
      #expect(settings.revision > revision)
      try "[profile".write(toFile: file, atomically: false, encoding: .utf8)
      settings.reload()
      #expect(settings.problem?.path == file)
      #expect(throws: Settings.Unreadable.self) { try settings.set(name: "Eve") }
      try "[profile]\nname=Cy\n".write(toFile: file, atomically: false, encoding: .utf8)
      settings.reload()
      #expect(settings.problem == nil)
      #expect(settings.name == "Cy")
    }
  }

  @Test func manualEditsAreKept() throws {
    try inFolder { folder, file in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let text = "# mine\n\n[appearance]\n# at night\ncolor-scheme=dark\n\n[other]\nkey=value\n"
      try text.write(toFile: file, atomically: false, encoding: .utf8)
      let settings = Settings(folder: folder)
      #expect(settings.appearance == .dark)
      // The user adds a line while the program runs.
      try (text + "[more]\na=b\n").write(toFile: file, atomically: false, encoding: .utf8)
      try settings.set(appearance: .light)
      let now = try String(contentsOfFile: file, encoding: .utf8)
      for kept in ["# mine", "# at night", "color-scheme=light", "key=value", "a=b"] {
        #expect(now.contains(kept), "\(kept)")
      }
    }
  }

  @Test func anUnknownValueIsIgnored() throws {
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
