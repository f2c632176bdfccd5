import SQLiteKit
import TrunkModel

/// A user account.
struct User: Sendable, Equatable {
  var id: String
  /// Lower-case.
  var email: String
  /// A JSON object that clients can write.
  var metadata: JSON
  var createdAt: Microseconds
  var updatedAt: Microseconds
  var lastSignInAt: Microseconds

  static let columns = "users.id, email, metadata, users.created_at, users.updated_at, last_sign_in_at"

  static let columnCount: Int32 = 6

  /// - Parameter row: a row that begins with `columns`.
  init(_ row: Row) {
    id = row.text(0)
    email = row.text(1)
    // Only objects are ever stored.
    metadata = (try? JSON(row.text(2))) ?? .object([])
    createdAt = Microseconds(row.integer(3))
    updatedAt = Microseconds(row.integer(4))
    lastSignInAt = Microseconds(row.integer(5))
  }

  init(id: String, email: String, metadata: JSON, at instant: Microseconds) {
    self.id = id
    self.email = email
    self.metadata = metadata
    (createdAt, updatedAt, lastSignInAt) = (instant, instant, instant)
  }

  static let appMetadata = JSON.object([
    .init("provider", .string("email")), .init("providers", .array([.string("email")])),
  ])

  /// The account in the format of Supabase's clients.
  var json: JSON {
    let identity = JSON.object([
      .init("identity_id", .string(id)),
      .init("id", .string(id)),
      .init("user_id", .string(id)),
      .init(
        "identity_data",
        .object([
          .init("email", .string(email)), .init("email_verified", .bool(true)), .init("phone_verified", .bool(false)),
          .init("sub", .string(id)),
        ])),
      .init("provider", .string("email")),
      .init("last_sign_in_at", .string(lastSignInAt.rfc3339)),
      .init("created_at", .string(createdAt.rfc3339)),
      .init("updated_at", .string(updatedAt.rfc3339)),
      .init("email", .string(email)),
    ])
    return .object([
      .init("id", .string(id)),
      .init("aud", .string("authenticated")),
      .init("role", .string("authenticated")),
      .init("email", .string(email)),
      .init("email_confirmed_at", .string(createdAt.rfc3339)),
      .init("phone", .string("")),
      .init("confirmed_at", .string(createdAt.rfc3339)),
      .init("last_sign_in_at", .string(lastSignInAt.rfc3339)),
      .init("app_metadata", User.appMetadata),
      .init("user_metadata", metadata),
      .init("identities", .array([identity])),
      .init("created_at", .string(createdAt.rfc3339)),
      .init("updated_at", .string(updatedAt.rfc3339)),
      .init("is_anonymous", .bool(false)),
    ])
  }

  /// Merges `data` at the top level, member by member; `null` removes a member.
  static func merge(_ data: JSON, into metadata: JSON) -> JSON {
    guard case .object(let changes) = data, case .object(let old) = metadata else { return metadata }
    var members = old.map { Optional($0) }
    // With tens of thousands of members, a linear search for each change would block all writers for a minute.
    var places: [[UInt8]: Int] = [:]
    for (place, member) in old.enumerated() { places[Array(member.name.decoded.utf8)] = place }
    for change in changes {
      let name = change.name.decoded
      let key = Array(name.utf8)
      if case .null = change.value {
        if let place = places.removeValue(forKey: key) { members[place] = nil }
      } else if let place = places[key] {
        members[place] = .init(name, change.value)
      } else {
        places[key] = members.count
        members.append(.init(name, change.value))
      }
    }
    return .object(members.compactMap(\.self))
  }
}
