import Testing

@testable import TrunkModel

@Suite struct NodeTests {
  @Test func idsSurviveWritingAndReading() {
    let nodes = [.trunk] + (0..<8).map { Node.branch($0) } + Node.twigs
    #expect(nodes.count == 73)
    #expect(Set(nodes.map(\.id)).count == 73)
    for node in nodes { #expect(Node(id: node.id) == node) }
  }

  @Test(arguments: [
    "", "Trunk", "branch", "branch-", "branch-8", "branch--1", "branch-01", "branch-0-", "branch-0-twig",
    "branch-0-twig-8", "branch-0-twig-", "branch-0-leaf-0", "branch-٣", "twig-0", "branch-0-twig-0-", " trunk",
    "branch-+1", "branch-0-twig-10",
  ])
  func rejectsOtherIDs(id: String) {
    #expect(Node(id: id) == nil)
  }

  @Test func namesMatchOtherClients() {
    #expect(Node.names.map(\.branch).joined(separator: " ") == "CORE BRAIN VOICE HANDS HEART BREATH BACK FEET")
    #expect(Node.names.allSatisfy { $0.twigs.count == 8 })
    #expect(Node(id: "branch-0-twig-0")?.name == "movement")
    #expect(Node(id: "branch-2-twig-7")?.name == "publication")
    #expect(Node(id: "branch-7-twig-7")?.name == "administration")
    #expect(Node(id: "branch-5")?.name == "BREATH")
    #expect(Node.trunk.name == "TRUNK")
    #expect(Node.trunk.branch == nil)
    #expect(Node.twig(branch: 3, twig: 1).branch == 3)
  }
}
