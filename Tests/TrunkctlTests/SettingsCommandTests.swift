import Foundation
import Testing
import TrunkModel

@Suite struct SettingsCommandTests {
  private let program: BuiltProgram

  init() throws {
    program = try BuiltProgram()
  }

  @Test(arguments: [
    ("name", "Ada"), ("appearance", "dark"), ("seasons", "off"), ("spelling", "off"), ("spelling", "en_GB"),
    ("desktop-search", "on"), ("reminders", "on"), ("reminder-frequency", "every-3-days"),
    ("reminder-time", "evening"), ("reminder-harvest", "off"), ("reminder-sun", "off"), ("hide-text", "on"),
    ("server-kind", "trunk"), ("server", "https://garden.example"), ("server-key", "key"), ("send", "off"),
  ])
  func keepsAValue(name: String, value: String) throws {
    if name == "server" { _ = try program.json("settings", "set", "server-key", "key") }
    let set = try program.run("settings", "set", name, value)
    #expect(set.code == 0 && set.output == "\(name): \(value)\n", "\(set.errorOutput)")
    #expect(try program.run("settings", "get", name).output == value + "\n")
    let listed = try program.json("settings").at("settings")?.elements ?? []
    #expect(listed.first { $0.text("name") == name }?.text("value") == value)
    #expect(!FileManager.default.fileExists(atPath: program.garden), "a setting needs no garden")
  }

  @Test(
    arguments: [
      ("appearance", "blue", 2), ("seasons", "perhaps", 2), ("spelling", "../x", 2), ("spelling", "xx_XX", 3),
      ("reminder-time", "noon", 2), ("backup-folder", "/nowhere", 5), ("backup-folder", "/proc/self", 4),
      ("time-zone", "Europe/Berlin", 1), ("server", "http://garden.example", 1),
      ("server", "https://garden.example", 1), ("colour", "red", 2),
    ] as [(String, String, Int32)])
  func rejectsOtherValues(name: String, value: String, code: Int32) throws {
    let outcome = try program.run("settings", "set", name, value)
    #expect(outcome.code == code && outcome.output == "" && !outcome.errorOutput.isEmpty, "\(outcome)")
    #expect(program.files == [])
  }

  @Test func aNameHasNoInvisibleLetters() throws {
    let set = try program.run("settings", "set", "name", "\u{202E}A\u{200B}da\u{3164}\u{AD}\nLove\u{1B}lace\u{200D}")
    #expect(set.output == "name: Ada Love lace\n")
    _ = try program.json("settings", "set", "name", "می\u{200C}خواهم 👩\u{200D}🌾")
    #expect(try program.run("settings", "get", "name").output == "می\u{200C}خواهم 👩\u{200D}🌾\n")
  }

  @Test func theSecondBackupFolderIsAnAbsolutePath() throws {
    try FileManager.default.createDirectory(atPath: program.home + "/copies", withIntermediateDirectories: false)
    _ = try program.json("settings", "set", "backup-folder", "copies")
    #expect(try program.json("settings", "get", "backup-folder").text("value")?.hasSuffix("/copies") == true)
    #expect(try program.json("settings", "get", "backup-folder").text("value")?.hasPrefix("/") == true)
    _ = try program.json("settings", "set", "backup-folder", "")
    #expect(try program.run("settings", "get", "backup-folder").output == "\n")
  }

  @Test func keepsTheRestOfTheFile() throws {
    let folder = program.home + "/config/trunk"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "# mine\n[other]\nkey=value\n".write(toFile: folder + "/trunk.conf", atomically: false, encoding: .utf8)
    _ = try program.json("settings", "set", "appearance", "light")
    let text = try String(contentsOfFile: folder + "/trunk.conf", encoding: .utf8)
    // GLib puts an empty line before each group.
    #expect(text.hasPrefix("# mine\n\n[other]\nkey=value\n"), "\(text)")
    #expect(text.contains("color-scheme=light"))
  }
}
