import Foundation
import TemporaryFolders
import Testing

/// Runs the built `trunkctl` with the catalogues in `po`, in the locale of one language, with a separate home folder.
///
/// The program is a separate process, because the locale belongs to the whole process.
final class TranslatedProgram {
  struct Outcome {
    let code: Int32
    let output: String
  }

  static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private let folder: TemporaryFolder
  var home: URL { URL(fileURLWithPath: folder.path) }
  private let locale: String
  private var language: String { String(locale.prefix(2)) }

  /// Whether the system can make a locale such as `de_DE`, and `po` has its language.
  static func isPossible(_ locale: String) -> Bool {
    let files = FileManager.default
    return files.isExecutableFile(atPath: "/usr/bin/localedef")
      && files.fileExists(atPath: "/usr/share/i18n/locales/" + locale)
      && files.fileExists(atPath: project.appendingPathComponent("po/\(locale.prefix(2)).po").path)
  }

  init(locale: String, withQuestions: Bool = true) throws {
    self.locale = locale
    folder = TemporaryFolder("language")
    let messages = home.appendingPathComponent("locale/\(language)/LC_MESSAGES")
    try FileManager.default.createDirectory(at: messages, withIntermediateDirectories: true)
    for (folder, domain) in [("po", "trunk")] + (withQuestions ? [("po/questions", "trunk-questions")] : []) {
      let po = TranslatedProgram.project.appendingPathComponent("\(folder)/\(language).po").path
      #expect(try run("/usr/bin/msgfmt", ["-o", "\(messages.path)/\(domain).mo", po]).code == 0)
    }
    let made = home.path + "/\(locale).UTF-8"
    #expect(try run("/usr/bin/localedef", ["-i", locale, "-f", "UTF-8", "--no-archive", made]).code == 0)
  }

  func trunkctl(_ arguments: String...) throws -> Outcome {
    let built = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    return try run(
      built.appendingPathComponent("trunkctl").path, arguments,
      environment: [
        "LC_ALL": locale + ".UTF-8", "LANGUAGE": language, "LOCPATH": home.path,
        "TRUNK_LOCALEDIR": home.path + "/locale", "XDG_DATA_HOME": home.path + "/data",
        "XDG_STATE_HOME": home.path + "/state", "XDG_CONFIG_HOME": home.path + "/config",
      ])
  }

  /// A file with a number of events.
  func events(_ count: Int) throws -> String {
    let leaves = (0..<count).map { number in
      #"{"type":"leaf_created","leafId":"leaf-\#(number)","twigId":"branch-0-twig-0","name":"A","#
        + #""timestamp":"2026-01-01T00:00:00Z"}"#
    }
    let file = home.appendingPathComponent("events-\(count).json")
    let text = "{\"version\":1,\"events\":[\(leaves.joined(separator: ","))]}"
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }
}

extension TranslatedProgram.Outcome {
  func matches(_ pattern: String) -> Bool { output.range(of: pattern, options: .regularExpression) != nil }
}

/// The exit code and the text on both outputs.
func run(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws
  -> TranslatedProgram.Outcome
{
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
  return TranslatedProgram.Outcome(code: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
}
