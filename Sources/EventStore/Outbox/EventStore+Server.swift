extension EventStore {
  /// Records which server the log belongs to, before anything is sent or fetched. After a project was copied, two
  /// servers give a user the same ID and so use the same folder.
  /// - Parameters:
  ///   - server: the server's address.
  ///   - hasMoved: whether the log's server has moved to this address. Everything is then fetched and compared again.
  /// - Throws: `otherServer` if the log belongs to another server; nothing has changed.
  public func bind(to server: String, hasMoved: Bool = false) throws(StoreError) {
    if try value(.server) == server { return }
    try write { database in
      let meta = MetaTable(database: database)
      if let known = try meta.value(.server), known != server {
        guard hasMoved else { throw StoreError.otherServer(address: known) }
        try meta.set(EventStore.movedServer, for: .serverRowsFormat)
        for key in [MetaKey.countDifference, .settled, .rowTimes, .remoteLoss] { try meta.set(nil, for: key) }
      }
      try meta.set(server, for: .server)
    }
  }
}
