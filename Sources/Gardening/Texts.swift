import CResources
import Garden
import Localization

/// The texts that come from data/texts: questions for the journal and what belongs on each place of the tree.
///
/// The files are compiled in. Every line is looked up in the catalogue when it is shown.
enum Texts {
  static let waterQuestions = lines(trunk_resource_water_questions)
  static let sunQuestions = lines(trunk_resource_sun_questions)

  /// Questions by twig.
  static let twigQuestions: [Node: [String]] = {
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

  static let descriptions: [Node: String] = {
    var descriptions: [Node: String] = [:]
    for line in lines(trunk_resource_tree) {
      guard let equals = line.firstIndex(of: "="), let node = node(path: line[..<equals].trimmed) else { continue }
      descriptions[node] = String(line[line.index(after: equals)...].trimmed)
    }
    return descriptions
  }()

  /// Reads `BRANCH` or `BRANCH/twig`, by the shared names in any case.
  static func node(path: Substring) -> Node? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { $0.trimmed.lowercased() }
    guard let first = parts.first, parts.count <= 2,
      let branch = Node.names.firstIndex(where: { $0.branch.lowercased() == first })
    else { return nil }
    guard parts.count == 2 else { return .branch(branch) }
    return Node.names[branch].twigs.firstIndex(of: parts[1]).map { .twig(branch: branch, twig: $0) }
  }

  /// The lines of a file without comments and blanks.
  private static func lines(_ resource: TrunkResource) -> [String] {
    String(decoding: UnsafeBufferPointer(start: resource.bytes, count: resource.length), as: UTF8.self)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
  }
}

extension Node {
  /// The path by the shared names, `CORE/movement`, as the command line takes it.
  public init?(path: String) {
    guard let node = Texts.node(path: path[...]) else { return nil }
    self = node
  }

  /// What belongs here, in the user's language; empty for the trunk.
  public var presetNote: String { translated(Texts.descriptions[self] ?? "") }
}

extension Garden {
  /// What a place is called: the user's own label, else the shared name.
  public func label(of node: Node) -> String {
    nodes[node.id]?.label.flatMap { $0.isEmpty ? nil : $0 } ?? translated(node.name)
  }

  /// `CORE · movement`; the id itself for a twig that is none of the 64.
  public func path(ofTwig twigID: String) -> String {
    guard let node = Node(id: twigID) else { return twigID }
    guard case .twig(let branch, _) = node else { return label(of: node) }
    return label(of: .branch(branch)) + " · " + label(of: node)
  }
}
