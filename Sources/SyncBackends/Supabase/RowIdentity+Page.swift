import EventStore
import SyncEngine
import TrunkModel

extension RowIdentity {
  /// Decodes a list of rows with `id`, `client_id` and `created_at`.
  /// - Parameter wrapper: the name of the list, if it is a member of an object.
  /// - Throws: `unintelligible` unless the body is exactly one complete list.
  static func page(_ response: HTTPResponse, in wrapper: String? = nil) throws(ServiceFailure) -> [RowIdentity] {
    let json = response.json
    guard let rows = (wrapper.map { json?[$0] } ?? json)?.elements else {
      throw .unintelligible(detail: "not a list of rows")
    }
    var identities: [RowIdentity] = []
    for row in rows {
      guard let id = row["id"]?.text, let createdAt = row["created_at"]?.text else {
        throw .unintelligible(detail: "a row without its columns")
      }
      identities.append(RowIdentity(position: Cursor(createdAt: createdAt, id: id), clientID: row["client_id"]?.text))
    }
    return identities
  }
}
