import CResources
import Localization
import TrunkModel

/// The questions for the journal, from data/questions, the descriptions of the nodes of the tree, from data/texts, and
/// the words by which twigs are found, from data/words.
///
/// The files are compiled in. Every question and description is translated when it is shown; words have a file for each
/// language.
package enum ResourceTexts {
  /// Each question is asked in one or more phases of a sprout.
  package static let waterQuestions: [Sprout.Phase: [String]] = {
    var questions: [Sprout.Phase: [String]] = [:]
    for (heading, question) in linesBelowHeadings(trunk_resource_water_questions) {
      for phase in heading.split(separator: ",").compactMap({ Sprout.Phase(rawValue: String($0.trimmed)) }) {
        questions[phase, default: []].append(question)
      }
    }
    return questions
  }()

  /// General questions for a reflection.
  package static let sunQuestions = sunQuestions(below: "general")
  /// General questions for the first reflections of a garden.
  package static let beginningQuestions = sunQuestions(below: "beginnings")

  package static let twigQuestions: [Node: [String]] = {
    var questions: [Node: [String]] = [:]
    for (heading, question) in linesBelowHeadings(trunk_resource_twig_questions) {
      if let twig = node(path: heading[...]) { questions[twig, default: []].append(question) }
    }
    return questions
  }()

  package static let descriptions = textsByNode(trunk_resource_tree)

  /// The words by which the form for planting finds a twig, from data/words; English ones for a language without a
  /// file.
  package static func words(in language: String) -> [Node: [String]] {
    let resource =
      switch language {
      case "de": trunk_resource_words_de
      case "es": trunk_resource_words_es
      case "fr": trunk_resource_words_fr
      default: trunk_resource_words_en
      }
    return textsByNode(resource).mapValues { $0.split(separator: ",").map { String($0.trimmed) } }
  }

  /// Parses `BRANCH` or `BRANCH/twig` with the preset names, ignoring case.
  package static func node(path: Substring) -> Node? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { $0.trimmed.lowercased() }
    guard let first = parts.first, parts.count <= 2,
      let branch = Node.names.firstIndex(where: { $0.branch.lowercased() == first })
    else { return nil }
    guard parts.count == 2 else { return .branch(branch) }
    return Node.names[branch].twigs.firstIndex(of: parts[1]).map { .twig(branch: branch, twig: $0) }
  }

  /// The texts of lines such as `CORE/sleep = Nights`.
  private static func textsByNode(_ resource: TrunkResource) -> [Node: String] {
    var texts: [Node: String] = [:]
    for line in lines(resource) {
      guard let equals = line.firstIndex(of: "="), let node = node(path: line[..<equals].trimmed) else { continue }
      texts[node] = String(line[line.index(after: equals)...].trimmed)
    }
    return texts
  }

  private static func sunQuestions(below heading: String) -> [String] {
    linesBelowHeadings(trunk_resource_sun_questions).filter { $0.heading == heading }.map(\.line)
  }

  /// The lines of a file, each with the `[heading]` above it.
  private static func linesBelowHeadings(_ resource: TrunkResource) -> [(heading: String, line: String)] {
    var heading = ""
    return lines(resource).compactMap { line in
      guard line.hasPrefix("["), line.hasSuffix("]") else { return (heading, line) }
      heading = String(line.dropFirst().dropLast())
      return nil
    }
  }

  /// The lines of a file without comments and blank lines.
  private static func lines(_ resource: TrunkResource) -> [String] {
    String(decoding: UnsafeBufferPointer(start: resource.bytes, count: resource.length), as: UTF8.self)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
  }
}

extension Node {
  /// Parses `CORE/movement` with the preset names, as on the command line.
  public init?(path: String) {
    guard let node = ResourceTexts.node(path: path[...]) else { return nil }
    self = node
  }

  /// The name that all clients share, in the user's language. They write branches as `CORE`; people read `Core`.
  public var presetLabel: String {
    let name = translated(name)
    return name == name.uppercased() ? name.prefix(1) + name.dropFirst().lowercased() : name
  }

  /// What belongs here, in the user's language; empty for the trunk.
  public var presetNote: String { translated(ResourceTexts.descriptions[self] ?? "") }
}

extension Garden {
  /// The name of a node: the user's own label, otherwise the preset one.
  public func label(of node: Node) -> String {
    nodes[ExactID(node.id)]?.label.flatMap { $0.isEmpty ? nil : $0 } ?? node.presetLabel
  }

  /// All names by which a node is found: the user's own, the preset one, and the one that all clients share.
  public func names(of node: Node) -> [String] { [label(of: node), node.presetLabel, node.name] }

  /// What belongs on a node: the user's own note, otherwise the preset one.
  public func note(of node: Node) -> String {
    nodes[ExactID(node.id)]?.note.flatMap { $0.isEmpty ? nil : $0 } ?? node.presetNote
  }

  /// Whether the user has changed the name or the note of a node.
  public func isChanged(_ node: Node) -> Bool {
    [nodes[ExactID(node.id)]?.label, nodes[ExactID(node.id)]?.note].contains { $0?.isEmpty == false }
  }

  /// `Core · movement`; the id itself for an unknown twig.
  public func path(ofTwig twigID: String) -> String {
    guard let node = Node(id: twigID) else { return twigID }
    guard case .twig(let branch, _) = node else { return label(of: node) }
    return dotted([label(of: .branch(branch)), label(of: node)])
  }
}
