/// Reads requests of HTTP/1.1, one after the other. Nothing that a client sends is kept beyond the limits, also not
/// before it is complete.
struct RequestReader: ~Copyable {
  /// Why a request is refused before anybody looks at what it wants. What follows it can't be told apart from it any
  /// more, so the connection ends.
  enum Refusal: Error {
    case malformed
    case headTooLarge
    case notImplemented
  }

  enum Body {
    case whole([UInt8])
    /// It was read to its end and thrown away.
    case tooLarge
  }

  /// Bytes of the first line and the headers, at most; also of a line between the chunks of a body.
  static let headLimit = 65_536

  var inbox: Inbox

  init(_ socket: PolledSocket) {
    inbox = Inbox(socket)
  }

  /// - Returns: `nil` when no more requests come.
  mutating func head() async throws(Refusal) -> RequestHead? {
    if inbox.count == 0 {
      inbox.socket.expectData(within: ServerConfiguration.patience)
      guard await inbox.fill() else { return nil }
    }
    inbox.socket.expectData(within: ServerConfiguration.requestTime)
    guard let bytes = try await bytes(before: "\r\n\r\n") else { return nil }
    guard let head = RequestHead(bytes) else { throw .malformed }
    return head
  }

  /// - Parameter limit: bytes, at most.
  /// - Returns: `nil` if the client went away.
  mutating func body(of head: RequestHead, limit: Int) async throws(Refusal) -> Body? {
    var body = BodyBuffer(limit: limit)
    switch (head.headers["content-length"], head.headers["transfer-encoding"]?.lowercased()) {
    case (nil, nil): break
    case (let length?, nil):
      guard let count = RequestReader.number(length.utf8, radix: 10) else { throw .malformed }
      guard await read(count, into: &body) else { return nil }
    case (nil, "chunked"):
      guard try await readChunks(into: &body) else { return nil }
    case (nil, _): throw .notImplemented
    // Servers and proxies that go by different ones can be played off against each other.
    case (_?, _?): throw .malformed
    }
    return body.isTooLarge ? .tooLarge : .whole(body.bytes)
  }

  private mutating func readChunks(into body: inout BodyBuffer) async throws(Refusal) -> Bool {
    while true {
      guard let line = try await bytes(before: "\r\n") else { return false }
      guard let size = line.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).first,
        let count = RequestReader.number(size, radix: 16)
      else { throw .malformed }
      if count == 0 { break }
      guard await read(count, into: &body) else { return false }
      guard let end = try await bytes(before: "\r\n") else { return false }
      guard end.isEmpty else { throw .malformed }
    }
    // Headers may follow; nobody needs them.
    while let line = try await bytes(before: "\r\n") {
      if line.isEmpty { return true }
    }
    return false
  }

  private mutating func read(_ count: Int, into body: inout BodyBuffer) async -> Bool {
    var missing = count
    while missing > 0 {
      if inbox.count == 0 {
        guard await inbox.fill() else { return false }
      }
      let part = inbox.take(missing)
      missing -= part.count
      body.append(part)
    }
    return true
  }

  /// Takes what stands before a mark, and the mark.
  private mutating func bytes(before mark: StaticString) async throws(Refusal) -> ArraySlice<UInt8>? {
    var searched = 0
    while true {
      if let end = inbox.offset(of: mark, from: searched) {
        guard end <= RequestReader.headLimit else { throw .headTooLarge }
        return inbox.take(end + mark.utf8CodeUnitCount).dropLast(mark.utf8CodeUnitCount)
      }
      guard inbox.count <= RequestReader.headLimit else { throw .headTooLarge }
      searched = max(0, inbox.count - mark.utf8CodeUnitCount + 1)
      guard await inbox.fill() else { return nil }
    }
  }

  /// Digits alone, without a sign, and few enough of them.
  private static func number(_ digits: some Collection<UInt8>, radix: Int) -> Int? {
    guard (1...15).contains(digits.count), digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") })
    else { return nil }
    return Int(String(decoding: digits, as: UTF8.self), radix: radix)
  }
}

/// A body as far as it has come.
private struct BodyBuffer {
  let limit: Int
  var bytes: [UInt8] = []
  var isTooLarge = false

  mutating func append(_ part: ArraySlice<UInt8>) {
    isTooLarge = isTooLarge || bytes.count + part.count > limit
    if isTooLarge { bytes = [] } else { bytes += part }
  }
}

/// The first line of a request and its headers.
struct RequestHead {
  var method: String
  var path: String
  /// As it came, still encoded.
  var query: String
  /// By lower-case name.
  var headers: [String: String] = [:]
  /// Whether another request may follow on the same connection.
  var keepsAlive: Bool

  /// - Parameter bytes: without the empty line at the end.
  /// - Returns: `nil` for what is no HTTP, or could be read in two ways.
  init?(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    guard let words = RequestHead.line(&rest)?.split(separator: 32, omittingEmptySubsequences: false),
      words.count == 3, let method = words.first, !method.isEmpty, method.allSatisfy(RequestHead.isTokenCharacter)
    else { return nil }
    let version = String(decoding: words[2], as: UTF8.self)
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else { return nil }
    self.method = String(decoding: method, as: UTF8.self)
    let target = words[1].split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    path = target.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    query = target.count > 1 ? String(decoding: target[1], as: UTF8.self) : ""
    keepsAlive = false
    while !rest.isEmpty {
      guard let line = RequestHead.line(&rest), let colon = line.firstIndex(of: UInt8(ascii: ":")),
        colon > line.startIndex, line[..<colon].allSatisfy(RequestHead.isTokenCharacter)
      else { return nil }
      let name = String(decoding: line[..<colon].map(RequestHead.lowercased), as: UTF8.self)
      let value = String(decoding: RequestHead.trimmed(line[(colon + 1)...]), as: UTF8.self)
      // Said twice it is a list; where there must be one value, a list is no value.
      headers[name] = headers[name].map { $0 + ", " + value } ?? value
    }
    let wishes = headers["connection"].map { $0.lowercased().split(separator: ",").map { String($0.trimmed) } } ?? []
    keepsAlive = version == "HTTP/1.1" ? !wishes.contains("close") : wishes.contains("keep-alive")
  }

  /// Takes the next line; `nil` if there are control characters in it.
  private static func line(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let end = rest.firstIndex { $0 < 32 && $0 != 9 } ?? rest.endIndex
    let line = rest[..<end]
    rest = rest[end...]
    guard rest.isEmpty || rest.starts(with: [13, 10]) else { return nil }
    rest = rest.dropFirst(2)
    return line
  }

  private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
    guard let last = value.lastIndex(where: { !isSpace($0) }) else { return [] }
    return value[...last].drop(while: isSpace)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }

  /// RFC 9110, 5.6.2, as far as it keeps names apart from what is around them.
  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    byte > 32 && byte < 127 && byte != UInt8(ascii: ":") && byte != UInt8(ascii: ",") && byte != UInt8(ascii: ";")
  }
}
