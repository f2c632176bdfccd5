import TestSupport
import Testing
import TrunkKit

@testable import TrunkModel

@Suite struct ExportFileTests {
  @Test func aByteOrderMarkIsSkipped() throws {
    let array = #"[{"type":"strange","n":1}]"#
    #expect(try ExportFile.decodeEvents("\u{FEFF}" + array).map(\.raw) == [#"{"type":"strange","n":1}"#])
    #expect(try ExportFile.decode("\u{FEFF}{\"events\":\(array),\"version\":4}").count == 1)
    #expect(throws: ExportFile.Problem.self) { try ExportFile.decode("\u{FEFF}\u{FEFF}{\"events\":[],\"version\":4}") }
  }

  @Test func supersededVersionsAreKept() throws {
    let (kept, superseded) = (try event("{'type':'a','n':1}"), try event("{'type':'a','n':2}"))
    let text = ExportFile.encode(
      ExportFile.Contents(events: [kept], superseded: [superseded]), exportedAt: Instant(milliseconds: 0))
    let contents = try ExportFile.decodeContents(text)
    #expect(contents.events.map(\.canonicalText) == [kept.canonicalText])
    #expect(contents.superseded.map(\.canonicalText) == [superseded.canonicalText])
    #expect(try JSON(text)["version"] == .number(4))
  }

  @Test func theFormatMatchesOtherClients() throws {
    let events = [
      try event("{'type':'strange','z':[1.50,'\\u00e9'],'a':{}}"),
      try event("{'type':'sun_shone','twigId':'t','twigLabel':'','content':'2','timestamp':'2026-01-01T00:00:00Z'}"),
      try event(
        "{'type':'leaf_created','name':'n','leafId':'l','twigId':'t','timestamp':'2026-01-02T00:00:00Z','y':null}"),
    ]
    let expected = """
      {
        "circles": {},
        "events": [
          {
            "content": "2",
            "timestamp": "2026-01-01T00:00:00Z",
            "twigId": "t",
            "twigLabel": "",
            "type": "sun_shone"
          },
          {
            "leafId": "l",
            "name": "n",
            "timestamp": "2026-01-02T00:00:00Z",
            "twigId": "t",
            "type": "leaf_created",
            "y": null
          },
          {
            "a": {},
            "type": "strange",
            "z": [
              1.50,
              "\\u00e9"
            ]
          }
        ],
        "exportedAt": "2026-01-03T00:00:00.000Z",
        "settings": {},
        "version": 4
      }

      """
    #expect(ExportFile.encode(events, exportedAt: try instant("2026-01-03T00:00Z")) == expected)
    #expect(ExportFile.encode(events.reversed(), exportedAt: try instant("2026-01-03T00:00Z")) == expected)
  }

  @Test func anEmptyLogIsExported() throws {
    let text = ExportFile.encode([], exportedAt: Instant(milliseconds: 0))
    #expect(
      try JSON(text).canonicalText
        == #"{"circles":{},"events":[],"exportedAt":"1970-01-01T00:00:00.000Z","settings":{},"version":4}"#)
    #expect(try ExportFile.decode(text).isEmpty)
  }

  @Test func readsBothVersions() throws {
    for text in [
      #"{"version":4,"exportedAt":"x","events":[{"a":1}],"circles":{},"settings":{}}"#,
      #"{"version":1,"events":[{"a":1}]}"#, #"{"events":[{"a":1}],"version":1}"#,
      " {\n\"events\" : [ {\"a\":1} ] , \"version\" : 4 } \n",
    ] {
      #expect(try ExportFile.decode(text).map(\.raw) == [#"{"a":1}"#])
      #expect(try ExportFile.decodeEvents(text).count == 1)
    }
  }

  @Test func decodeEventsReadsAnyFileWithEvents() throws {
    #expect(try ExportFile.decodeEvents(#"[{"a":1},{"b":2}]"#).count == 2)
    #expect(try ExportFile.decodeEvents("[]").isEmpty)
    #expect(try ExportFile.decodeEvents(#"{"events":[]}"#).isEmpty)
    #expect(try ExportFile.decodeEvents(#"{"version":9,"events":[{}]}"#).count == 1)
  }

  @Test func textsOfEventsAreKeptExactly() throws {
    let texts = [#"{ "a" : "\u0041" ,"a":1.0}"#, "{\n}", #"{"é":"\/"}"#]
    #expect(try ExportFile.decodeEvents("[ \(texts.joined(separator: " , ")) ]").map(\.raw) == texts)
  }

  @Test func anEventAboveOneMebibyteIsNotImported() throws {
    func file(_ list: String, _ size: Int) throws -> String {
      let start = #"{"type":"moon_rose","timestamp":"2026-01-01T00:00:00Z","x":""#
      let event = start + String(repeating: "x", count: size - start.utf8.count - 2) + #""}"#
      return #"{"version":4,"events":[],"\#(list)":[{},\#(event)]}"#
    }
    for list in ["events", "superseded"] {
      _ = try ExportFile.decodeImport(file(list, 1 << 20))
      let large = try file(list, 1 << 20 + 1)
      #expect(
        throws: ExportFile.Problem.eventTooLarge(
          index: 1, type: "moon_rose", time: "2026-01-01T00:00:00.000Z", size: 1_048_577)
      ) { try ExportFile.decodeImport(large) }
      _ = try ExportFile.decodeContents(large)
    }
  }

  @Test(arguments: [
    ("{}", ExportFile.Problem.noEvents), (#"{"version":4}"#, .noEvents), (#"{"version":4,"events":{}}"#, .noEvents),
    (#"{"version":4,"events":null}"#, .noEvents), (#"{"events":[]}"#, .unknownVersion(nil)),
    ("[]", .unknownVersion(nil)), (#"{"version":2,"events":[]}"#, .unknownVersion("2")),
    (#"{"version":"4","events":[]}"#, .unknownVersion("\"4\"")),
    (#"{"version":null,"events":[]}"#, .unknownVersion(nil)),
    (#"{"version":4,"events":[1]}"#, .notAnEvent(index: 0)),
    (#"{"version":4,"events":[{},"a"]}"#, .notAnEvent(index: 1)),
    (#"{"version":4,"events":[{},[{}]]}"#, .notAnEvent(index: 1)),
  ])
  func explainsWhyAFileIsRejected(text: String, problem: ExportFile.Problem) {
    #expect(throws: problem) { try ExportFile.decode(text) }
  }

  @Test(arguments: [
    "", " ", "1", "null", "{", "[", "{]", #"{"version":4,"events":["#, #"{"version":4,"events":[{}"#,
    #"{"version":4,"events":[{},]}"#, #"{"version":4,"events":[{} {}]}"#, #"{"version":4,"events":[{]}"#,
    #"{"version":4,"events":[]"#, #"{"version":4,"events":[]}x"#, #"{"version":4,"events":[],}"#, "[{}]]",
    #"{"version":4 "events":[]}"#, #"{"events":[nope]}"#, "\u{1F}[]",
  ])
  func rejectsInvalidJSON(text: String) {
    #expect { try ExportFile.decode(text) } throws: { error in
      if case ExportFile.Problem.notJSON = error { true } else { false }
    }
  }

  @Test func deepNestingIsRejected() {
    let deep = #"[{"a":"# + String(repeating: "[", count: 100_000)
    #expect { try ExportFile.decodeEvents(deep) } throws: { "\($0)".contains("nested too deeply") }
  }

  @Test(arguments: [
    ("{'type':'node_updated','nodeId':'trunk'}", false), ("{'type':'sprout_moved','sproutId':'s'}", false),
    ("{'type':'sprout_watered','sproutId':'s'}", false),
    ("{'type':'sprout_watered','sproutId':'s','content':''}", true),
    ("{'type':'sprout_watered','sproutId':'s','content':'','prompt':null,'timeZone':'Europe/Berlin','x':[1]}", true),
    ("{'type':'sprout_watered','sproutId':'s','content':'','prompt':5}", false),
    ("{'type':'sprout_watered','sproutId':'s','content':'','client_id':7}", false),
    ("{'type':'sprout_watered','sproutId':'s','content':'','reflection':{}}", false),
    ("{'type':'sprout_edited','sproutId':'s','bloom\\u0057ither':[]}", false),
    ("{'type':'sprout_uprooted','sproutId':'s','soilReturned':0.5}", true),
    ("{'type':'sprout_watered','sproutId':'s','content':'','soilCost':'2'}", false),
  ])
  func otherVersionsGetOnlyWhatTheyCanRead(event text: String, isReadable: Bool) throws {
    let event = try event("{'timestamp':'2026-01-01T00:00:00Z'," + text.dropFirst())
    let (contents, leftOut) = ExportFile.Contents(events: [event], superseded: [event]).forOtherVersions()
    #expect(contents.events.count == (isReadable ? 1 : 0) && leftOut == (isReadable ? 0 : 1))
    #expect(contents.superseded.count == contents.events.count)
  }

  @Test func namesContainTheLocalTime() throws {
    let now = try instant("2026-01-31T23:05:09Z")
    #expect(ExportFile.name(at: now, in: .utc) == "trunk-20260131-230509.trunk.json")
    #expect(ExportFile.name(at: now, in: try zone("Asia/Kathmandu")) == "trunk-20260201-045009.trunk.json")
  }
}
