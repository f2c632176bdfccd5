import EventStore
import Glibc
import SQLiteKit
import SyncEngine
import TrunkKit
import TrunkModel

/// The signed-in account and the server that syncs its garden.
public struct SignedInAccount: Sendable, Equatable {
  public let account: Account
  public let serverSettings: ServerSettings

  public init(account: Account, serverSettings: ServerSettings) {
    self.account = account
    self.serverSettings = serverSettings
  }

  /// The folder of the account's garden.
  public var folder: String { Folders.garden(account: account.userID) }
}

/// What the next window reports about a sign-out.
public struct SignOutNote: Sendable, Equatable {
  /// The ID of the user who signed out.
  public let account: String
  /// The path of the copy that was kept.
  public let copy: String
  /// Which copies and backups can be deleted; `nil` if all have to stay, because the server may lack an entry in them.
  public var deletable: DeletableCopies?

  public init(account: String, copy: String, deletable: DeletableCopies? = nil) {
    self.account = account
    self.copy = copy
    self.deletable = deletable
  }
}

/// Stores which account is signed in, so that the program finds its garden without the keyring or the network.
///
/// The file is in the folder of the gardens. It names the server, its public key and the user ID; secrets are in the
/// keyring.
public struct AccountFile: Sendable {
  private let path: String

  public init(folder: String = Folders.gardens) {
    path = CurrentAccount.path(in: folder)
  }

  /// - Returns: `nil` if no account is signed in: the file says so, or there is none yet.
  /// - Throws: `Settings.Unreadable` if the file is empty, truncated or damaged: opening another garden would look as
  ///   if all entries were gone.
  public func load() throws -> SignedInAccount? {
    guard let file = try read() else { return nil }
    if file.hasGroup(AccountFile.signedOut) { return nil }
    func text(_ key: String) -> String? { file[CurrentAccount.group, key] }
    guard let server = text("server"), let userID = CurrentAccount.userID(in: file),
      let backend = text("backend").flatMap(ServerSettings.Backend.init(rawValue:)),
      let serverSettings = try? ServerSettings(backend: backend, url: server, key: text("key") ?? "")
    else {
      throw CurrentAccount.unnamed(path)
    }
    return SignedInAccount(
      account: Account(server: serverSettings.url, userID: userID), serverSettings: serverSettings)
  }

  /// Returns what to report about the last sign-out, until `save` is called; `nil` if there is nothing.
  public func signOutNote() throws -> SignOutNote? {
    guard let file = try read() else { return nil }
    guard let copy = file[AccountFile.signedOut, "copy"], !copy.isEmpty,
      let account = file[AccountFile.signedOut, "user"], Folders.isAccount(account)
    else { return nil }
    return SignOutNote(account: account, copy: copy, deletable: deletable(file))
  }

  /// Replaces the note about a sign-out, unless an account has signed in or out since.
  /// - Parameter new: `nil` removes the note.
  public func replace(_ note: SignOutNote, with new: SignOutNote?) throws {
    try exclusively {
      if try load() == nil, try signOutNote() == note { try save(nil, note: new) }
    }
  }

  private func deletable(_ file: KeyFile) -> DeletableCopies? {
    guard let copies = list(file, "copies"), let backups = list(file, "backups") else { return nil }
    func number(_ key: String) -> Int { file[AccountFile.signedOut, key].flatMap { Int($0) } ?? 0 }
    return DeletableCopies(
      copies: copies, backups: backups, drafts: number("drafts"), superseded: number("superseded"),
      pages: number("pages"))
  }

  /// Records durably which account is signed in.
  /// - Parameters:
  ///   - current: `nil` if no account is signed in: the next start opens the garden of this computer.
  ///   - note: what to report about the sign-out.
  /// - Throws: `Settings.Unreadable` with the system's error message.
  public func save(_ current: SignedInAccount?, note: SignOutNote? = nil) throws {
    let file = KeyFile()
    if let current {
      file[CurrentAccount.group, "backend"] = current.serverSettings.backend.rawValue
      file[CurrentAccount.group, "server"] = current.serverSettings.url
      file[CurrentAccount.group, "key"] = current.serverSettings.key
      file[CurrentAccount.group, "user"] = current.account.userID
    } else {
      // An empty file would look truncated.
      file[AccountFile.signedOut, "user"] = note?.account ?? ""
      file[AccountFile.signedOut, "copy"] = note?.copy ?? ""
      if let deletable = note?.deletable { set(deletable, in: file) }
    }
    try file.save(to: path, isDurable: true)
  }

  /// Records durably that this account is signed in, unless another one is: replacing that account would hide its
  /// garden and any unsent events in it.
  /// - Returns: false if another account is signed in; nothing has changed.
  public func signIn(_ new: SignedInAccount) throws -> Bool {
    try exclusively {
      if let present = try load(), present.account.userID != new.account.userID { return false }
      try save(new)
      return true
    }
  }

  /// Records durably that no account is signed in, unless an account other than the note's is.
  public func signOut(_ note: SignOutNote) throws {
    try exclusively {
      if let present = try load(), present.account.userID != note.account { return }
      try save(nil, note: note)
    }
  }

  /// Keeps other programs from signing in or out between a read and a write. Each holds the lock for milliseconds.
  private func exclusively<Value>(_ body: () throws -> Value) throws -> Value {
    let folder = PrivateFiles.folder(of: path)
    do { try PrivateFiles.makeFolder(folder) } catch { throw unreadable(error.systemError) }
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(errno) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw unreadable(errno) }
    }
    return try body()
  }

  private func unreadable(_ systemError: Int32) -> Settings.Unreadable {
    Settings.Unreadable(path: path, detail: String(cString: strerror(systemError)))
  }

  private func set(_ deletable: DeletableCopies, in file: KeyFile) {
    for (key, paths) in [("copies", deletable.copies), ("backups", deletable.backups)] {
      file[AccountFile.signedOut, key] = JSON.array(paths.map { .string($0) }).compactText
    }
    let numbers = [("drafts", deletable.drafts), ("superseded", deletable.superseded), ("pages", deletable.pages)]
    for (key, number) in numbers {
      file[AccountFile.signedOut, key] = "\(number)"
    }
  }

  /// Returns a list of paths; `nil` if there is none or it is damaged: then no copy is offered for deletion.
  private func list(_ file: KeyFile, _ key: String) -> [String]? {
    // A list that isn't JSON is damaged too. Keeping copies that could be deleted loses nothing.
    guard let text = file[AccountFile.signedOut, key], case .array(let items)? = try? JSON(text)
    else { return nil }
    let paths = items.compactMap(\.text)
    return paths.count == items.count ? paths : nil
  }

  private static let signedOut = "signed-out"

  /// - Returns: `nil` if there is no file.
  private func read() throws -> KeyFile? { try CurrentAccount.read(path) }
}
