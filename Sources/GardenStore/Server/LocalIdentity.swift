import Garden
import Storage

/// An event of the log, as far as comparing it with the server's rows needs it.
public struct LocalIdentity: Sendable {
  public let seq: Int64
  /// Under what the server keeps the event.
  public let identity: String
  /// The server's row that held it when it came, or when it was sent; `nil` if that is not known.
  public let place: Cursor?
  public let upload: UploadState
}

extension GardenStore {
  /// All events of the log, in the order of `seq`, without their content.
  public func localIdentities() throws(StoreError) -> [LocalIdentity] {
    try read { database in
      try database.all(
        "SELECT seq, client_id, server_id, server_created_at, upload, iif(client_id IS NULL, raw, '') FROM events"
          + " ORDER BY seq"
      ) { row in
        let place = row.optionalText(2).flatMap { id in row.optionalText(3).map { Cursor(createdAt: $0, id: id) } }
        return LocalIdentity(
          seq: row.integer(0), identity: try row.optionalText(1) ?? Event(json: row.text(5)).identity, place: place,
          upload: UploadState(rawValue: row.integer(4)) ?? .pending)
      }
    }
  }

  /// Sends these events with the next sync, whether or not the server had or rejected them before.
  public func sendAgain(seqs: [Int64]) throws(StoreError) {
    try write { database in
      for seq in seqs {
        try database.execute(
          """
          UPDATE events SET upload = 0, local_only = 0, server_id = NULL, server_created_at = NULL, held_until = NULL
          WHERE seq = ?
          """, .integer(seq))
      }
    }
  }
}
