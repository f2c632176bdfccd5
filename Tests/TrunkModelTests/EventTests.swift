import TestSupport
import Testing

@testable import TrunkModel

/// One event of each type with all fields, but without time and id.
private let complete: [(kind: EventKind, fields: String, required: [String])] = [
  (
    .sproutPlanted,
    """
    'sproutId':'s','twigId':'branch-0-twig-1','title':'T','season':'3m','environment':'firm','soilCost':8.5,\
    'leafId':'','bloomWither':'w','bloomBudding':'b','bloomFlourish':'f'
    """, ["sproutId", "twigId", "title", "season", "environment", "soilCost", "leafId"]
  ),
  (.sproutWatered, "'sproutId':'s','content':'','prompt':'p'", ["sproutId", "content"]),
  (
    .sproutHarvested, "'sproutId':'s','result':4,'capacityGained':1.25,'reflection':'r'",
    ["sproutId", "result", "capacityGained"]
  ),
  (.sproutUprooted, "'sproutId':'s','soilReturned':0.5", ["sproutId", "soilReturned"]),
  (
    .sproutEdited,
    "'sproutId':'s','title':'T','bloomWither':'','bloomBudding':'b','bloomFlourish':'f','leafId':'l'", ["sproutId"]
  ),
  (.sunShone, "'twigId':'t','twigLabel':'L','content':'c','prompt':'p'", ["twigId", "twigLabel", "content"]),
  (.leafCreated, "'leafId':'l','twigId':'t','name':'n'", ["leafId", "twigId", "name"]),
  (.nodeUpdated, "'nodeId':'trunk','label':'L','note':'n'", ["nodeId"]),
  (.seedlingCreated, "'seedlingId':'i','twigId':'t','title':'T','notes':'n'", ["seedlingId", "twigId", "title"]),
  (.seedlingEdited, "'seedlingId':'i','title':'T','notes':''", ["seedlingId"]),
  (.seedlingDeleted, "'seedlingId':'i'", ["seedlingId"]),
]

private let time = "'timestamp':'2026-01-31T12:00:00.000Z','client_id':'2026-01-31T12:00:00.000Z-0000000a'"

@Suite struct EventTests {
  @Test func clientIDsHaveEightDigits() {
    #expect(Event.clientID(at: Instant(milliseconds: 0), random: 7) == "1970-01-01T00:00:00.000Z-00000007")
    #expect(Event.clientID(at: Instant(milliseconds: 0), random: .max) == "1970-01-01T00:00:00.000Z-ffffffff")
  }

  @Test func theListCoversEveryType() {
    #expect(complete.map(\.kind.name).sorted() == EventKind.allCases.map(\.name).sorted())
  }

  @Test(arguments: complete.indices)
  func everyTypeSurvivesWritingAndReading(index: Int) throws {
    let (kind, fields, _) = complete[index]
    let text = "{'type':'\(kind.name)',\(fields),\(time)}"
    let read = try event(text)
    #expect(read.kind == kind)
    #expect(read.type == kind.name)
    #expect(read.isUnderstood)
    let instant = try #require(read.instant)
    let written = Event(read.payload, at: instant, clientID: try #require(read.clientID))
    #expect(written.raw == text.replacing("'", with: "\""))
    #expect(written.canonicalText == read.canonicalText)
    #expect(written.entityID == read.entityID)
  }

  @Test(arguments: complete.indices)
  func optionalFieldsMayBeAbsentNullOrOfAnotherType(index: Int) throws {
    let (kind, fields, required) = complete[index]
    let members = try #require(JSON("{\(fields)}".replacing("'", with: "\"")).members)
    for optional in members.map(\.name.decoded) where !required.contains(optional) {
      for value in [nil, JSON.null, .number(3), .bool(true), .array([]), .object([])] {
        let others = members.filter { $0.name.decoded != optional } + (value.map { [JSON.Member(optional, $0)] } ?? [])
        let read = try malformed(kind, others)
        #expect(read.kind == kind, "\(optional)")
        let again = Event(read.payload, at: Instant(milliseconds: 0), clientID: "x")
        #expect(try JSON(again.raw)[optional] == nil)
      }
    }
  }

  @Test(arguments: complete.indices)
  func missingRequiredFieldsAreRejected(index: Int) throws {
    let (kind, fields, required) = complete[index]
    let members = try #require(JSON("{\(fields)}".replacing("'", with: "\"")).members)
    for name in required {
      for value in [nil, JSON.null, .bool(true), .array([]), .object([])] {
        let others = members.filter { $0.name.decoded != name } + (value.map { [JSON.Member(name, $0)] } ?? [])
        let read = try malformed(kind, others)
        #expect(!read.isUnderstood, "\(name)")
        #expect(read.type == kind.name)
      }
    }
  }

  private func malformed(_ kind: EventKind, _ members: [JSON.Member]) throws -> Event {
    let head: [JSON.Member] = [
      .init("type", .string(kind.name)), .init("timestamp", .string("2026-01-31T12:00:00Z")),
    ]
    let text = JSON.object(head + members).compactText
    let read = try Event(json: text)
    #expect(read.raw == text)
    return read
  }

  @Test(arguments: [
    "'type':'sprout_planted','sproutId':'s','twigId':'t','title':'T','season':'5w','environment':'firm','soilCost':1,'leafId':''",
    "'type':'sprout_planted','sproutId':'s','twigId':'t','title':'T','season':'1m','environment':'wet','soilCost':1,'leafId':''",
    "'type':'sprout_planted','sproutId':'s','twigId':'t','title':'T','season':'1m','environment':'firm','soilCost':-1,'leafId':''",
    "'type':'sprout_planted','sproutId':'s','twigId':'t','title':'T','season':'1m','environment':'firm','soilCost':1e999,'leafId':''",
    "'type':'sprout_planted','sproutId':'s','twigId':'t','title':'T','season':'1m','environment':'firm','soilCost':'1','leafId':''",
    "'type':'sprout_planted','sproutId':'','twigId':'t','title':'T','season':'1m','environment':'firm','soilCost':1,'leafId':''",
    "'type':'sprout_harvested','sproutId':'s','result':0,'capacityGained':1",
    "'type':'sprout_harvested','sproutId':'s','result':6,'capacityGained':1",
    "'type':'sprout_harvested','sproutId':'s','result':2.5,'capacityGained':1",
    "'type':'sprout_harvested','sproutId':'s','result':1e99,'capacityGained':1",
    "'type':'sprout_harvested','sproutId':'s','result':3,'capacityGained':-0.1",
    "'type':'sprout_uprooted','sproutId':'s','soilReturned':-1",
    "'type':'leaf_created','leafId':'','twigId':'t','name':''",
    "'type':'Sprout_watered','sproutId':'s','content':''", "'type':'circle_joined','sproutId':'s'", "'type':7", "",
  ])
  func invalidEventsAreKeptButNotUnderstood(fields: String) throws {
    let text = "{\(fields)\(fields.isEmpty ? "" : ",")\(time), 'x' : [1.0e0] }".replacing("'", with: "\"")
    let read = try Event(json: text)
    #expect(!read.isUnderstood)
    #expect(read.raw == text)
    #expect(read.instant != nil)
    #expect(read.clientID == "2026-01-31T12:00:00.000Z-0000000a")
    #expect(read.orderKey == nil)
    let garden = Garden([read], zone: .utc)
    #expect(garden.ignoredCount == 1 && garden.eventCount == 0)
  }

  @Test(arguments: ["", "'timestamp':null,", "'timestamp':1700000000000,", "'timestamp':'2026-02-30T00:00Z',"])
  func anEventWithoutAnInstantIsNotUnderstood(timestamp: String) throws {
    let read = try event("{'type':'sprout_watered',\(timestamp)'sproutId':'s','content':''}")
    #expect(!read.isUnderstood)
    #expect(read.instant == nil)
    #expect(read.type == "sprout_watered")
  }

  @Test func acceptsUnusualButValidNumbers() throws {
    let harvest = try event("{'type':'sprout_harvested','sproutId':'s','result':3.0,'capacityGained':1E-1,\(time)}")
    guard case .sproutHarvested(let it) = harvest.payload else { return #expect(harvest.isUnderstood) }
    #expect(it.result == 3 && it.capacityGained == 0.1)
  }

  @Test(arguments: ["", "1", "[]", "null", "'a'", "{", "{}{}", "{'a':1", "{\"a\":\u{1}}"])
  func onlyObjectsAreEvents(text: String) {
    #expect(throws: JSONError.self) { try event(text) }
  }

  @Test func extraFieldsAndSpellingAreKept() throws {
    let text = "{ \"type\" : \"node_updated\",\"nodeId\":\"trunk\",\"x\":{\"y\":[1.50,null]},\"label\":\"\\u0041\"}"
    #expect(try Event(json: text).raw == text)
  }

  @Test func lookUpsTakeTheLastOfDuplicateNames() throws {
    let read = try event("{'type':'x','type':'node_updated','nodeId':'a','nodeId':'trunk',\(time)}")
    #expect(read.entityID == "trunk")
    #expect(read.isUnderstood)
  }

  @Test func nullCharactersInTextsBecomeVisible() throws {
    let read = try event(#"{'type':'sprout_watered','sproutId':'s','content':'a\u0000b\r\n',\#(time)}"#)
    #expect(read.journalText.first == "a\u{FFFD}b\r\n")
    #expect(read.raw.contains(#"\u0000"#))
    let made = Event(
      .sproutWatered(.init(sproutID: "s", content: "a\0b", prompt: nil)), at: Instant(milliseconds: 0), clientID: "x")
    #expect(try JSON(made.raw)["content"]?.text == "a\u{FFFD}b")
    #expect(made.journalText == ["a\u{FFFD}b"], "as after a restart")
  }

  @Test(arguments: [
    "'type':'sprout_watered\\u0000','sproutId':'s','content':''",
    "'type':'sprout_watered','sproutId':'s\\u0000','content':''",
    "'type':'sprout_edited','sproutId':'s','leafId':'\\u0000l'",
    "'type':'leaf_created','leafId':'l','twigId':'t\\u0000','name':'n'",
    "'type':'leaf_created','leafId':'l','twigId':'t','name':'n','client_id':'c\\u0000'",
  ])
  func anIDWithANullCharacterIsNotUnderstood(fields: String) throws {
    let read = try event("{\(fields),\(time)}")
    #expect(!read.isUnderstood)
    #expect(read.clientID?.contains("c") != true)
  }

  @Test func typedTextSurvivesWritingAndReading() throws {
    for text in hostileTexts {
      let content = Payload.sproutWatered(.init(sproutID: "s", content: text, prompt: text))
      let read = try Event(json: Event(content, at: Instant(milliseconds: 0), clientID: "x").raw)
      let expected = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : $0 }))
      guard case .sproutWatered(let it) = read.payload else { return #expect(read.isUnderstood) }
      #expect(it.content.utf8.elementsEqual(expected.utf8) && it.prompt?.utf8.elementsEqual(expected.utf8) == true)
    }
  }

  @Test func entitiesAreFoundInAFixedOrder() throws {
    #expect(try event("{'type':'x','twigId':'t','nodeId':'n','leafId':'l'}").entityID == "l")
    #expect(try event("{'type':'x','sproutId':'','seedlingId':'i'}").entityID == "i")
    #expect(try event("{'type':'x','sproutId':7}").entityID == nil)
  }

  @Test func journalTextContainsOnlyTheUsersWords() throws {
    #expect(
      try event("{'type':'sprout_watered','sproutId':'s','content':'c','prompt':'p',\(time)}").journalText == ["c"])
    #expect(try event("{'type':'sprout_watered','sproutId':'s','content':'',\(time)}").journalText == [])
    #expect(
      try event("{'type':'sprout_edited','sproutId':'s','title':'T','bloomBudding':'b',\(time)}").journalText
        == ["T", "b"])
    #expect(try event("{'type':'strange','content':'c',\(time)}").journalText == [])
  }

  @Test func anEmptyPromptIsNoQuestion() throws {
    for (prompt, question) in [("'p'", "p"), ("''", nil), ("null", nil)] {
      let sun = try event("{'type':'sun_shone','twigId':'t','twigLabel':'L','content':'c','prompt':\(prompt),\(time)}")
      #expect(sun.payload.question == question)
    }
    #expect(try event("{'type':'strange','prompt':'p',\(time)}").payload.question == nil)
  }

  /// Reading any file ends in events or an error.
  @Test func damagedFilesAreReadOrRejected() throws {
    var random = SeededRandom(seed: 20_000)
    let events = complete.map { kind, fields, _ in
      "{'type':'\(kind.name)',\(fields),\(time),'x':[true,-1.5e3,'\\u00e9\\ud834\\udd1e\\n']}"
    }
    let file = Array("{'version':4,'events':[\(events.joined(separator: ",\n"))]}".replacing("'", with: "\"").utf8)
    let specialBytes = Array("\"\\{}[],:0-.eEu\u{0} \n".utf8) + [0xFF, 0xC3, 0x80, 0xED]
    var (read, understood) = (0, 0)
    for _ in 0..<20_000 {
      let start = random.next(below: file.count)
      var bytes = Array(file[start..<min(start + 400, file.count)])
      if random.next(below: 4) == 0, let brace = bytes.firstIndex(of: UInt8(ascii: "{")) {
        bytes = Array(bytes[brace...])
        if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) { bytes = Array(bytes[..<(end - 1)]) }
      }
      for _ in 0...random.next(below: 3) where !bytes.isEmpty {
        let place = random.next(below: bytes.count)
        switch random.next(below: 4) {
        case 0: bytes[place] = UInt8(random.next(below: 256))
        case 1: bytes[place] = specialBytes[random.next(below: specialBytes.count)]
        case 2: bytes.remove(at: place)
        default: bytes.insert(specialBytes[random.next(below: specialBytes.count)], at: place)
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      if let event = try? Event(json: text) {
        read += 1
        if event.isUnderstood { understood += 1 }
        #expect(event.raw == text)
        _ = Garden([event], zone: .utc)
        #expect(try Event(json: event.canonicalText).canonicalText == event.canonicalText)
      }
      _ = try? ExportFile.decodeEvents("[\(text)]")
    }
    // Some files must be read; otherwise only rejections would be tested.
    #expect(read > 500 && understood > 100)
  }
}
