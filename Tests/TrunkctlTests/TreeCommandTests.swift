import Foundation
import Testing
import TrunkModel

@Suite struct TreeCommandTests {
  @Test(arguments: zip(["svg", "png", "PDF"], ["<?xml", "\u{89}PNG", "%PDF"]))
  func drawsAFileOfTheFormatInItsName(ending: String, beginning: String) throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let file = program.home + "/tree." + ending
    #expect(try program.run("tree", "--to", file).output == "Saved “\(file)”.\n")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(bytes.starts(with: beginning.unicodeScalars.map { UInt8($0.value) }))
    let again = try program.run("tree", "--to", file)
    #expect(again.code == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
    #expect(try program.run("tree", "--to", file, "--force", "--size", "400x300", "--theme", "print").code == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)).count < bytes.count)
  }

  @Test func namesAndCaptionCanBeLeftOut() throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    // Shapes change a little from second to second, because the sprout grows, but not their number.
    func shapes(_ options: String...) throws -> Int {
      let file = program.home + "/tree.svg"
      #expect(try program.start(["tree", "--to", file, "--force"] + options).outcome().code == 0)
      return try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8).count { $0 == "<" }
    }
    let all = try shapes()
    #expect(try shapes() == all)
    #expect(try shapes("--no-labels") < all)
    #expect(try shapes("--no-caption") < all)
  }

  /// A switch in the window's preferences turns the seasons off.
  @Test func seasonsFollowThePlaceAndThePreference() throws {
    let program = try programWithHarvest()
    let file = program.home + "/tree.svg"
    // It is always the opposite season in the other hemisphere.
    func colors(in zone: String, _ options: String...) throws -> Set<String> {
      let arguments = ["tree", "--to", file, "--force"] + options
      #expect(try program.start(arguments, environment: ["TZ": zone]).outcome().code == 0)
      let text = try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
      return Set(
        text.split(separator: "rgb(").dropFirst().compactMap { $0.split(separator: ")").first.map(String.init) })
    }
    let north = try colors(in: "Europe/London")
    #expect(try colors(in: "NZ") != north)
    // In the evening the colours may change between two runs.
    #expect(try (1...10).contains { _ in try colors(in: "NZ") == colors(in: "Pacific/Auckland") })
    let summer = try colors(in: "Europe/London", "--no-seasons")
    #expect(try colors(in: "NZ", "--no-seasons") == summer)
    let settings = program.home + "/config/trunk"
    try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
    try "[tree]\nseasons=false\n".write(toFile: settings + "/trunk.conf", atomically: true, encoding: .utf8)
    for zone in ["Europe/London", "NZ"] { #expect(try colors(in: zone) == summer) }
  }

  /// Later entries don't change it.
  @Test func drawsThePictureOfADay() throws {
    let program = try BuiltProgram()
    try program.plant("Cello", daysAgo: 40)
    let file = program.home + "/tree.svg"
    let (day, before) = (BuiltProgram.daysAgo(20), BuiltProgram.daysAgo(60))
    func draw(_ options: String...) throws -> String {
      let outcome = try program.start(["tree", "--to", file, "--force"] + options).outcome()
      #expect(outcome.code == 0, "\(outcome.errorOutput)")
      return try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
    }
    let first = try draw("--on", "\(day)".prefix(10).description)
    #expect(try draw() != first)
    try program.plant("Bread")
    #expect(try draw("--on", "\(day)".prefix(10).description) == first)
    for wrong in ["\(before)".prefix(10).description, "3000-01-01", "June"] {
      #expect(try program.start(["tree", "--to", file, "--force", "--on", wrong]).outcome().code == 2)
    }
  }

  @Test func aSheetASeasonAndALineCanBeChosen() throws {
    let program = try programWithHarvest()
    let file = program.home + "/tree.svg"
    func draw(_ options: String...) throws -> String {
      #expect(try program.start(["tree", "--to", file, "--force"] + options).outcome().code == 0)
      return try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
    }
    // In points.
    #expect(try draw("--size", "a2").contains("viewBox=\"0 0 1190.551181 1683.779528\""))
    #expect(try draw("--size", "50x70-wide").contains("viewBox=\"0 0 1984.251969 1417.322835\""))
    let shapes = try draw().count { $0 == "<" }
    #expect(try draw("--line", "And then a little more.").count { $0 == "<" } > shapes)
    let isSame = try draw("--season", "spring") == draw("--season", "autumn")
    #expect(!isSame)
    let isSummer = try draw("--season", "summer") == draw("--no-seasons")
    #expect(isSummer)
  }

  @Test(arguments: [
    ["--to", "x.png", "--season", "monsoon"], ["--to", "x.png", "--size", "a9"],
    ["--to", "tree.gif"], ["--to", "tree"], ["--to", "x.png", "--size", "9x9"], ["--to", "x.png", "--theme", "x"],
  ])
  func rejectsUnknownFormatsAndSizes(options: [String]) throws {
    let program = try BuiltProgram()
    try program.plant("Cello")
    let outcome = try program.start(["tree"] + options).outcome()
    #expect(outcome.code == 2)
    #expect(!outcome.errorOutput.isEmpty)
  }

  /// ImageMagick's decoder reads the film; it isn't ours.
  @Test func aFilmCanBePlayed() throws {
    let program = try BuiltProgram()
    try program.plant("Cello", daysAgo: 3)
    let film = program.home + "/life.webp"
    #expect(try program.run("tree", "--film", film).output == "Saved “\(film)”.\n")
    let identify = Process()
    identify.executableURL = URL(fileURLWithPath: "/usr/bin/identify")
    identify.arguments = ["-format", "%w %h %T\n", film]
    let output = Pipe()
    identify.standardOutput = output
    try identify.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let frames = text.split(separator: "\n")
    identify.waitUntilExit()
    #expect(identify.terminationStatus == 0)
    // A garden of three days has four different pictures.
    #expect(frames.count >= 4)
    #expect(frames.first?.hasPrefix("960 720 ") == true)
    #expect(try program.run("tree", "--film", film).code == 1)
    #expect(try program.start(["tree", "--film", program.home + "/life.gif"]).outcome().code == 2)
    #expect(try program.start(["tree", "--film", film, "--to", "tree.png"]).outcome().code == 2)
  }

  @Test func picturesThatWouldFollowAFilmAreKept() throws {
    let program = try BuiltProgram()
    try program.plant("Cello", daysAgo: 3)
    let folder = program.home + "/film/"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    #expect(try program.run("tree", "--film", folder).code == 0)
    let count = try FileManager.default.contentsOfDirectory(atPath: folder).count
    #expect(try program.run("tree", "--film", folder).code == 1, "its frames are there")
    let name = "\(count + 1)"
    let next = folder + String(repeating: "0", count: 4 - name.count) + name + ".png"
    try "mine".write(toFile: next, atomically: false, encoding: .utf8)
    let refused = try program.run("tree", "--film", folder, "--force")
    #expect(refused.code == 5 && refused.errorOutput.contains("Choose an empty folder."))
    #expect(try String(contentsOfFile: next, encoding: .utf8) == "mine")
  }

  @Test func withoutAGardenThereIsNoTree() throws {
    let program = try BuiltProgram()
    #expect(try program.run("tree", "--to", program.home + "/tree.png").code == 3)
    #expect(program.files == [])
  }
}

/// A garden with a sprout that was harvested two days ago.
private func programWithHarvest() throws -> BuiltProgram {
  let program = try BuiltProgram()
  let sprout = try program.plant("Cello", daysAgo: 40)
  let harvested = BuiltProgram.daysAgo(2)
  try program.importEvents([
    Event(
      .sproutHarvested(.init(sproutID: sprout, result: 5, capacityGained: 0.4, reflection: nil)), at: harvested,
      clientID: Event.clientID(at: harvested, random: 7))
  ])
  return program
}
