import Foundation
import Testing

/// Tests the German catalogue with the built program in a German locale.
///
/// The program is a separate process, because the locale belongs to the whole process.
@Suite struct GermanTests {
  private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let hasLocaleSources =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/localedef")
    && FileManager.default.fileExists(atPath: "/usr/share/i18n/locales/de_DE")

  private let home: URL

  init() throws {
    home = FileManager.default.temporaryDirectory.appendingPathComponent("german-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
  }

  @Test(.enabled(if: hasLocaleSources, "a German locale can’t be made here: install the package locales"))
  func theProgramSpeaksGerman() throws {
    defer {
      // The system empties this folder itself when we can't.
      try? FileManager.default.removeItem(at: home)
    }
    let messages = home.appendingPathComponent("locale/de/LC_MESSAGES")
    try FileManager.default.createDirectory(at: messages, withIntermediateDirectories: true)
    let po = GermanTests.project.appendingPathComponent("po/de.po").path
    #expect(try run("/usr/bin/msgfmt", ["-o", messages.path + "/trunk.mo", po]).code == 0)
    let locale = home.path + "/de_DE.UTF-8"
    #expect(try run("/usr/bin/localedef", ["-i", "de_DE", "-f", "UTF-8", "--no-archive", locale]).code == 0)

    #expect(try trunkctl("import", "--dry-run", events(1)).output == "1 Ereignis wäre neu.\n")
    #expect(try trunkctl("import", "--dry-run", events(2)).output == "2 Ereignisse wären neu.\n")

    let planted = try trunkctl("plant", "Üben & Hören", "--twig", "voice/practice").output
    #expect(planted.contains("„Üben & Hören“ an Voice · Üben gepflanzt."))
    // Names of months and the decimal comma come from the locale.
    let months = "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember"
    #expect(planted.range(of: #"ab [1-9][0-9]?\. (\#(months)) 20[0-9]{2}\."#, options: .regularExpression) != nil)
    let status = try trunkctl("status").output
    #expect(status.range(of: #"[0-9],[0-9]{2} von 10,00 frei"#, options: .regularExpression) != nil)
  }

  @Test func aLostPlaceholderIsFound() throws {
    defer {
      // The system empties this folder itself when we can't.
      try? FileManager.default.removeItem(at: home)
    }
    let check = GermanTests.project.appendingPathComponent("scripts/check-translations").path
    let po = home.appendingPathComponent("xx.po")
    func complaint(_ one: String, _ many: String) throws -> String {
      try """
      msgid ""
      msgstr ""
      "Language: de\\n"
      "Content-Type: text/plain; charset=UTF-8\\n"
      "Plural-Forms: nplurals=2; plural=(n != 1);\\n"

      msgid "{n} leaf on {twig}"
      msgid_plural "{n} leaves on {twig}"
      msgstr[0] "\(one)"
      msgstr[1] "\(many)"

      """.write(to: po, atomically: true, encoding: .utf8)
      let answer = try run(check, [po.path])
      #expect((answer.code == 0) == answer.output.isEmpty)
      return answer.output
    }
    #expect(try complaint("{n} Blatt an {twig}", "{n} Blätter an {twig}") == "")
    #expect(try complaint("{n} Blatt an {twig}", "{n} Blätter").contains("„") == false)
    #expect(try complaint("{n} Blatt an {twig}", "{n} Blätter").contains("“{n} Blätter”"))
    #expect(try complaint("{n} Blatt an {zweig}", "{n} Blätter an {twig}").contains("“{n} Blatt an {zweig}”"))
    #expect(try complaint("{n} Blatt an {twig}", "{n} Blätter an {twig").contains("“{n} Blätter an {twig”"))
  }

  private struct Answer {
    let code: Int32
    let output: String
  }

  private func trunkctl(_ arguments: String...) throws -> Answer {
    let built = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    return try run(
      built.appendingPathComponent("trunkctl").path, arguments,
      environment: [
        "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de", "LOCPATH": home.path,
        "TRUNK_LOCALEDIR": home.path + "/locale", "XDG_DATA_HOME": home.path + "/data",
        "XDG_STATE_HOME": home.path + "/state", "XDG_CONFIG_HOME": home.path + "/config",
      ])
  }

  /// The exit code and the text on both outputs.
  private func run(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws -> Answer {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Answer(code: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
  }

  /// A file with a number of events.
  private func events(_ count: Int) throws -> String {
    let leaves = (1...count).map { number in
      #"{"type":"leaf_created","leafId":"leaf-\#(number)","twigId":"branch-0-twig-0","name":"A","#
        + #""timestamp":"2026-01-01T00:00:00Z"}"#
    }
    let file = home.appendingPathComponent("events-\(count).json")
    let text = "{\"version\":1,\"events\":[\(leaves.joined(separator: ","))]}"
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }
}
