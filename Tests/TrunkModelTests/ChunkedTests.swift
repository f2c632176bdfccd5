import Testing

@testable import TrunkModel

@Suite struct ChunkedTests {
  @Test func behavesLikeAnArray() {
    var chunked = Chunked<Int>(size: 4)
    #expect(chunked.isEmpty && chunked.first == nil)
    for number in 0..<10 { chunked.append(number) }
    #expect(Array(chunked) == Array(0..<10))
    #expect(chunked.last == 9 && chunked[4] == 4)
  }

  @Test func copiesAreIndependent() {
    var chunked = Chunked<Int>(size: 4)
    for number in 0..<6 { chunked.append(number) }
    let copy = chunked
    chunked[1] = 100
    chunked.append(6)
    #expect(Array(copy) == Array(0..<6))
    #expect(Array(chunked) == [0, 100, 2, 3, 4, 5, 6])
    #expect(copy != chunked)
  }
}
