/// The 64-bit hash FNV-1a by Fowler, Noll and Vo. Unlike Swift's hashes, it is the same in every run and on every
/// device. It detects damage, not manipulation.
package struct FNV1a {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  /// Hashes a text in UTF-8.
  package init(_ text: String) {
    for byte in text.utf8 { add(UInt64(byte)) }
  }

  package mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x100_0000_01B3 }
}
