import Foundation
import SQLiteKit
import TemporaryFolders
import Testing

@Suite struct PrivateFilesTests {
  private let temporary = TemporaryFolder("private")
  private var folder: String { temporary.path }

  init() throws { try PrivateFiles.makeFolder(folder) }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func onlyTheOwnerCanReadFilesAndFolders() throws {
    let path = folder + "/a/b/file"
    try PrivateFiles.makeFolder(folder + "/a/b")
    try PrivateFiles.write("text", to: path)
    #expect(mode(path) == 0o600)
    #expect(mode(folder + "/a/b") == 0o700)
    chmod(path, 0o644)
    try PrivateFiles.makeFile(path)
    #expect(mode(path) == 0o600, "an existing file is closed to others")
    #expect(try PrivateFiles.read(path) == Array("text".utf8))
  }

  @Test func aLinkIsReplacedAndNotFollowed() throws {
    let (target, link) = (folder + "/target", folder + "/link")
    try PrivateFiles.write("old", to: target)
    #expect(symlink(target, link) == 0)
    #expect(throws: PrivateFiles.Failure.self) { _ = try PrivateFiles.readFile(link) }
    #expect(throws: PrivateFiles.Failure.self) { _ = try PrivateFiles.NewFile(link) }
    try PrivateFiles.write("new", to: link)
    #expect(try PrivateFiles.read(target) == Array("old".utf8))
    #expect(try PrivateFiles.readFile(link) == Array("new".utf8))
  }

  @Test func replacesTheFileThatALinkLeadsTo() throws {
    let (target, link, dangling) = (folder + "/a/target", folder + "/link", folder + "/dangling")
    try PrivateFiles.makeFolder(folder + "/a")
    try PrivateFiles.write("old", to: target)
    #expect(symlink("a/target", link) == 0 && symlink("nowhere", dangling) == 0)
    try PrivateFiles.replace(link, with: Array("new".utf8), isDurable: true)
    #expect(PrivateFiles.linkTarget(link) == "a/target")
    #expect(try PrivateFiles.read(target) == Array("new".utf8) && mode(target) == 0o600)
    #expect { try PrivateFiles.replace(dangling, with: [], isDurable: true) } throws: {
      ($0 as? PrivateFiles.Failure)?.systemError == ENOENT
    }
    #expect { try PrivateFiles.replace(folder + "/b/c", with: [], isDurable: true) } throws: {
      ($0 as? PrivateFiles.Failure)?.path == folder + "/b/c"
    }
    #expect(try PrivateFiles.names(in: folder) == ["a", "dangling", "link"])
    #expect(try PrivateFiles.names(in: folder + "/a") == ["target"])
  }

  /// Needs the right to give a file to another user.
  @Test(.enabled(if: geteuid() == 0)) func whatRootCreatesBelongsToTheOwnerOfItsFolder() throws {
    func owners(_ path: String) -> [UInt32] {
      var status = stat()
      return lstat(path, &status) == 0 ? [status.st_uid, status.st_gid] : []
    }
    #expect(chown(folder, 1234, 1235) == 0)
    try PrivateFiles.makeFolder(folder + "/a/b")
    try PrivateFiles.makeFile(folder + "/a/b/made")
    try PrivateFiles.replace(folder + "/replaced", with: [1], isDurable: false)
    close(PrivateFiles.openOrCreate(folder + "/lock", O_RDWR))
    for name in ["a", "a/b", "a/b/made", "replaced", "lock"] {
      #expect(owners(folder + "/" + name) == [1234, 1235], "\(name)")
    }
    // What exists keeps its owner: a planted link must not make root give a file away.
    try PrivateFiles.write("", to: folder + "/own")
    #expect(chown(folder + "/own", 0, 0) == 0 && symlink("own", folder + "/planted") == 0)
    close(PrivateFiles.openOrCreate(folder + "/planted", O_RDWR))
    close(PrivateFiles.openOrCreate(folder + "/own", O_RDWR))
    #expect(owners(folder + "/own") == [0, 0])
  }

  /// As when another program removes its lock file.
  @Test func aFileThatComesAndGoesIsOpened() async throws {
    let path = folder + "/lock"
    let other = Task.detached {
      while !Task.isCancelled {
        close(PrivateFiles.openOrCreate(path, O_RDWR))
        unlink(path)
      }
    }
    let failures = (0..<5000).count { _ in
      let descriptor = PrivateFiles.openOrCreate(path, O_RDWR)
      close(descriptor)
      return descriptor < 0
    }
    other.cancel()
    await other.value
    #expect(failures == 0)
    try PrivateFiles.remove(path)
    #expect(symlink("nowhere", path) == 0 && PrivateFiles.openOrCreate(path, O_RDWR) < 0)
  }

  @Test func aPipeIsNotWaitedFor() throws {
    #expect(mkfifo(folder + "/pipe", 0o600) == 0)
    #expect(throws: PrivateFiles.Failure.self) { _ = try PrivateFiles.readFile(folder + "/pipe") }
  }

  @Test func onlyAbandonedFilesAreRemoved() throws {
    let path = folder + "/new"
    var file: PrivateFiles.NewFile? = try PrivateFiles.NewFile(path)
    try file?.write("text")
    PrivateFiles.NewFile.removeIfAbandoned(path)
    #expect(PrivateFiles.exists(path))
    file = nil
    // A program that another test is starting holds a copy of the lock until it runs.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0 && flock(descriptor, LOCK_UN) == 0)
    PrivateFiles.NewFile.removeIfAbandoned(path)
    #expect(!PrivateFiles.exists(path))
  }

  @Test func aLimitEndsReading() throws {
    try PrivateFiles.write("12345", to: folder + "/five")
    let descriptor = open(folder + "/five", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(try PrivateFiles.read(descriptor, "five", limit: 4) == nil)
    #expect(try PrivateFiles.read(descriptor, "five", limit: 5)?.count == 5)
  }

  @Test func namesAreSortedAndAMissingFolderHasNone() throws {
    for name in ["b", "a", "ä"] { try PrivateFiles.write("", to: folder + "/" + name) }
    #expect(try PrivateFiles.names(in: folder) == ["a", "b", "ä"])
    #expect(try PrivateFiles.names(in: folder + "/missing").isEmpty)
    #expect(PrivateFiles.name(of: "/a/b") == "b" && PrivateFiles.folder(of: "/a") == "/")
    #expect(PrivateFiles.folder(of: "a") == ".")
  }
}
