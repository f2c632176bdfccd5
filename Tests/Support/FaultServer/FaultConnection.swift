import Foundation
import Synchronization

/// One connection of a client to a `FaultServer`.
public final class FaultConnection: Sendable {
  let socket: Socket
  private let number: Int
  private let closed = Atomic(false)
  /// Used only on the connection's thread.
  nonisolated(unsafe) private var buffer: [UInt8] = []

  init(_ socket: Socket, number: Int) {
    self.socket = socket
    self.number = number
  }

  var isClosed: Bool { closed.load(ordering: .sequentiallyConsistent) }

  /// Sends a complete response. Adds `Content-Length`, unless `headers` has it or the status is 204.
  public func answer(_ status: Int, _ headers: [String: String] = [:], body: String = "") {
    answer(status, headers, bytes: Array(body.utf8))
  }

  /// Sends a complete response with these bytes as its body. Adds `Content-Length` as `answer(_:_:body:)` does.
  public func answer(_ status: Int, _ headers: [String: String] = [:], bytes: [UInt8]) {
    var head = "HTTP/1.1 \(status) Status\r\n"
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
    if !headers.keys.contains(where: { $0.lowercased() == "content-length" }), status != 204 {
      head += "Content-Length: \(bytes.count)\r\n"
    }
    socket.send(Array((head + "\r\n").utf8) + bytes)
  }

  /// Sends JSON, with status 200 by default.
  public func json(_ text: String, status: Int = 200, _ headers: [String: String] = [:]) {
    answer(status, headers.merging(["Content-Type": "application/json"]) { given, _ in given }, body: text)
  }

  /// Sends text without adding anything.
  /// - Returns: `false` if the client has disconnected.
  @discardableResult
  public func send(_ text: String) -> Bool { socket.send(Array(text.utf8)) }

  /// Sends bytes without adding anything.
  /// - Returns: `false` if the client has disconnected.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool { socket.send(bytes) }

  /// Closes the connection normally.
  public func close() {
    closed.store(true, ordering: .sequentiallyConsistent)
    socket.shutDown()
  }

  /// Resets the connection when its thread ends, which releases the last reference to the socket.
  public func reset() {
    closed.store(true, ordering: .sequentiallyConsistent)
    socket.resetOnClose()
  }

  /// Sends nothing until the client disconnects.
  public func stall() {
    while socket.receive() != nil {}
    close()
  }

  /// Sends a byte every `milliseconds` until the client disconnects.
  public func trickle(every milliseconds: Int32) {
    while !socket.hasInput(within: milliseconds), send("x") {}
    close()
  }

  func nextRequest() -> FaultRequest? {
    guard let head = take(until: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    let start = lines[0].split(separator: " ")
    guard start.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    guard let body = take(count: headers["content-length"].flatMap { Int($0) } ?? 0) else { return nil }
    return FaultRequest(
      method: String(start[0]), target: String(start[1]), headers: headers, body: body, connection: number)
  }

  /// Removes and returns the bytes that the client sent after the last request.
  func takeRest() -> [UInt8] {
    defer { buffer = [] }
    return buffer
  }

  private func take(until delimiter: [UInt8]) -> [UInt8]? {
    while true {
      if let range = buffer.firstRange(of: delimiter) {
        defer { buffer.removeSubrange(..<range.upperBound) }
        return Array(buffer[..<range.lowerBound])
      }
      guard let more = socket.receive() else { return nil }
      buffer += more
    }
  }

  private func take(count: Int) -> [UInt8]? {
    while buffer.count < count {
      guard let more = socket.receive() else { return nil }
      buffer += more
    }
    defer { buffer.removeSubrange(..<count) }
    return Array(buffer[..<count])
  }
}
