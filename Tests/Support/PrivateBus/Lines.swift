import Foundation

/// Reads the lines that a program prints, as they arrive.
///
/// It waits on a separate thread, because tests share only a few threads.
public actor Lines {
  private nonisolated let executor = QueueExecutor()
  private let pipe: Pipe
  private let process: Process?
  private var rest = Data()

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameter process: ended with the last reference to this object.
  init(_ pipe: sending Pipe, of process: sending Process? = nil) {
    self.pipe = pipe
    self.process = process
  }

  deinit { process?.end() }

  /// Waits for the next line and returns it; `nil` at the end.
  public func next() -> String? {
    while true {
      if let end = rest.firstIndex(of: 10) {
        defer { rest = Data(rest[(end + 1)...]) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      let more = pipe.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      rest += more
    }
  }

  /// Waits until the program ends, and returns its remaining lines.
  public func all() -> [String] {
    var all: [String] = []
    while let line = next() { all.append(line) }
    return all
  }
}

private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "lines")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
