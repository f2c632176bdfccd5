import Testing

@testable import TrunkModel

@Suite struct PositionTableTests {
  /// - Parameter hash: returns the hash to use for an id.
  private func check(hash: (String) -> Int32) {
    let ids = (0..<300).map { "sprout-\($0)" }
    var table = PositionTable()
    for (position, id) in ids.enumerated() {
      #expect(table.find(hash(id)) { ids[$0] == id } == nil)
      table.add(hash(id), position: position)
    }
    #expect(ids.map { id in table.find(hash(id)) { ids[$0] == id } } == Array(ids.indices))
    #expect(table.find(hash("sprout-300")) { _ in false } == nil)
  }

  @Test func findsWhatWasAddedWhileItGrows() { check(hash: PositionTable.hash) }

  @Test func idsWithTheSameHashStayApart() {
    check { _ in 7 }
    check { _ in -1 }
  }

  @Test func copiesAreIndependent() {
    var table = PositionTable()
    table.add(1, position: 0)
    let copy = table
    table.add(2, position: 1)
    #expect(copy.find(2) { _ in true } == nil)
    #expect(table.find(2) { _ in true } == 1)
  }

  @Test(arguments: ["", "a", "1234567", "12345678", "123456789", "1234567890123456", "sprout-\u{E9}\u{1F331}"])
  func bytesAreComparedToTheEnd(text: String) {
    #expect(text.hasSameBytes(as: String(decoding: Array(text.utf8), as: UTF8.self)))
    for index in text.utf8.indices {
      var bytes = Array(text.utf8)
      bytes[text.utf8.distance(from: text.utf8.startIndex, to: index)] = UInt8(ascii: "#")
      #expect(!text.hasSameBytes(as: String(decoding: bytes, as: UTF8.self)))
    }
    #expect(!text.hasSameBytes(as: text + "1"))
  }
}
