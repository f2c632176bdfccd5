import TestSupport
import Testing

@testable import TrunkModel

@Suite struct ReportTests {
  @Test func reportsEverythingInTheGarden() throws {
    let texts = [
      "{'type':'leaf_created','leafId':'l','twigId':'branch-0-twig-0','name':'N','timestamp':'2026-01-01T13:00+01:00'}",
      """
      {'type':'sprout_planted','sproutId':'b','twigId':'branch-0-twig-0','title':'B','season':'2w',\
      'environment':'firm','soilCost':2.5,'leafId':'l','bloomWither':'w','timestamp':'2026-01-01T13:30:00Z'}
      """,
      """
      {'type':'sprout_planted','sproutId':'a','twigId':'branch-0-twig-0','title':'A','season':'1m',\
      'environment':'barren','soilCost':3,'leafId':'','timestamp':'2026-01-01T14:00:00Z'}
      """,
      "{'type':'sprout_watered','sproutId':'a','content':'c','prompt':'p','timestamp':'2026-01-02T12:00:00.5Z'}",
      "{'type':'sprout_harvested','sproutId':'a','result':5,'capacityGained':2,'reflection':'r','timestamp':'2026-01-02T13:00:00Z'}",
      "{'type':'sprout_uprooted','sproutId':'b','soilReturned':1,'timestamp':'2026-01-02T14:00:00Z'}",
      "{'type':'sun_shone','twigId':'branch-7-twig-7','twigLabel':'L','content':'s','timestamp':'2026-01-02T15:00:00Z'}",
      "{'type':'node_updated','nodeId':'trunk','note':'n','timestamp':'2026-01-02T16:00:00Z'}",
      "{'type':'seedling_created','seedlingId':'i','twigId':'t','title':'S','timestamp':'2026-01-02T17:00:00Z'}",
      "{'type':'strange','timestamp':'2026-01-02T18:00:00Z'}",
    ]
    let events = try texts.map { try event($0) }
    let report = try Garden(events, zone: .utc).report(now: instant("2026-01-02T20:00Z")) { events[Int($0)] }
    let expected = """
      {'ignored':1,\
      'leaves':[{'createdAt':'2026-01-01T13:00+01:00','done':0,'growing':0,'id':'l','name':'N','total':1,\
      'twigId':'branch-0-twig-0'}],\
      'nodes':[{'id':'trunk','note':'n'}],\
      'radar':[0.0855,0,0,0,0,0,0,0.0034999999999999996],\
      'seedlings':[{'createdAt':'2026-01-02T17:00:00Z','id':'i','title':'S','twigId':'t'}],\
      'soil':{'available':8.9,'capacity':12},\
      'sprouts':[\
      {'environment':'barren','harvestDue':'2026-01-31T14:00:00.000Z','harvestedAt':'2026-01-02T13:00:00Z','id':'a',\
      'leafId':'','plantedAt':'2026-01-01T14:00:00Z','reflection':'r','result':5,'season':'1m','soilCost':3,\
      'state':'completed','title':'A','twigId':'branch-0-twig-0',\
      'waterEntries':[{'content':'c','prompt':'p','timestamp':'2026-01-02T12:00:00.5Z'}],'wateredToday':true},\
      {'bloomWither':'w','environment':'firm','harvestDue':'2026-01-15T13:30:00.000Z','id':'b','leafId':'l',\
      'plantedAt':'2026-01-01T13:30:00Z','season':'2w','soilCost':2.5,'state':'uprooted','title':'B',\
      'twigId':'branch-0-twig-0','uprootedAt':'2026-01-02T14:00:00Z','waterEntries':[],'wateredToday':false}],\
      'streak':{'current':1,'longest':1},\
      'sun':{'available':0,'capacity':1},\
      'sunEntries':[{'content':'s','timestamp':'2026-01-02T15:00:00Z','twigId':'branch-7-twig-7','twigLabel':'L'}],\
      'water':{'available':2,'capacity':3}}
      """
    let members = try #require(report.members)
    let withoutChart = JSON.object(members.filter { $0.name.decoded != "soilChart" })
    #expect(withoutChart.canonicalText.replacing("\"", with: "'") == expected)

    let ranges = try #require(report["soilChart"]?.members)
    #expect(ranges.map(\.name.decoded) == ["1d", "1w", "1m", "3m", "6m", "ytd", "all"])
    #expect(report["soilChart"]?["1d"]?.elements?.last?.compactText == #"["2026-01-02T20:00:00.000Z",12,8.9]"#)
  }
}
