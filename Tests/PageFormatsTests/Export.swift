import Foundation
import PageFormats
import TemporaryFolders
import Testing
import TrunkModel

/// Files of an export, in a folder that is removed with this object.
struct Export {
  let folder: TemporaryFolder
  let path: String

  /// - Parameter files: the content of each file by its path in the folder.
  init(_ files: [String: [UInt8]]) throws {
    folder = try TemporaryFolder("pages", isInMemory: true).created()
    path = folder.path
    for (name, bytes) in files {
      let parent = path + "/" + name.split(separator: "/").dropLast().joined(separator: "/")
      try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
      try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }
  }

  init(_ files: [String: String]) throws { try self.init(files.mapValues { Array($0.utf8) }) }

  /// A single file.
  init(_ name: String, _ bytes: [UInt8]) throws {
    folder = try TemporaryFolder("pages", isInMemory: true).created()
    path = folder.path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  init(_ name: String, _ text: String) throws { try self.init(name, Array(text.utf8)) }

  func read(_ options: PageOptions = .test) throws -> PageImport { try PageReader.read(path, options: options) }
}

/// A zip that a test makes, also one that lies.
struct Zip {
  private var bytes: [UInt8] = []
  private var directory: [UInt8] = []
  private var count: UInt16 = 0

  init(_ files: [(String, [UInt8])] = []) {
    for (name, data) in files { add(name, data) }
  }

  /// - Parameters:
  ///   - claimedSize: the size that the archive states; `nil` for the real one.
  ///   - isEncrypted: whether the archive states that a password is needed.
  mutating func add(_ name: String, _ data: [UInt8], claimedSize: Int? = nil, isEncrypted: Bool = false) {
    let offset = bytes.count
    // Blocks without compression are valid deflate, whose size isn't known before it is read.
    let deflated = Self.deflated(data)
    var fields = Self.two(20) + Self.two(isEncrypted ? 0x801 : 0x800) + Self.two(8) + Self.four(0)
    fields += Self.four(Self.crc(data)) + Self.four(UInt32(deflated.count))
    fields += Self.four(UInt32(claimedSize ?? data.count)) + Self.two(UInt16(name.utf8.count)) + Self.two(0)
    bytes += [0x50, 0x4B, 3, 4] + fields + Array(name.utf8) + deflated
    directory += [0x50, 0x4B, 1, 2] + Self.two(20) + fields + [UInt8](repeating: 0, count: 10)
    directory += Self.four(UInt32(offset)) + Array(name.utf8)
    count += 1
  }

  var data: [UInt8] {
    var end: [UInt8] = [0x50, 0x4B, 5, 6] + Self.four(0) + Self.two(count) + Self.two(count)
    end += Self.four(UInt32(directory.count)) + Self.four(UInt32(bytes.count)) + Self.two(0)
    return bytes + directory + end
  }

  private static func two(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

  private static func four(_ value: UInt32) -> [UInt8] { two(UInt16(value & 0xFFFF)) + two(UInt16(value >> 16)) }

  private static func deflated(_ data: [UInt8]) -> [UInt8] {
    var (out, rest) = ([UInt8](), data[...])
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      out += [rest.isEmpty ? 1 : 0] + two(UInt16(block.count)) + two(~UInt16(block.count)) + block
    } while !rest.isEmpty
    return out
  }

  private static func crc(_ data: [UInt8]) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in data {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}

extension PageImport {
  /// The dates as text.
  var dates: [String] { pages.map { "\($0.date)" } }
  var texts: [String] { pages.map(\.text) }
  var reasons: [SkipReason] { skipped.map(\.why) }
}
