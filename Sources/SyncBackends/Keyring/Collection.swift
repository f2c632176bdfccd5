import CSecret
import SyncEngine

/// The default collection of the Secret Service, accessed with libsecret's blocking calls.
///
/// It is looked up for each call, because the service may have been restarted, locked or replaced since the last one.
final class Collection {
  private let service: UnsafeMutablePointer<SecretService>
  private let collection: UnsafeMutablePointer<SecretCollection>
  private let cancellable: Cancellable

  init(_ cancellable: Cancellable) throws(VaultFailure) {
    self.cancellable = cancellable
    let service = try Self.openService(cancellable)
    var error: UnsafeMutablePointer<GError>?
    guard
      let collection = secret_collection_for_alias_sync(
        service, "default", SECRET_COLLECTION_NONE, cancellable.pointer, &error)
    else {
      g_object_unref(service)
      throw error == nil ? .noCollection : VaultFailure(taking: error)
    }
    self.service = service
    self.collection = collection
  }

  deinit {
    g_object_unref(collection)
    g_object_unref(service)
  }

  /// Asks the service for a default collection. It prompts the user for a password.
  static func create(_ cancellable: Cancellable) throws(VaultFailure) {
    let service = try openService(cancellable)
    defer { g_object_unref(service) }
    var error: UnsafeMutablePointer<GError>?
    guard
      let collection = secret_collection_create_sync(
        service, "Default keyring", "default", SECRET_COLLECTION_CREATE_NONE, cancellable.pointer, &error)
    else { throw error == nil ? .denied : VaultFailure(taking: error) }
    g_object_unref(collection)
  }

  var isLocked: Bool { secret_collection_get_locked(collection) != 0 }

  /// Throws if the collection is locked. A search in a locked collection would find nothing and report success.
  func requireUnlocked() throws(VaultFailure) {
    if isLocked { throw .locked }
  }

  func unlock() throws(VaultFailure) {
    var error: UnsafeMutablePointer<GError>?
    let objects = g_list_append(nil, collection)
    defer { g_list_free(objects) }
    let count = secret_service_unlock_sync(service, objects, cancellable.pointer, nil, &error)
    guard error == nil else { throw VaultFailure(taking: error) }
    if count < 1 { throw .denied }
  }

  /// The secrets of the account's items, the newest first. Tools for keyrings may have added items with its attributes.
  func secrets(of account: Account) throws(VaultFailure) -> [String] {
    try withItems(of: account) { items throws(VaultFailure) in
      var secrets: [String] = []
      for item in items.sorted(by: { secret_item_get_modified($0) > secret_item_get_modified($1) }) {
        if let secret = try secret(of: item) { secrets.append(secret) }
      }
      return secrets
    }
  }

  private func secret(of item: UnsafeMutablePointer<SecretItem>) throws(VaultFailure) -> String? {
    if secret_item_get_locked(item) != 0 { throw .locked }
    var error: UnsafeMutablePointer<GError>?
    guard secret_item_load_secret_sync(item, cancellable.pointer, &error) != 0 else {
      throw VaultFailure(taking: error)
    }
    guard let value = secret_item_get_secret(item) else { throw .locked }
    defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
    var length: gsize = 0
    guard let start = secret_value_get(value, &length) else { return nil }
    return String(decoding: UnsafeRawBufferPointer(start: start, count: Int(length)), as: UTF8.self)
  }

  /// Replaces the account's item.
  func store(_ line: String, of account: Account) throws(VaultFailure) {
    let schema = Self.schema()
    let attributes = Self.attributes(of: account)
    let value = secret_value_new(line, gssize(line.utf8.count), "text/plain")
    defer {
      secret_schema_unref(schema)
      g_hash_table_unref(attributes)
      secret_value_unref(UnsafeMutableRawPointer(value))
    }
    var error: UnsafeMutablePointer<GError>?
    guard
      let item = secret_item_create_sync(
        collection, schema, attributes, "Trunk", value, SECRET_ITEM_CREATE_REPLACE, cancellable.pointer, &error)
    else { throw error == nil ? .denied : VaultFailure(taking: error) }
    g_object_unref(item)
  }

  func remove(_ account: Account) throws(VaultFailure) {
    try withItems(of: account) { items throws(VaultFailure) in
      for item in items {
        var error: UnsafeMutablePointer<GError>?
        guard secret_item_delete_sync(item, cancellable.pointer, &error) != 0 else {
          throw error == nil ? .denied : VaultFailure(taking: error)
        }
      }
    }
  }

  /// Passes the account's items to `body`, where they are valid.
  private func withItems<Result>(
    of account: Account, _ body: ([UnsafeMutablePointer<SecretItem>]) throws(VaultFailure) -> Result
  ) throws(VaultFailure) -> Result {
    let schema = Self.schema()
    let attributes = Self.attributes(of: account)
    defer {
      secret_schema_unref(schema)
      g_hash_table_unref(attributes)
    }
    var error: UnsafeMutablePointer<GError>?
    let found = secret_collection_search_sync(
      collection, schema, attributes, SECRET_SEARCH_ALL, cancellable.pointer, &error)
    defer { g_list_free_full(found) { g_object_unref($0) } }
    guard error == nil else { throw VaultFailure(taking: error) }
    var (items, next) = ([UnsafeMutablePointer<SecretItem>](), found)
    while let entry = next {
      next = entry.pointee.next
      if let item = entry.pointee.data?.assumingMemoryBound(to: SecretItem.self) { items.append(item) }
    }
    return try body(items)
  }
}

extension Collection {
  private static func openService(
    _ cancellable: Cancellable
  ) throws(VaultFailure) -> UnsafeMutablePointer<SecretService> {
    try requireBus(cancellable)
    var error: UnsafeMutablePointer<GError>?
    guard
      let service = secret_service_open_sync(
        secret_service_get_type(), nil, SECRET_SERVICE_OPEN_SESSION, cancellable.pointer, &error)
    else { throw VaultFailure(taking: error) }
    return service
  }

  /// Connects to the bus first. Its errors differ between computers, but all mean that there is no service.
  private static func requireBus(_ cancellable: Cancellable) throws(VaultFailure) {
    var error: UnsafeMutablePointer<GError>?
    guard let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, cancellable.pointer, &error) else {
      g_clear_error(&error)
      throw .noService
    }
    // By default, GLib ends the program when the bus goes away.
    g_dbus_connection_set_exit_on_close(bus, 0)
    g_object_unref(UnsafeMutableRawPointer(bus))
  }

  private static func schema() -> UnsafeMutablePointer<SecretSchema>? {
    let names = g_hash_table_new(g_str_hash, g_str_equal)
    defer { g_hash_table_unref(names) }
    // The value is the attribute's type, and 0 stands for string. The schema copies the names.
    return "server".withCString { server in
      "user".withCString { user in
        g_hash_table_insert(names, UnsafeMutablePointer(mutating: server), nil)
        g_hash_table_insert(names, UnsafeMutablePointer(mutating: user), nil)
        return secret_schema_newv("garden.trunk.trunk.Session", SECRET_SCHEMA_NONE, names)
      }
    }
  }

  private static func attributes(of account: Account) -> OpaquePointer? {
    let attributes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)
    g_hash_table_insert(attributes, g_strdup("server"), g_strdup(account.server))
    g_hash_table_insert(attributes, g_strdup("user"), g_strdup(account.userID))
    return attributes
  }
}
