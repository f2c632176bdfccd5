import Glibc
import Logging
import Synchronization
import Testing

@testable import TrunkServer

/// Tests how entries of the log become lines.
@Suite struct LogTests {
  /// Keeps lines in place of printing them.
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    var all: [String] { lines.withLock { $0 } }
  }

  private func lines(
    _ format: LogFormat = .text, level: Logger.Level = .notice, isJournal: Bool = true, _ body: (inout Logger) -> Void
  ) -> [String] {
    let lines = Lines()
    var log = Logger(label: "test") { _ in
      LineLogHandler(level: level, format: format, isJournal: isJournal) { lines.add($0) }
    }
    body(&log)
    return lines.all
  }

  @Test func theJournalGetsThePriorityAndNoTime() {
    let all = lines(level: .trace) { log in
      for level in Logger.Level.allCases { log.log(level: level, "it happened") }
    }
    #expect(all == [7, 7, 6, 5, 4, 3, 2].map { "<\($0)>it happened" })
  }

  @Test func aLineHasTimeAndLevelOutsideTheJournal() throws {
    let line = try #require(lines(isJournal: false) { $0.warning("it happened") }.first)
    #expect(line.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z warning: it happened/) != nil, "\(line)")
  }

  @Test func onlyImportantEntriesAreWritten() {
    let all = lines(level: .warning) { log in
      log.notice("not this")
      log.warning("this")
    }
    #expect(all == ["<4>this"])
  }

  @Test func fieldsAreSortedAndQuotedIfNeeded() {
    let all = lines { log in
      log[metadataKey: "from"] = "logger"
      log.notice(
        "it happened",
        metadata: [
          "z": .stringConvertible(3), "empty": "", "text": "two words", "quote": #"a"b\c"#, "pair": "a=b",
          "plain": "Ä-1", "list": ["a", "b"],
        ])
    }
    #expect(
      all == [
        #"<5>it happened empty="" from=logger list="[\"a\", \"b\"]" pair="a=b" plain=Ä-1 quote="a\"b\\c" "#
          + #"text="two words" z=3"#
      ])
  }

  @Test func aTerminalInterpretsNothing() {
    let dangerous = "a\n<1>b\u{1b}[2J\u{202e}c\u{85}"
    let all = lines { $0.notice("\(dangerous)", metadata: ["x": "\(dangerous)"]) }
    let escaped = #"a\u{a}<1>b\u{1b}[2J\u{202e}c\u{85}"#
    #expect(all == [#"<5>\#(escaped) x="\#(escaped)""#])
    let json = lines(.json, isJournal: false) { $0.notice("\(dangerous)", metadata: ["x": "\(dangerous)"]) }
    #expect(json.filter { $0.unicodeScalars.contains { $0.isTerminalControl } }.isEmpty, "\(json)")
    #expect(json[0].contains(#"\u202ec\u0085"#), "\(json)")
  }

  @Test func jsonHasFourMembers() throws {
    let error = ServerProblem.noDatabase("/a b")
    let line = try #require(
      lines(.json, isJournal: false) { $0.error("it failed", error: error, metadata: ["count": .stringConvertible(3)]) }
        .first)
    let (start, end) = (#"{"time":"20"#, #"","level":"error","message":"it failed","fields":{"#)
    #expect(line.hasPrefix(start) && line.hasSuffix(end + #""count":3,"error":"there is no /a b"}}"#), "\(line)")
  }

  @Test func onlyTheJournalsOwnStreamIsTheJournal() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    var status = stat()
    #expect(fstat(ends[1], &status) == 0)
    #expect(LineLogHandler.isJournal(ends[1], "\(status.st_dev):\(status.st_ino)"))
    #expect(!LineLogHandler.isJournal(ends[1], "\(status.st_dev):\(status.st_ino + 1)"))
    #expect(!LineLogHandler.isJournal(ends[1], nil))
  }
}
