import Foundation
import Testing
import TrunkModel

@testable import PageFormats

/// Files that are made or damaged to harm: memory and time stay bounded, and the message is clear.
struct HostileTests {
  private static let journal = Array("[2024-01-09 07:05] Title\nText.\n".utf8)

  @Test
  func largeTextsAreRefused() throws {
    var options = PageOptions.test
    options.limits.totalBytes = 1000
    let big = try Export("j.zip", Zip([("j.txt", Self.journal + [UInt8](repeating: 0x61, count: 2000))]).data)
    #expect(throws: PageReadError.tooLarge(limit: 1000)) { try big.read(options) }
    let many = try Export([
      "2024-01-09.md": String(repeating: "a", count: 600), "2024-01-10.md": String(repeating: "b", count: 600),
    ])
    #expect(throws: PageReadError.tooLarge(limit: 1000)) { try many.read(options) }
    options.limits.totalBytes = 2000
    options.limits.fileBytes = 500
    #expect(try many.read(options).reasons == [.tooLong, .tooLong])
    let single = try Export("j.txt", Self.journal + [UInt8](repeating: 0x61, count: 500))
    #expect(throws: PageReadError.tooLarge(limit: 500)) { try single.read(options) }
  }

  @Test
  func claimedSizesAreNotTrusted() throws {
    var options = PageOptions.test
    options.limits.totalBytes = 10_000
    var zip = Zip()
    zip.add("j.txt", Self.journal + [UInt8](repeating: 0x61, count: 100_000), claimedSize: 50)
    let lie = try Export("j.zip", zip.data)
    let found = try lie.read(options)
    #expect(found.pages.isEmpty)
    #expect(found.reasons == [.unreadable])
    var claim = Zip()
    claim.add("j.txt", Self.journal, claimedSize: 4_000_000_000)
    let huge = try Export("j.zip", claim.data)
    #expect(throws: PageReadError.tooLarge(limit: 10_000)) { try huge.read(options) }
  }

  @Test
  func manyPagesAndFilesAreRefused() throws {
    var options = PageOptions.test
    options.limits.pages = 2
    options.limits.files = 3
    let pages = try Export("j.txt", (1...3).map { "[2024-01-0\($0) 07:05] \($0)\n" }.joined())
    #expect(throws: PageReadError.tooManyPages(limit: 2)) { try pages.read(options) }
    let files = try Export(Dictionary(uniqueKeysWithValues: (1...4).map { ("2024-01-0\($0).md", "x") }))
    #expect(throws: PageReadError.tooManyFiles(limit: 3)) { try files.read(options) }
    let zip = try Export("j.zip", Zip((1...4).map { ("2024-01-0\($0).md", [0x61]) }).data)
    #expect(throws: PageReadError.tooManyFiles(limit: 3)) { try zip.read(options) }
  }

  @Test
  func pageThatIsTooLongIsSkipped() throws {
    var options = PageOptions.test
    options.limits.pageBytes = 100
    let found = try Export(
      "j.txt", "[2024-01-09 07:05] A\n\(String(repeating: "x", count: 101))\n[2024-01-10 07:05] B\n"
    ).read(options)
    #expect(found.dates == ["2024-01-10T07:05"])
    #expect(found.reasons == [.tooLong])
  }

  @Test
  func linksPipesAndDeepFoldersAreNotFollowed() throws {
    let export = try Export(["2024-01-09.md": "Day.\n"])
    let secret = try Export("secret.md", "Secret.\n")
    let files = FileManager.default
    try files.createSymbolicLink(atPath: export.path + "/2024-01-10.md", withDestinationPath: secret.path)
    try files.createSymbolicLink(atPath: export.path + "/loop", withDestinationPath: export.path)
    try #require(mkfifo(export.path + "/2024-01-11.md", 0o600) == 0)
    let deep = export.path + String(repeating: "/d", count: 70)
    try files.createDirectory(atPath: deep, withIntermediateDirectories: true)
    try Data("Deep.".utf8).write(to: URL(fileURLWithPath: deep + "/2024-01-12.md"))
    let found = try export.read()
    #expect(found.texts == ["Day."])
    #expect(
      Set(found.skipped.filter { $0.why == .notAFile }.map(\.what).prefix(9)).isSuperset(of: [
        "2024-01-10.md", "loop", "2024-01-11.md",
      ]))
    #expect(found.skipped.count == 4)
    #expect(throws: PageReadError.notAFile) { try PageReader.read(export.path + "/2024-01-11.md", options: .test) }
    #expect(throws: PageReadError.missing) { try PageReader.read(export.path + "/none", options: .test) }
  }

  @Test
  func namesThatLeaveTheArchiveAreOnlyNames() throws {
    let found = try Export(
      "j.zip", Zip([("../../2024-01-09.md", Array("Day.".utf8)), ("/etc/2024-01-10.md", Array("Other.".utf8))]).data
    )
    .read()
    #expect(Set(found.texts) == ["Day.", "Other."])
  }

  @Test
  func encryptedEntriesAreSkipped() throws {
    var zip = Zip()
    zip.add("2024-01-09.md", Array("Day.".utf8))
    zip.add("2024-01-10.md", Array("Day.".utf8), isEncrypted: true)
    let found = try Export("j.zip", zip.data).read()
    #expect(found.skipped == [SkippedPage(what: "2024-01-10.md", why: .unreadable)])
    var locked = Zip()
    locked.add("2024-01-10.md", Array("Day.".utf8), isEncrypted: true)
    let export = try Export("j.zip", locked.data)
    #expect(throws: PageReadError.needsPassword) { try export.read() }
  }

  @Test
  func damagedEntryDoesNotStopTheOthers() throws {
    var data = Zip([("2024-01-09.md", Array("Day one.".utf8)), ("2024-01-10.md", Array("Day two.".utf8))]).data
    let place = try #require(data.indices.first { data[$0...].starts(with: Array("Day two.".utf8)) })
    data[place] = 0x21
    let found = try Export("j.zip", data).read()
    #expect(found.texts == ["Day one."])
    #expect(found.reasons == [.unreadable])
  }

  @Test
  func encodingsAreFoundAndTold() throws {
    let found = try Export(
      [
        "2024-01-09.md": Array("caf".utf8) + [0xE9], "2024-01-10.md": [0xFF, 0xFE, 0x41, 0, 0x26, 0x26],
        "2024-01-11.md": [0xFE, 0xFF, 0, 0x42],
        "2024-01-12.md": [0xEF, 0xBB, 0xBF] + Array("C\u{200B}\u{0}\r\rD\u{2028}\u{85}E\t".utf8),
      ] as [String: [UInt8]]
    ).read()
    #expect(found.texts == ["café", "A☦", "B", "C\n\nD\n\nE"])
    #expect(found.notes == [.windows1252(files: 1)])
  }

  @Test
  func oneBadByteDoesNotChangeTheOthers() throws {
    let text = Array("Grüße aus Köln, ".utf8) + [0xE4] + Array("hnlich schön \u{1F331}".utf8) + [0xF0, 0x9F]
    let found = try Export("2024-01-09.md", text).read()
    #expect(found.texts == ["Grüße aus Köln, \u{FFFD}hnlich schön \u{1F331}\u{FFFD}"])
    #expect(found.notes == [.damagedUTF8(files: 1)])
    let old = try Export("2024-01-09.md", Array("Caf".utf8) + [0xE9, 0x20, 0xC3, 0xA9, 0x20, 0xFC]).read()
    #expect(old.notes == [.windows1252(files: 1)])
  }

  @Test
  func detectionDoesNotCutACharacter() throws {
    let path = try Export("x.txt", String(repeating: "é", count: 3000))
    let files = try ExportFiles(path.path, limits: PageLimits())
    let file = try #require(files.files.first)
    #expect(files.head(of: file, 4097).count == 4096)
    #expect(files.head(of: file, 4096).count == 4096)
  }

  @Test
  func namesNeedNotBeUTF8() throws {
    let export = try Export(["2024-01-09.md": "Day.\n"])
    var path = Array((export.path + "/2024-01-10 caf?.md").utf8CString)
    let place = try #require(path.lastIndex(of: CChar(UInt8(ascii: "?"))))
    path[place] = CChar(bitPattern: 0xE9)
    let file = try #require(fopen(path, "w"))
    fputs("Other.", file)
    fclose(file)
    #expect(try export.read().pages.map(\.title) == ["", "café"])
  }

  @Test
  func deepJSONIsRefused() throws {
    let deep =
      "{\"metadata\":{},\"entries\":[{\"creationDate\":\"2024-01-01T10:00:00Z\",\"x\":"
      + String(repeating: "[", count: 100_000)
    let export = try Export("j.json", deep)
    #expect(throws: PageReadError.damaged(file: "j.json")) { try export.read() }
  }

  @Test
  func cancellingEndsTheRead() throws {
    let export = try Export("j.txt", Self.journal)
    #expect(throws: PageReadError.cancelled) {
      try PageReader.read(export.path, options: .test, isCancelled: { true })
    }
  }

  @Test
  func progressCountsFiles() throws {
    let export = try Export(["2024-01-09.md": "a", "2024-01-10.md": "b"])
    var reports: [PageProgress] = []
    _ = try PageReader.read(export.path, options: .test, progress: { reports.append($0) })
    #expect(reports.map(\.files) == [0, 1, 2])
    #expect(reports.map(\.totalFiles) == [2, 2, 2])
  }

  @Test(arguments: ["a.txt", "a.html", "a.json", "a.zip", "a.md"])
  func otherFilesAreUnknown(name: String) throws {
    let export = try Export(name, name == "a.zip" ? Zip([("x.bin", [1])]).data : Array("<p>Nothing</p>".utf8))
    #expect(throws: PageReadError.self) { try export.read() }
  }

  @Test
  func everyReasonAndErrorHasWords() {
    for reason in SkipReason.allCases { #expect(!reason.text.isEmpty) }
    for kind in LeftOut.allCases { #expect(kind.text(2).hasPrefix("2 ")) }
    for other in PageReadError.OtherExport.allCases { #expect(!PageReadError.otherExport(other).message.isEmpty) }
    for format in PageFormat.allCases { #expect(!format.name.isEmpty) }
    #expect(PageReadError.tooLarge(limit: 512 << 20).message.hasPrefix("The texts are larger than 512"))
    #expect(PageNote.windows1252(files: 1).text.hasPrefix("1 file is not"))
  }
}

/// Every sample, cut at every byte or with a wrong byte, is read or refused.
struct TruncationTests {
  @Test(arguments: Sample.all)
  func everyStartIsReadOrRefused(sample: Sample) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: sample.path)))
    let whole = try sample.read()
    for count in bytes.indices {
      let export = try Export(sample.file, Array(bytes[..<count]))
      guard let found = try? PageReader.read(export.path, options: .test) else { continue }
      #expect(found.pages.count <= whole.pages.count + whole.skipped.count, "cut at \(count)")
    }
  }

  @Test(arguments: Sample.all)
  func everyWrongByteIsReadOrRefused(sample: Sample) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: sample.path)))
    // A third of the bytes, because each is a file to write.
    for index in stride(from: bytes.count % 3, to: bytes.count, by: 3) {
      let right = bytes[index]
      bytes[index] = right ^ UInt8(truncatingIfNeeded: 1 + index * 37 % 255)
      let export = try Export(sample.file, bytes)
      if let found = try? PageReader.read(export.path, options: .test) { #expect(found.pages.count < 100) }
      bytes[index] = right
    }
  }

  /// The checksums of a zip find nearly all damage, so this damages the unpacked files.
  @Test(arguments: Sample.all)
  func damagedFilesAreReadOrRefused(sample: Sample) throws {
    let source = try ExportFiles(sample.path, limits: PageLimits())
    var files: [String: [UInt8]] = [:]
    for file in source.files { files[file.fullPath] = try source.bytes(of: file) }
    let export = try Export(files)
    var random = SeededRandom(seed: 1)
    for path in files.keys.sorted() {
      let original = files[path] ?? []
      for _ in 0..<40 {
        var bytes = original
        let place = Int.random(in: 0...bytes.count, using: &random)
        let piece = Self.pieces.randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.removeSubrange(place...)
        case 1: bytes.removeSubrange(place..<min(place + 20, bytes.count))
        default: bytes.insert(contentsOf: Array(String(repeating: piece, count: 10).utf8), at: place)
        }
        try Data(bytes).write(to: URL(fileURLWithPath: export.path + "/" + path))
        guard let found = try? export.read() else { continue }
        #expect(try export.read() == found)
        #expect(Set(found.pages.map(\.sourceID)).count == found.pages.count)
        #expect(found.pages.allSatisfy { PageDate($0.date.description) == $0.date })
      }
      try Data(original).write(to: URL(fileURLWithPath: export.path + "/" + path))
    }
  }

  private static let pieces = [
    "[[", "]]", "((", "![](", "<p>", "</div>", "<div class='bodyText'>", "//", "\\", "`", "---\n", ":: ", "&#x",
    "\u{0}",
    "\"", "{", "[", "&a *a ", "2024-02-30", "99", "\u{2028}", "+14:99",
  ]
}
