import Testing

@testable import TrunkModel

@Suite struct EventOrderTests {
  private func sorted(_ texts: [String]) throws -> [String] {
    let events = try texts.enumerated().map { LoggedEvent(seq: Int64($0), event: try event($1)) }
    let orders = [LoggedEvent.sorted(events), LoggedEvent.sorted(events.reversed())].map { $0.map(\.event.raw) }
    #expect(orders[0] == orders[1])
    return orders[0].map { $0.replacing("\"", with: "'") }
  }

  @Test func sortsByInstantThenCause() throws {
    let fields = """
      'sproutId':'s','twigId':'t','title':'T','season':'1m','environment':'firm','soilCost':1,'leafId':'l',\
      'content':'','result':3,'capacityGained':1,'soilReturned':1,'twigLabel':'','name':'','nodeId':'trunk',\
      'seedlingId':'i'
      """
    let causes = [
      "leaf_created", "node_updated", "seedling_created", "sprout_planted", "seedling_edited", "sprout_edited",
      "sprout_watered", "sun_shone", "sprout_harvested", "sprout_uprooted", "seedling_deleted",
    ]
    let now = causes.map { "{'type':'\($0)',\(fields),'timestamp':'2026-01-01T00:00:00Z','client_id':'a'}" }
    let earlier = "{'type':'seedling_deleted','seedlingId':'i','timestamp':'2026-01-01T05:29:59.999+05:30'}"
    #expect(try sorted(now.reversed() + [earlier]) == [earlier] + now)
  }

  @Test func tiesAreBrokenByClientIDThenText() throws {
    func water(_ end: String) -> String {
      "{'type':'sprout_watered','sproutId':'s','content':'','timestamp':'2026-01-01T00:00:00Z'\(end)}"
    }
    let order = [
      water(",'a':1"), water(",'b':1"), water(",'client_id':'Z'"), water(",'client_id':'a'"),
      water(",'client_id':'aa'"), water(",'client_id':'e\u{301}'"), water(",'client_id':'z'"),
      water(",'client_id':'\u{E9}'"),
    ]
    #expect(try sorted(order.shuffled()) == order)
  }

  @Test func ignoredEventsHaveNoOrderKey() throws {
    let strange = "{'type':'strange','timestamp':'2026-01-02T00:00:00Z'}"
    let sun = "{'type':'sun_shone','twigId':'t','twigLabel':'','content':'','timestamp':'2026-01-01T00:00:00Z'}"
    #expect(try sorted([sun, strange]) == [strange, sun])
    #expect(try event(strange).orderKey == nil)
  }

  private func kept(_ texts: String...) throws -> [String] {
    let events = try texts.map { try event($0) }
    let results = [events, events.reversed(), events + events, Array(events.reversed()) + events].map {
      $0.withoutDuplicates().map(\.canonicalText).sorted()
    }
    for result in results { #expect(result == results[0]) }
    return results[0].map { $0.replacing("\"", with: "'") }
  }

  @Test func anEqualClientIDIsTheSameEvent() throws {
    let first = "{'client_id':'x','timestamp':'2026-01-01T00:00:00Z','type':'a'}"
    let second = "{'client_id':'x','timestamp':'2027-01-01T00:00:00Z','type':'b'}"
    #expect(try kept(first, second) == [first])
    // Which one is kept does not depend on its spelling.
    let respelled = "{'timestamp':'2027-01-01T00:00:00Z','type':'\\u0062','client_id':'x'}"
    #expect(try kept(first, respelled) == [first])
  }

  @Test func clientIDsAreComparedByBytes() throws {
    let composed = "{'client_id':'\u{E9}','type':'a'}"
    let decomposed = "{'client_id':'e\u{301}','type':'a'}"
    #expect(try kept(composed, decomposed).count == 2)
  }

  @Test func eventsWithoutClientIDAreComparedByTypeEntityAndInstant() throws {
    let text = "{'content':'1','sproutId':'s','timestamp':'2026-01-01T00:00:00Z','type':'sprout_watered'}"
    let otherText = text.replacing("'1'", with: "'2'")
    let otherZone = otherText.replacing("00:00:00Z", with: "01:00:00.000+01:00")
    let otherSprout = text.replacing("'s'", with: "'s2'")
    let otherTime = text.replacing("00Z", with: "00.001Z")
    let otherType = text.replacing("sprout_watered", with: "sprout_moved")
    #expect(try kept(text, otherText) == [text])
    #expect(try kept(text, otherZone) == [text])
    #expect(try kept(text, otherSprout, otherTime, otherType).count == 4)
  }

  @Test func anEventWithClientIDReplacesOneWithout() throws {
    let anonymous = "{'content':'1','sproutId':'s','timestamp':'2026-01-01T00:00:00Z','type':'sprout_watered'}"
    let named =
      "{'client_id':'x','content':'2','sproutId':'s','timestamp':'2026-01-01T00:00:00Z','type':'sprout_watered'}"
    let other = named.replacing("'x'", with: "'y'")
    #expect(try kept(anonymous, named) == [named])
    // Two events with different client ids are kept, however similar: another client writes whole seconds.
    #expect(try kept(named, other, anonymous) == [named, other])
  }

  @Test func naturalKeysAreComparedByBytes() throws {
    let composed =
      "{'content':'1','sproutId':'\u{E9}','timestamp':'2026-01-01T00:00:00Z','type':'sprout_watered'}"
    #expect(try kept(composed, composed.replacing("\u{E9}", with: "e\u{301}")).count == 2)
  }

  @Test func malformedEventsNeverDisplaceUnderstoodOnes() throws {
    let water = "{'content':'1','sproutId':'s','timestamp':'2026-01-01T00:00:00Z','type':'sprout_watered'}"
    let malformed = "{'a':'','sproutId':'s','timestamp':'2026-01-01T00:00:00Z','type':'sprout_watered'}"
    #expect(try kept(water, malformed) == [malformed, water])
    let named = malformed.replacing("'a':''", with: "'client_id':'x'")
    #expect(try kept(water, named) == [named, water])
    // Of two versions of one event, the understood one counts, although the other's text sorts first.
    let version = "{'client_id':'x','content':'1'" + water.dropFirst("{'content':'1'".count)
    let broken = "{'client_id':'x'" + malformed.dropFirst("{'a':''".count)
    let first = broken.replacing("{'client_id'", with: "{'a':'','client_id'")
    #expect(try kept(version, first) == [version])
  }

  @Test func emptyClientIDsCountAsMissing() throws {
    let first =
      "{'client_id':'','content':'1','sproutId':'s','timestamp':'2026-01-01T00:00:00Z','type':'sprout_watered'}"
    let second = first.replacing("'s'", with: "'t'")
    #expect(try kept(first, second).count == 2)
  }

  @Test func eventsWithoutEntityOrInstantAreComparedByText() throws {
    #expect(try kept("{'type':'a','x':1}", "{ 'x':1, 'type':'a' }").count == 1)
    #expect(try kept("{'type':'a','x':1}", "{'type':'a','x':2}").count == 2)
    #expect(
      try kept("{'sproutId':'s','type':'sprout_watered'}", "{'sproutId':'s','type':'sprout_watered','x':1}").count == 2)
    let noEntity = "{'sproutId':'','timestamp':'2026-01-01T00:00:00Z','type':'sprout_watered','x':1}"
    #expect(try kept(noEntity, noEntity.replacing("1}", with: "2}")).count == 2)
  }

  @Test func keepsTheOrderOfArrival() throws {
    let texts = (0..<300).map { "{'type':'t','client_id':'\($0 * 7919 % 300)'}" }
    let events = try texts.map { try event($0) }
    #expect((events + events.reversed()).withoutDuplicates().map(\.raw) == events.map(\.raw))
    #expect([Event]().withoutDuplicates().isEmpty)
  }
}
