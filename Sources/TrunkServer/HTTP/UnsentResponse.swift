import NIOCore

/// The part of a response that has not been written. What a client doesn't read is neither written nor created.
struct UnsentResponse {
  /// The maximum number of bytes written at once. The client must read them before more are written.
  private static let portion = 65_536

  private var bytes: ByteBuffer
  private var rest: Response.Rest?
  private var nextPart = 0

  init(_ body: String = "", _ rest: Response.Rest? = nil) {
    bytes = ByteBuffer(string: body)
    self.rest = rest
  }

  /// Whether bytes wait until the client has read what was written before.
  var isWaiting: Bool { bytes.readableBytes > 0 }

  /// Whether one portion ends the current part.
  var isLastPortion: Bool { bytes.readableBytes <= UnsentResponse.portion }

  mutating func nextPortion() -> ByteBuffer {
    bytes.readSlice(length: min(bytes.readableBytes, UnsentResponse.portion)) ?? ByteBuffer()
  }

  /// Begins the next part.
  /// - Returns: creates its text, for `set`; `nil` if there is no other part.
  mutating func beginPart() -> (@Sendable () async throws -> String)? {
    guard let rest, nextPart < rest.count else {
      // Its memory is for the next response.
      self.rest = nil
      return nil
    }
    defer { nextPart += 1 }
    return { [nextPart] in try await rest.part(nextPart) }
  }

  mutating func set(_ part: String) { bytes = ByteBuffer(string: part) }
}
