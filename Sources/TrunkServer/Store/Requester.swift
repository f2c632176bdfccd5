/// The account and the client of a query. Both have a share of the readers, so that neither many clients of one account
/// nor many accounts of one client take all of them.
struct Requester: Sendable {
  /// The account's id.
  let account: String
  /// See `ClientAddress`.
  let client: String
  /// The connection of a request that only reads. Requests that write are finished for a disconnected client too.
  var side: ClientSide?
}
