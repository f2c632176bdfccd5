import NIOCore
import NIOHTTP1

/// A request whose body may still be incomplete.
struct IncomingRequest {
  let head: HTTPRequestHead
  private(set) var request: Request
  /// How long to delay the response.
  let wait: TimeAmount
  private(set) var isTooLarge = false
  /// Whether the memory for large bodies is used up.
  private(set) var isOutOfMemory = false
  /// The memory of the body; `nil` for anonymous clients, whose bodies are small.
  let memory: Claim?

  init(_ request: Request, head: HTTPRequestHead, memory: Claim?, wait: TimeAmount) {
    self.request = request
    self.head = head
    self.memory = memory
    self.wait = wait
  }

  var isSignedIn: Bool { memory != nil }

  /// Whether another request may follow on the connection. The decoder reads nothing after a request that could have
  /// changed the protocol.
  var keepsAlive: Bool { head.isKeepAlive && request.headers["upgrade"] == nil }

  mutating func append(_ part: ByteBuffer) {
    let count = request.body.count + part.readableBytes
    let limit = isSignedIn ? ServerConfiguration.bodyLimit : ServerConfiguration.anonymousBodyLimit
    isTooLarge = isTooLarge || count > limit
    let isLarge = count > BodyReader.smallSize && !isTooLarge
    isOutOfMemory = isOutOfMemory || isLarge && memory?.grow(to: count) == false
    if isTooLarge || isOutOfMemory { request.body = [] } else { request.body += part.readableBytesView }
  }
}
