import GtkKit

/// Loads what a widget shows. A new load replaces the one before it, and nothing is shown after the widget is
/// destroyed: a page may be left while the store is busy.
final class Loader {
  private let context: WindowContext
  // Weak, because it holds the content of its dialog, which may include this object.
  private weak var foot: Foot?
  private var task: Task<Void, Never>?

  /// - Parameters:
  ///   - widget: shows what is loaded; its destruction cancels the load.
  ///   - foot: shows errors; the window's by default.
  init(_ context: WindowContext, for widget: Widget, in foot: Foot? = nil) {
    (self.context, self.foot) = (context, foot)
    widget.on("destroy") { [weak self] in self?.cancel() }
  }

  /// Whether something is being loaded.
  var isLoading: Bool { task != nil }

  /// - Parameters:
  ///   - read: returns what is to be shown. It must not use widgets: they may be gone after it has waited.
  ///   - show: called with the result, unless another load has begun or the widget is gone.
  func load<Value>(
    _ read: @escaping @MainActor () async throws -> Value, show: @escaping @MainActor (Value) -> Void
  ) {
    cancel()
    task = Task { [weak self] in
      let result: Result<Value, any Error>
      do { result = .success(try await read()) } catch { result = .failure(error) }
      guard let self, !Task.isCancelled else { return }
      task = nil
      switch result {
      case .success(let value): show(value)
      case .failure(let error): context.report(error, in: foot)
      }
    }
  }

  private func cancel() {
    task?.cancel()
    task = nil
  }
}
