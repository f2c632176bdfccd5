import NIOCore
import NIOHTTP1

/// A request whose body may still be incomplete.
struct IncomingRequest {
  let head: HTTPRequestHead
  var request: Request
  let isSignedIn: Bool
  /// The memory of the body; `nil` for anonymous clients, whose bodies are small.
  let memory: BodyMemory.Reservation?
  /// How long to delay the response.
  let wait: TimeAmount
  var isTooLarge = false
  /// Whether the memory for large bodies is used up.
  var isOutOfMemory = false

  /// The maximum size of the body in bytes.
  var limit: Int { isSignedIn ? ServerConfiguration.bodyLimit : ServerConfiguration.anonymousBodyLimit }

  mutating func append(_ part: ByteBuffer) {
    let count = request.body.count + part.readableBytes
    isTooLarge = isTooLarge || count > limit
    isOutOfMemory = isOutOfMemory || !isTooLarge && memory?.grow(to: count) == false
    if isTooLarge || isOutOfMemory { request.body = [] } else { request.body += part.readableBytesView }
  }
}
