import Localization

/// The examples at the end of a command's help.
struct Examples {
  let text: String

  /// - Parameter examples: command lines and their purposes.
  init(_ examples: [(line: String, purpose: String)]) {
    let lines = examples.map { "  $ \($0.line)\n    \($0.purpose)" }
    text = tr("Examples:") + "\n" + lines.joined(separator: "\n")
  }
}
