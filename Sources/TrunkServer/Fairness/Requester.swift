/// The account and the client of a query. Each has a limited share of the readers, so that neither many clients of one
/// account nor many accounts of one client take all of them.
struct Requester: Sendable {
  /// The account's id.
  let account: String
  /// The customer behind the client: see `ClientAddress.customer`.
  let client: String
  /// The client's side of the connection; `nil` for requests that write, which are finished even if it disconnects.
  let side: ClientSide?

  init(account: String, client: String, side: ClientSide? = nil) {
    self.account = account
    self.client = ClientAddress.customer(of: client)
    self.side = side
  }

  var holders: [Budget.Holder] { [.account(account), .client(client)] }
}
