/// A bearer token and its user.
public struct AccessToken: Sendable, Equatable, CustomStringConvertible {
  public let text: String
  public let userID: String

  public init(_ text: String, userID: String) {
    self.text = text
    self.userID = userID
  }

  /// Never the token itself: descriptions end up in logs.
  public var description: String { "access token" }
}
