import CResources
import Localization
import TrunkModel

/// The questions for the journal, from data/questions, and the descriptions of the nodes of the tree, from data/texts.
///
/// The files are compiled in. Every line is translated when it is shown.
package enum ResourceTexts {
  package static let waterQuestions = lines(trunk_resource_water_questions)
  package static let sunQuestions = lines(trunk_resource_sun_questions)

  package static let twigQuestions: [Node: [String]] = {
    var questions: [Node: [String]] = [:]
    var current: Node?
    for line in lines(trunk_resource_twig_questions) {
      if line.hasPrefix("["), line.hasSuffix("]") {
        current = node(path: line.dropFirst().dropLast())
      } else if let current {
        questions[current, default: []].append(line)
      }
    }
    return questions
  }()

  package static let descriptions: [Node: String] = {
    var descriptions: [Node: String] = [:]
    for line in lines(trunk_resource_tree) {
      guard let equals = line.firstIndex(of: "="), let node = node(path: line[..<equals].trimmed) else { continue }
      descriptions[node] = String(line[line.index(after: equals)...].trimmed)
    }
    return descriptions
  }()

  /// Parses `BRANCH` or `BRANCH/twig` with the preset names, ignoring case.
  package static func node(path: Substring) -> Node? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { $0.trimmed.lowercased() }
    guard let first = parts.first, parts.count <= 2,
      let branch = Node.names.firstIndex(where: { $0.branch.lowercased() == first })
    else { return nil }
    guard parts.count == 2 else { return .branch(branch) }
    return Node.names[branch].twigs.firstIndex(of: parts[1]).map { .twig(branch: branch, twig: $0) }
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
    return label(of: .branch(branch)) + " · " + label(of: node)
  }
}
