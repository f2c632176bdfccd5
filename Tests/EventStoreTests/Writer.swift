import FolderChanges
import Foundation
import Glibc
import Testing

/// Runs `store-writer`, the program that the tests kill.
struct Writer {
  /// The exit status and the lines that the program wrote.
  struct Outcome {
    let status: Int32
    let wasKilled: Bool
    let lines: [String]

    var acknowledged: [String] { lines.filter { $0.hasPrefix("ack ") }.map { String($0.dropFirst(4)) } }
    var errors: [String] { lines.filter { $0.hasPrefix("error ") } }
  }

  /// The folder with the built test program, which also contains `store-writer`.
  static let buildFolder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  let process = Process()
  private let output = Pipe()

  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    process.executableURL = Writer.buildFolder.appendingPathComponent("store-writer")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    try process.run()
  }

  /// Waits until the program ends.
  func outcome() throws -> Outcome {
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return outcome(data)
  }

  /// Kills the program after it has written a number of lines and then changed its files a number of times.
  func outcome(killedAfter lines: Int, then count: Int = 0, in changes: FolderChanges? = nil) throws -> Outcome {
    var data = Data()
    while data.count(where: { $0 == 10 }) < lines {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      data += more
    }
    changes?.wait(count)
    kill(process.processIdentifier, SIGKILL)
    data += try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return outcome(data)
  }

  private func outcome(_ data: Data) -> Outcome {
    Outcome(
      status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
      lines: String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init))
  }
}

/// The library that makes system calls fail, compiled once.
enum FaultShim {
  static let path: String? = {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Support/FaultShim/fault-shim.c").path
    let library = Writer.buildFolder.appendingPathComponent("fault-shim.so").path
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, source, "-ldl"]
    do { try compiler.run() } catch { return nil }
    compiler.waitUntilExit()
    return compiler.terminationStatus == 0 ? library : nil
  }()

  enum Kind {
    case error(Int32)
    case killed
    case killedHalfway

    var number: Int32 {
      switch self {
      case .error(let code): code
      case .killed: 0
      case .killedHalfway: -1
      }
    }
  }

  static func environment(
    _ library: String, folder: String, at number: Int, _ kind: Kind, stays: Bool, mark: String
  ) -> [String: String] {
    var environment = [
      "LD_PRELOAD": library, "FAULT_FOLDER": folder, "FAULT_AT": String(number), "FAULT_KIND": String(kind.number),
      "FAULT_MARK": mark,
    ]
    if stays { environment["FAULT_STAYS"] = "1" }
    return environment
  }
}
