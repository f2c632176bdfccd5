/// What has arrived from a client and was not taken yet.
struct Inbox: ~Copyable {
  let socket: PolledSocket
  private var bytes: [UInt8] = []
  /// How many of them were taken.
  private var taken = 0

  init(_ socket: PolledSocket) {
    self.socket = socket
  }

  var count: Int { bytes.count - taken }

  /// Waits for more.
  /// - Returns: `false` when nothing more will come.
  mutating func fill() async -> Bool {
    // What waits long for its next request or message waits without a large buffer.
    if taken == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
    } else {
      bytes.removeSubrange(..<taken)
    }
    taken = 0
    return await socket.read(into: &bytes)
  }

  /// Waits until so many bytes are there; the caller sees to it that they are few.
  mutating func fill(to count: Int) async -> Bool {
    while self.count < count {
      guard await fill() else { return false }
    }
    return true
  }

  /// - Parameter count: of those that are there, at most.
  mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    let part = bytes[taken...].prefix(count)
    taken += part.count
    return part
  }

  /// Where some bytes begin.
  /// - Parameter offset: where to begin to look.
  func offset(of part: StaticString, from offset: Int) -> Int? {
    bytes.withUnsafeBytes { bytes in
      let part = UnsafeRawBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount)
      var index = taken + offset
      while index + part.count <= bytes.count {
        if bytes[index] == part[0], bytes[index..<(index + part.count)].elementsEqual(part) { return index - taken }
        index += 1
      }
      return nil
    }
  }

  /// Reads to the end and throws it away, so that a client which is still writing gets to read why it was refused.
  mutating func discard() async {
    repeat { taken = bytes.count } while await fill()
  }
}
