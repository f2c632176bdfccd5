import Foundation
import Localization
import TemporaryFolders
import Testing
import TrunkModel

@testable import TrunkKit

/// Tests dates, numbers and questions with the catalogues of `po`, in the locales of the system.
@Suite struct LocalFormatTests {
  @Test(.enabled(if: canMakeLocales, "locales can’t be made here: install the package locales"))
  func datesAndNumbersFollowTheRulesOfTheLanguage() async {
    // In a separate process, because all tests share the environment and the locale.
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder("languages")
      defer { withExtendedLifetime(folder) {} }
      for form in Form.all {
        try form.choose(in: folder)
        #expect(Formats.day(try day(2026, 11, 1)) == form.first)
        #expect(Formats.dayAndMonth(try day(2026, 3, 21)) == form.other)
        #expect(Formats.month(try day(2026, 3, 1)) == form.month)
        #expect(Formats.exactSoil(12_345.6) == form.soil)
        #expect(Formats.shortSoil(1234).filter(\.isNumber) == "1234")
        #expect(Formats.percent(0.43) == form.percent)
      }
    }
  }

  /// The texts of these locales are English.
  @Test(.enabled(if: canMakeLocales, "locales can’t be made here: install the package locales"))
  func timesAndDatesFollowTheLocale() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder("locales")
      defer { withExtendedLifetime(folder) {} }
      for country in Country.all {
        if country.isInstalled { try makeLocale(country.locale, in: folder) }
        setenv("LOCPATH", folder.path, 1)
        setenv("LC_ALL", country.locale + ".UTF-8", 1)
        setUpLocalization()
        try country.check()
      }
    }
  }

  /// The language is English, but times and dates are those of another country.
  @Test(.enabled(if: canMakeLocales, "locales can’t be made here: install the package locales"))
  func theCategoryOfTimeDecides() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder("locales")
      defer { withExtendedLifetime(folder) {} }
      try makeLocale("en_US", in: folder)
      try makeLocale("en_GB", in: folder)
      setenv("LOCPATH", folder.path, 1)
      unsetenv("LC_ALL")
      setenv("LANG", "en_US.UTF-8", 1)
      setenv("LC_TIME", "en_GB.UTF-8", 1)
      setUpLocalization()
      try #require(Country.all.first { $0.locale == "en_GB" }).check()
    }
  }

  @Test(.enabled(if: canMakeLocales, "locales can’t be made here: install the package locales"))
  func examplesOfSearchesWork() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder("languages")
      defer { withExtendedLifetime(folder) {} }
      for form in Form.all {
        try form.choose(in: folder)
        let examples = [
          trc("search example", "twig:practice"), trc("search example", "kind:sun"),
          trc("search example", "result:>=4"), trc("search example", "from:2024 to:2026-03"),
          trc("search filter", "on") + ":" + trc("search filter", "today").replacing("’", with: "'"),
        ]
        for example in examples {
          let query = SearchQuery(example, in: Garden(zone: .utc), today: try day(2026, 11, 21))
          #expect(query.problems == [] && !query.filters.isEmpty, "\(example)")
        }
      }
    }
  }

  @Test(.enabled(if: canMakeLocales, "locales can’t be made here: install the package locales"))
  func questionsAreInEnglishUntilTheyAreTranslated() async {
    await #expect(processExitsWith: .success) {
      for hasQuestions in [true, false] {
        let folder = TemporaryFolder("languages")
        defer { withExtendedLifetime(folder) {} }
        for form in Form.all {
          try form.choose(in: folder, withQuestions: hasQuestions)
          var random = SeededRandom(seed: 1)
          var questions = Questions(recentWater: [], recentSun: [])
          let water = questions.water(in: .middle, using: &random)
          #expect(ResourceTexts.waterQuestions[.middle]?.contains(water) == !hasQuestions, "\(form.locale)")
          #expect(
            Node.branch(0).presetNote != ResourceTexts.descriptions[.branch(0)],
            "the names of the tree are texts of the program")
        }
      }
    }
  }
}

private let canMakeLocales =
  FileManager.default.isExecutableFile(atPath: "/usr/bin/localedef")
  && Form.all.allSatisfy { FileManager.default.fileExists(atPath: "/usr/share/i18n/locales/" + $0.locale) }

private func day(_ year: Int32, _ month: Int32, _ day: Int32) throws -> Day {
  try #require(Day(year: year, month: month, day: day))
}

private func makeLocale(_ locale: String, in folder: TemporaryFolder) throws {
  try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
  try run("/usr/bin/localedef", ["-i", locale, "-f", "UTF-8", "--no-archive", folder.path + "/\(locale).UTF-8"])
}

private func run(_ program: String, _ arguments: [String]) throws {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = arguments
  try process.run()
  process.waitUntilExit()
  try #require(process.terminationStatus == 0)
}

/// How a country writes times and dates.
private struct Country {
  let locale: String
  /// Whether the C library knows it.
  var isInstalled = true
  let date: String
  let other: String
  let short: String
  let month: String
  let night: String
  let noon: String
  /// 0 = Monday … 6 = Sunday.
  let firstWeekday: Int32

  func check() throws {
    let (day, utc) = (try day(2026, 11, 1), Zone.utc)
    let name: Comment = "\(locale)"
    #expect(Formats.day(day) == date, name)
    #expect(Formats.dayAndMonth(try TrunkKitTests.day(2026, 3, 21)) == other, name)
    #expect(Formats.shortDay(day) == short, name)
    #expect(Formats.month(day) == month, name)
    #expect(Formats.time(utc.instant(day: day, second: 5 * 60), in: utc) == night, name)
    #expect(Formats.time(hour: 12) == noon, name)
    let both = Formats.dateAndTime(utc.instant(day: day, second: 5 * 60), in: utc)
    #expect(both.filter { !"\u{2068}\u{2069}".contains($0) } == date + ", " + night, name)
    #expect(LocaleTime.current.firstWeekday == firstWeekday, name)
  }

  static let all = [
    Country(
      locale: "en_US", isInstalled: false, date: "November 1, 2026", other: "March 21", short: "Nov 1",
      month: "November 2026", night: "12:05 AM", noon: "12:00 PM", firstWeekday: 6),
    Country(
      locale: "de_DE", isInstalled: false, date: "1 November 2026", other: "21 March", short: "1 Nov",
      month: "November 2026", night: "00:05", noon: "12:00", firstWeekday: 0),
    Country(
      locale: "en_US", date: "November 1, 2026", other: "March 21", short: "Nov 1", month: "November 2026",
      night: "12:05 AM", noon: "12:00 PM", firstWeekday: 6),
    Country(
      locale: "en_GB", date: "1 November 2026", other: "21 March", short: "1 Nov", month: "November 2026",
      night: "00:05", noon: "12:00", firstWeekday: 0),
    // The short date is 2026-11-01, the long one isn’t.
    Country(
      locale: "en_CA", date: "1 November 2026", other: "21 March", short: "1 Nov", month: "November 2026",
      night: "12:05 AM", noon: "12:00 PM", firstWeekday: 6),
    Country(
      locale: "lt_LT", date: "2026 lapkričio 1", other: "kovo 21", short: "lapkr. 1", month: "2026 lapkričio",
      night: "00:05", noon: "12:00", firstWeekday: 0),
    Country(
      locale: "zh_HK", date: "2026 十一月 1", other: "三月 21", short: "11月 1", month: "2026 十一月",
      night: "上午 12:05", noon: "下午 12:00", firstWeekday: 6),
    Country(
      locale: "ar_EG", date: "1 نوفمبر 2026", other: "21 مارس", short: "1 نوف", month: "نوفمبر 2026",
      night: "12:05 ص", noon: "12:00 م", firstWeekday: 5),
  ]
}

/// How a language writes dates and numbers.
private struct Form {
  let locale: String
  let first: String
  let other: String
  let month: String
  let soil: String
  let percent: String

  var language: String { String(locale.prefix(2)) }
  var catalogue: URL { Form.catalogues.appendingPathComponent(language + ".po") }

  static let catalogues = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("po")
  static let all = [
    Form(
      locale: "de_DE", first: "1. November 2026", other: "21. März", month: "März 2026", soil: "12.345,60",
      percent: "43\u{a0}%"),
    Form(
      locale: "es_ES", first: "1 de noviembre de 2026", other: "21 de marzo", month: "Marzo de 2026", soil: "12.345,60",
      percent: "43\u{a0}%"),
    Form(
      locale: "fr_FR", first: "1er novembre 2026", other: "21 mars", month: "Mars 2026", soil: "12\u{202f}345,60",
      percent: "43\u{a0}%"),
  ].filter { FileManager.default.fileExists(atPath: $0.catalogue.path) }

  /// Makes the locale and the compiled catalogue, and chooses them for this process.
  func choose(in temporary: TemporaryFolder, withQuestions: Bool = true) throws {
    let folder = URL(fileURLWithPath: temporary.path)
    let messages = folder.appendingPathComponent("messages/\(language)/LC_MESSAGES")
    try FileManager.default.createDirectory(at: messages, withIntermediateDirectories: true)
    try run("/usr/bin/msgfmt", ["-o", messages.appendingPathComponent("trunk.mo").path, catalogue.path])
    if withQuestions {
      let questions = Form.catalogues.appendingPathComponent("questions/\(language).po").path
      try run("/usr/bin/msgfmt", ["-o", messages.appendingPathComponent("trunk-questions.mo").path, questions])
    }
    try makeLocale(locale, in: temporary)
    setenv("LOCPATH", folder.path, 1)
    setenv("TRUNK_LOCALEDIR", folder.appendingPathComponent("messages").path, 1)
    setenv("LC_ALL", locale + ".UTF-8", 1)
    setenv("LANGUAGE", language, 1)
    setUpLocalization()
  }
}
