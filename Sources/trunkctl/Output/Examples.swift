import Localization

/// The examples at the end of a command's help.
struct Examples {
  let text: String

  /// - Parameter examples: command lines and their purposes. A line that is longer than 76 characters continues on the
  ///   next line after ` \`, because the parser would break it without one.
  init(_ examples: [(line: String, purpose: String)]) {
    let lines = examples.map { "  $ \($0.line.replacing("\n", with: "\n      "))\n    \($0.purpose)" }
    text = tr("Examples:") + "\n" + lines.joined(separator: "\n")
  }
}
