/// Appends values to bytes in the machine's native layout.
struct ByteWriter {
  private var bytes = [UInt8](repeating: 0, count: 8)

  /// Everything written, preceded by its checksum.
  var bytesAfterChecksum: [UInt8] {
    var result = bytes
    result.withUnsafeMutableBytes { buffer in
      let checksum = UnsafeRawBufferPointer(rebasing: buffer[8...]).checksum
      buffer.storeBytes(of: checksum, as: UInt64.self)
    }
    return result
  }

  mutating func write<Value: BitwiseCopyable>(_ value: Value) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  mutating func write<Value: BitwiseCopyable>(_ values: [Value]) {
    write(Int64(values.count))
    values.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  mutating func write(_ text: String) {
    var text = text
    write(Int64(text.utf8.count))
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  mutating func write(_ text: String?) {
    write(text != nil)
    if let text { write(text) }
  }
}

/// Reads what `ByteWriter` wrote. For any other bytes, it returns values or throws `Damaged`.
struct ByteReader {
  struct Damaged: Error {}

  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  /// - Throws: `Damaged` if the checksum doesn't match.
  init(checksummed bytes: UnsafeRawBufferPointer) throws(Damaged) {
    self.bytes = bytes
    let checksum = try read(UInt64.self)
    guard UnsafeRawBufferPointer(rebasing: bytes[offset...]).checksum == checksum else { throw Damaged() }
  }

  var isAtEnd: Bool { offset == bytes.count }

  /// For types for which every bit pattern is a valid value, such as numbers.
  mutating func read<Value: BitwiseCopyable>(_ type: Value.Type) throws(Damaged) -> Value {
    let start = try take(MemoryLayout<Value>.size)
    return bytes.loadUnaligned(fromByteOffset: start, as: type)
  }

  mutating func readBool() throws(Damaged) -> Bool { try read(UInt8.self) != 0 }

  mutating func readCount() throws(Damaged) -> Int {
    let count = try read(Int64.self)
    guard count >= 0, count <= bytes.count else { throw Damaged() }
    return Int(count)
  }

  mutating func readArray<Value: BitwiseCopyable>(_ type: Value.Type) throws(Damaged) -> [Value] {
    try readElements(type, count: try readCount(), capacity: 0)
  }

  /// Reads elements that were written as one array into the chunks that hold them.
  mutating func readChunked<Value: BitwiseCopyable & Sendable>(
    _ type: Value.Type, size: Int
  ) throws(Damaged) -> Chunked<Value> {
    var chunked = Chunked<Value>(size: size)
    var left = try readCount()
    while left > 0 {
      // The last chunk has room for later elements.
      chunked.append(chunk: try readElements(type, count: min(left, size), capacity: size))
      left -= size
    }
    return chunked
  }

  mutating func readString() throws(Damaged) -> String {
    let start = try take(try readCount())
    return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<offset]), as: UTF8.self)
  }

  mutating func readOptionalString() throws(Damaged) -> String? { try readBool() ? try readString() : nil }

  private mutating func readElements<Value: BitwiseCopyable>(
    _ type: Value.Type, count: Int, capacity: Int
  ) throws(Damaged) -> [Value] {
    let start = try take(count * MemoryLayout<Value>.stride)
    return Array(unsafeUninitializedCapacity: max(count, capacity)) { buffer, initialized in
      let source = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
      UnsafeMutableRawBufferPointer(buffer).copyMemory(from: source)
      initialized = count
    }
  }

  private mutating func take(_ count: Int) throws(Damaged) -> Int {
    guard count <= bytes.count - offset else { throw Damaged() }
    defer { offset += count }
    return offset
  }
}

extension UnsafeRawBufferPointer {
  /// FNV-1a over the length and over words of 8 bytes, the last one padded.
  fileprivate var checksum: UInt64 {
    var hash = FNV1a()
    hash.add(UInt64(count))
    let words = count / 8 * 8
    for offset in stride(from: 0, to: words, by: 8) {
      hash.add(loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    hash.add(self[words...].reduce(0) { $0 << 8 | UInt64($1) })
    return hash.value
  }
}
