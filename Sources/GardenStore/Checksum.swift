/// A fast 64-bit checksum against accidental damage, for blobs of megabytes.
enum Checksum {
  static func of(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    var lanes = SIMD4<UInt64>(
      0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9, 0x27d4_eb2f_1656_67c5)
    let whole = bytes.count / 32 * 32
    for offset in stride(from: 0, to: whole, by: 32) {
      let block = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
      lanes = (lanes ^ block) &* 0x0000_0100_0000_01b3
      lanes ^= lanes &>> 29
    }
    var sum = UInt64(bytes.count)
    for index in 0..<4 { sum = mixed(sum ^ lanes[index]) }
    for byte in bytes[whole...] { sum = mixed(sum ^ UInt64(byte)) }
    return Int64(bitPattern: sum)
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var value = (value ^ (value >> 32)) &* 0xd6e8_feb8_6659_fd93
    value ^= value >> 29
    return value &* 0x9fb2_1c65_1e98_df25
  }
}
