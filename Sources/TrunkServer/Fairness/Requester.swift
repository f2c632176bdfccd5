/// Who sends a request. Limits count for both, so that neither many clients of one account nor many accounts of one
/// client take more than their share.
struct Requester: Sendable {
  /// The account's id.
  let account: String
  /// The client's name, see `ClientAddress`.
  let client: String

  var holders: [Budget.Holder] { [.account(account), .client(client), .everyone] }
}
