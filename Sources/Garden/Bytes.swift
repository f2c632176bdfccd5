/// Appends values to bytes in the machine's own layout.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

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

/// Reads what `ByteWriter` wrote; whatever the bytes are, it ends in a value or in `Damaged`.
struct ByteReader {
  struct Damaged: Error {}

  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { offset == bytes.count }

  /// For numbers only: every pattern of bytes must be a value.
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
    let count = try readCount()
    let start = try take(count * MemoryLayout<Value>.stride)
    return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
      let source = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
      UnsafeMutableRawBufferPointer(buffer).copyMemory(from: source)
      initialized = count
    }
  }

  mutating func readString() throws(Damaged) -> String {
    let start = try take(try readCount())
    return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<offset]), as: UTF8.self)
  }

  mutating func readOptionalString() throws(Damaged) -> String? { try readBool() ? try readString() : nil }

  private mutating func take(_ count: Int) throws(Damaged) -> Int {
    guard count <= bytes.count - offset else { throw Damaged() }
    defer { offset += count }
    return offset
  }
}
