import Foundation

/// A command line from the documentation.
struct DocumentedCommand: CustomStringConvertible {
  /// The file, or the help of a command.
  let source: String
  let line: String

  var description: String { source + ": " + line }
}

/// Finds the command lines in the documents of the project, as a reader would copy them.
enum DocumentedCommands {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL

  /// The lines of the README, the notes in `docs`, the handbook and the manual pages.
  static func inDocuments() throws -> [DocumentedCommand] {
    let docs = root.appending(path: "docs")
    let names = try FileManager.default.subpathsOfDirectory(atPath: docs.path).map { "docs/" + $0 }
    let pages = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "data/man").path)
    let paths = ["README.md"] + names.filter { $0.hasSuffix(".md") || $0.hasSuffix(".html") }.sorted()
    return try (paths + pages.sorted().map { "data/man/" + $0 }).flatMap { path in
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      return lines(in: text, of: path).map { DocumentedCommand(source: path, line: $0) }
    }
  }

  /// The examples in a command's help.
  static func inHelp(_ help: String, of command: String) -> [DocumentedCommand] {
    let examples = help.components(separatedBy: "Examples:\n").dropFirst().joined()
    return shellLines(
      examples.components(separatedBy: "\n").map { $0.hasPrefix("  $ ") ? String($0.dropFirst(4)) : $0 }
    )
    .map { DocumentedCommand(source: "help of " + command, line: $0) }
  }

  private static func lines(in text: String, of path: String) -> [String] {
    if path.hasSuffix(".html") {
      let codes = text.matches(of: /<(?:code|pre|kbd|samp)[^>]*>([^<]*)<\/(?:code|pre|kbd|samp)>/)
      return codes.flatMap { shellLines(plain($0.output.1).components(separatedBy: "\n")) }
    }
    if path.hasPrefix("data/man/") {
      let lines = text.components(separatedBy: "\n").filter { $0.hasPrefix(".Dl ") }
      // A line of a crontab begins with the times.
      return shellLines(
        lines.map { String($0.dropFirst(4)).replacing("\\(dq", with: "\"").replacing(/^(?:\$ |[0-9* ]+ )/, with: "") })
    }
    var (fenced, prose, isFenced) = ([String](), [String](), false)
    for line in text.components(separatedBy: "\n") {
      if line.drop(while: { $0 == " " }).hasPrefix("```") {
        isFenced.toggle()
      } else if isFenced {
        fenced.append(line)
      } else {
        prose.append(line)
      }
    }
    let spans = prose.joined(separator: "\n").matches(of: /`([^`]+)`/).map { $0.output.1.replacing(/\s+/, with: " ") }
    return shellLines(fenced) + shellLines(spans.map { String($0) })
  }

  private static func plain(_ html: Substring) -> String {
    String(html).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&amp;", with: "&")
  }

  /// The lines that call one of the programs, without a prompt and comments. A line that ends with `\` continues.
  private static func shellLines(_ lines: [String]) -> [String] {
    var (found, open) = ([String](), "")
    for line in lines {
      let text = open + line.trimmingCharacters(in: .whitespaces)
      if text.hasSuffix("\\") {
        open = String(text.dropLast())
        continue
      }
      open = ""
      var command = text.replacing(#/^\$ /#, with: "").replacing(#/ +[#].*$/#, with: "")
      // A search with filters, as it is typed into the window.
      if command.contains(/^(?:branch|twig|leaf|kind|result|from|to|on|before|after):[^ …]/) {
        command = "trunkctl search '\(command)'"
      }
      if command.contains(/(?:^|\| )trunk(?:ctl)? [-a-z]/) { found.append(command) }
    }
    return found
  }
}
