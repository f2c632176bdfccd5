import Foundation
import Testing
import TrunkModel

@testable import PageFormats

/// Every sample gives exactly the pages of its `.expected.json`.
struct SampleTests {
  @Test(arguments: Sample.all)
  func isReadExactly(sample: Sample) throws {
    let found = try sample.read()
    #expect(found.pages == (try sample.expected()))
    #expect(found.format == sample.format)
    #expect(found.skipped.count == sample.skipped, "\(found.skipped)")
    #expect(try sample.read() == found)
  }

  @Test(arguments: Sample.all.filter { $0.file.hasSuffix(".zip") })
  func unpackedFolderGivesTheSame(sample: Sample) throws {
    let zip = try ExportFiles(sample.path, limits: PageLimits())
    var files: [String: [UInt8]] = [:]
    for file in zip.files { files[file.fullPath] = try zip.bytes(of: file) }
    let found = try Export(files).read()
    #expect(found.format == sample.format)
    #expect(found.pages == (try sample.expected()))
  }

  @Test
  func encryptedJournalIsNotRead() throws {
    #expect(throws: PageReadError.encrypted) {
      try PageReader.read(Sample.folder + "/jrnl-encrypted.jrnl", options: .test)
    }
  }
}

struct Sample: CustomTestStringConvertible {
  let file: String
  let format: PageFormat
  /// How many entries of the sample become no page.
  let skipped: Int

  static let folder = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/samples"
  static let all = [
    Sample(file: "applejournal.zip", format: .appleJournal, skipped: 2),
    Sample(file: "daylio.csv", format: .daylio, skipped: 2),
    Sample(file: "dayone.zip", format: .dayOne, skipped: 3),
    Sample(file: "dayone-text.txt", format: .dayOneText, skipped: 1),
    Sample(file: "diarium.zip", format: .diarium, skipped: 2),
    Sample(file: "joplin.zip", format: .joplin, skipped: 2),
    Sample(file: "journey.zip", format: .journey, skipped: 2),
    Sample(file: "jrnl.txt", format: .jrnl, skipped: 1),
    Sample(file: "jrnl-dmy.txt", format: .jrnl, skipped: 0),
    Sample(file: "jrnl-json.json", format: .jrnl, skipped: 3),
    Sample(file: "jrnl-old.txt", format: .jrnl, skipped: 0),
    Sample(file: "logseq.zip", format: .logseq, skipped: 1),
    Sample(file: "markdown.zip", format: .markdown, skipped: 4),
    Sample(file: "rednotebook.zip", format: .redNotebook, skipped: 2),
  ]

  var path: String { Self.folder + "/" + file }
  var testDescription: String { file }

  func read() throws -> PageImport { try PageReader.read(path, options: .test) }

  func expected() throws -> [EarlierPage] {
    let name = file.prefix { $0 != "." } + ".expected.json"
    let text = try String(contentsOfFile: Self.folder + "/" + name, encoding: .utf8)
    return try #require(try JSON(text).elements).map { row in
      let text = { (name: String) in row[name]?.text ?? "" }
      return EarlierPage(
        date: try #require(PageDate(text("date"))), title: text("title"), text: text("text"),
        tags: row["tags"]?.elements?.compactMap(\.text) ?? [], place: text("place"),
        pictures: Int(row["pictures"]?.double ?? 0), sourceID: text("source_id"))
    }
  }
}

extension PageOptions {
  /// Tests don't depend on the system's time zones.
  static var test: PageOptions { PageOptions { Zone.known[$0] } }
}

extension Zone {
  fileprivate static let known = Dictionary(
    uniqueKeysWithValues: [
      zone("America/New_York", -300, [(1_710_054_000, -240), (1_730_613_600, -300)]),
      zone("Europe/Dublin", 0, [(1_711_846_800, 60), (1_729_990_800, 0)]),
      zone("Europe/Lisbon", 0, [(1_711_846_800, 60), (1_729_990_800, 0)]),
      zone("Europe/Vienna", 60, [(1_711_846_800, 120), (1_729_990_800, 60)]),
      zone("Asia/Kolkata", 330, []),
    ].map { ($0.identifier, $0) })

  private static func zone(_ name: String, _ minutes: Int32, _ changes: [(at: Int64, minutes: Int32)]) -> Zone {
    Zone(identifier: name, offset: minutes * 60, changes: changes.map { ($0.at, $0.minutes * 60) })
  }
}
