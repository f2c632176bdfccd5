/// The account and the client of a query. Both have a share of the readers, so that neither many clients of one account
/// nor many accounts of one client take all of them.
struct Requester: Sendable, Hashable {
  /// The account's id.
  let account: String
  /// See `ClientAddress`.
  let client: String
}
