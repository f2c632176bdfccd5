extension EventStore {
  /// Records which account and server the log belongs to, before anything is sent or fetched. After a project was
  /// copied, two servers give a user the same ID and so use the same folder. A file that was copied into another
  /// account's folder must not be sent there.
  /// - Parameters:
  ///   - server: the server's address.
  ///   - account: the user's ID; `nil` doesn't check it.
  ///   - hasMoved: whether the log's server has moved to this address. Everything is then fetched and compared again.
  /// - Throws: `otherServer` or `otherAccount` if the log belongs to another one; nothing has changed.
  public func bind(to server: String, account: String? = nil, hasMoved: Bool = false) throws(StoreError) {
    let isBound = try read { database in
      let meta = MetaTable(database: database)
      return try meta.value(.server) == server && (account == nil || meta.value(.account) == account)
    }
    if isBound { return }
    try write { database in
      let meta = MetaTable(database: database)
      if let account {
        if let known = try meta.value(.account), known != account { throw StoreError.otherAccount(path: path) }
        try meta.set(account, for: .account)
      }
      if let known = try meta.value(.server), known != server {
        guard hasMoved else { throw StoreError.otherServer(address: known) }
        try meta.set(EventStore.movedServer, for: .serverRowsFormat)
        for key in [MetaKey.countDifference, .settled, .rowTimes, .remoteLoss] { try meta.set(nil, for: key) }
      }
      try meta.set(server, for: .server)
    }
  }
}
