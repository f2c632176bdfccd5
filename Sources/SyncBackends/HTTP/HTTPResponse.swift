/// A response with any status. Redirects are never followed, but returned.
public struct HTTPResponse: Sendable, CustomStringConvertible {
  public let status: Int
  /// In order of arrival, with lower-case names.
  public let headers: [(name: String, value: String)]
  public let body: [UInt8]
  /// Where a redirect leads, for people to read: without the query. `nil` without one.
  public let movedTo: String?

  public init(status: Int, headers: [(name: String, value: String)], body: [UInt8], movedTo: String? = nil) {
    self.movedTo = movedTo
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Contains neither headers nor body, because descriptions end up in logs.
  public var description: String { "answer \(status)" }

  /// The first header with this lower-case name.
  public subscript(name: String) -> String? { headers.first { $0.name == name }?.value }
}
