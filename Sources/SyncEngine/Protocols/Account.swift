/// One user of one service.
public struct Account: Sendable, Hashable {
  /// The base address of the service, without a trailing slash.
  public let server: String
  public let userID: String

  public init(server: String, userID: String) {
    self.server = server
    self.userID = userID
  }
}
