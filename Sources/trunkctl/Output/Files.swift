import ArgumentParser
import Glibc
import Localization
import TrunkKit

/// Files that the user names; `-` is standard input or output.
enum Files {
  /// - Throws: a `Failure` that says what to do, also for text that is not UTF-8.
  static func readText(_ path: String) throws -> String {
    do throws(TransferError) {
      return try path == "-"
        ? GardenModel.readText(STDIN_FILENO, path: tr("standard input")) : GardenModel.readText(path)
    } catch {
      throw Failure(.file, error.message)
    }
  }

  /// The file to write: the given one, or one with the usual name in the given folder or, without one, in this folder.
  static func target(_ given: String?, usual name: String) -> String {
    guard let given else { return name }
    var status = stat()
    let isFolder = given.hasSuffix("/") || stat(given, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    return isFolder ? given + (given.hasSuffix("/") ? "" : "/") + name : given
  }

  static var forceHelp: ArgumentHelp { ArgumentHelp(tr("Replace the file if it exists.")) }

  /// Writes a file completely or not at all, readable only by its owner.
  /// - Parameter replaces: whether to replace an existing file. Otherwise an existing file is an error and stays as it
  ///   is.
  static func write(_ text: String, to path: String, replacing replaces: Bool) throws {
    if path == "-" { return Output.write(text) }
    try write(Array(text.utf8), to: path, replacing: replaces)
  }

  /// Makes a folder, readable only by its owner, unless it exists.
  static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    throw Failure(.file, path + ": " + String(cString: strerror(errno)))
  }

  /// Writes a file that is not text in the same way.
  static func write(_ bytes: [UInt8], to path: String, replacing replaces: Bool) throws {
    if path == "-" { return Output.write(bytes) }
    try check(path, replacing: replaces)
    do throws(TransferError) { try GardenModel.write(bytes, to: path) } catch { throw Failure(.file, error.message) }
  }

  /// - Throws: if the file exists and may not be replaced.
  static func check(_ path: String, replacing replaces: Bool) throws {
    var status = stat()
    if !replaces, lstat(path, &status) == 0 {
      throw Failure(
        .notAllowed, tr("“{path}” already exists. Nothing was written. Use --force to replace it.", ["path": path]))
    }
  }
}
