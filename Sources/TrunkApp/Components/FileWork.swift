import GtkKit
import Localization
import Synchronization
import TrunkKit

/// Makes a file on another thread, tells how much of it is done, and can be cancelled.
final class FileWork {
  /// Called with the finished share, 0…1, and with `nil` at the end.
  var onProgress: ((Double?) -> Void)?
  var isRunning: Bool { stop != nil }

  private var stop: (() -> Void)?
  private var ticks: Timeout?

  /// How often the progress is shown, in milliseconds.
  private static let interval = 200

  /// - Parameter widget: its destruction cancels the work.
  init(for widget: Widget) {
    widget.on("destroy") { [weak self] in self?.cancel() }
  }

  /// - Parameter make: makes the file without widgets. It calls its parameter often with the finished share, 0…1, which
  ///   throws to cancel.
  /// - Throws: `CancellationError`, or what `make` throws.
  func run<File: Sendable>(
    _ make: @escaping @Sendable (_ progress: (Double) throws -> Void) throws -> File
  ) async throws -> File {
    let done = Share()
    let task = Task.detached {  // No widgets
      try make { share in
        try Task.checkCancellation()
        done.value.withLock { $0 = share }
      }
    }
    stop = { task.cancel() }
    onProgress?(0)
    ticks = Timeout.every(milliseconds: FileWork.interval) { [weak self] in
      self?.onProgress?(done.value.withLock { $0 })
      return self != nil
    }
    defer {
      (stop, ticks) = (nil, nil)
      onProgress?(nil)
    }
    return try await task.value
  }

  func cancel() { stop?() }
}

/// A bar that shows how much of a file is made, and a button that cancels it. It is hidden while none is made.
final class FileProgress {
  let widget: Widget

  private let bar = progressBar()
  private let percent = label("", "hint", "numeric")

  init(_ work: FileWork) {
    let cancel = button(tr("Cancel")) { [weak work] in work?.cancel() }
    widget = line(spacing: 12, bar.hexpand().valign(.center), percent, cancel).visible(false)
    work.onProgress = { [weak self] in self?.show($0) }
    widget.keeps(self)
  }

  private func show(_ share: Double?) {
    widget.visible(share != nil)
    bar.setFraction(share ?? 0)
    percent.setText(Formats.percent(share ?? 0))
  }
}

/// A number that two threads use.
private final class Share: Sendable {
  let value = Mutex(0.0)
}
