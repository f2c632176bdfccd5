import Foundation
import Synchronization

/// Reads the lines that a program prints, each once, and waits for later ones.
package final class LineReader: Sendable {
  private struct Waiting {
    let id: UUID
    let prefix: String
    let continuation: CheckedContinuation<String?, any Error>
  }

  private struct State {
    var lines: [String] = []
    var waiting: [Waiting] = []
    var isAtEnd = false
  }

  private let state = Mutex(State())

  package init(_ handle: FileHandle) {
    let thread = Thread { [weak self] in
      var rest = Data()
      while case let data = handle.availableData, !data.isEmpty {
        rest += data
        while let end = rest.firstIndex(of: 10) {
          self?.take(String(decoding: rest[..<end], as: UTF8.self))
          rest = Data(rest[(end + 1)...])
        }
      }
      self?.end()
    }
    thread.start()
  }

  /// Takes the first line with this prefix, even if other lines came before it.
  /// - Returns: `nil` if the program ended without such a line.
  /// - Throws: `ServerProcess.Failure` if there is no such line within a minute.
  package func next(with prefix: String) async throws -> String? {
    let id = UUID()
    let timer = Task {
      try await Task.sleep(for: .seconds(60))
      self.giveUp(id)
    }
    defer { timer.cancel() }
    return try await withCheckedThrowingContinuation { continuation in
      state.withLock { state in
        if let index = state.lines.firstIndex(where: { $0.hasPrefix(prefix) }) {
          continuation.resume(returning: state.lines.remove(at: index))
        } else if state.isAtEnd {
          continuation.resume(returning: nil)
        } else {
          state.waiting.append(Waiting(id: id, prefix: prefix, continuation: continuation))
        }
      }
    }
  }

  private func take(_ line: String) {
    state.withLock { state in
      if let index = state.waiting.firstIndex(where: { line.hasPrefix($0.prefix) }) {
        state.waiting.remove(at: index).continuation.resume(returning: line)
      } else {
        state.lines.append(line)
      }
    }
  }

  private func end() {
    state.withLock { state in
      state.isAtEnd = true
      for waiting in state.waiting { waiting.continuation.resume(returning: nil) }
      state.waiting = []
    }
  }

  private func giveUp(_ id: UUID) {
    state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return }
      let waiting = state.waiting.remove(at: index)
      waiting.continuation.resume(throwing: ServerProcess.Failure(description: "no line \"\(waiting.prefix)…\""))
    }
  }
}
