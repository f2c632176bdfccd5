import ArgumentParser
import EventStore
import Localization
import TrunkKit
import TrunkModel

struct SearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: tr("Search the whole garden."),
    discussion: tr(
      "All words must occur. The last word may be incomplete, and so may any word that ends with *. Words in quotation marks must be next to each other. A minus sign excludes a word."
    ) + "\n\n"
      + tr(
        "Filters: branch: twig: leaf: kind: (water, sun, harvest), result: (4, >=4, 2-3), from: to: on: before: after: (2024, 2024-03, 2024-03-09), in:earlier for earlier pages."
      ) + "\n\n"
      + Examples([
        ("trunkctl search river high", tr("everything with both words")),
        ("trunkctl search '\"bar nine\"'", tr("the two words side by side")),
        ("trunkctl search 'twig:practice from:2025 result:>=4'", tr("good harvests on a twig since 2025")),
        ("trunkctl search -- river -bank", tr("without a word")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Argument(help: ArgumentHelp(tr("The words to search for.")))
  var words: [String]

  @Option(help: ArgumentHelp(tr("The maximum number of results in each group."), valueName: "n"))
  var limit = 20

  func validate() throws { try Limit.check(limit) }

  func run() async throws {
    let snapshot = try await options.snapshot()
    guard let model = snapshot.model else {
      return Output.write(
        options.json ? Output.text(.record(("results", .array([])))) : CommonOptions.noGardenYet)
    }
    let (query, limit) = (words.joined(separator: " "), limit)
    let results = try await model.makeSearch().results(for: query, in: snapshot.garden, at: snapshot.now) { _ in limit }
    if let problem = results.query.problems.first { throw Failure(.usage, Output.safe(problem)) }
    if options.json { return Output.write(try await record(results, model, snapshot)) }
    guard results.count > 0 else { return Output.write(SearchCommand.nothing(query, results)) }
    let events = try await SearchCommand.events(of: results, model)
    for group in SearchResults.Group.allCases {
      let hits = results.hits[group] ?? []
      guard let count = results.counts[group], !hits.isEmpty else { continue }
      Output.write(group.heading(count))
      for hit in hits { Output.write(SearchCommand.lines(hit, events, snapshot)) }
    }
  }
}

extension SearchCommand {
  private static func nothing(_ query: String, _ results: SearchResults) -> [String] {
    [tr("Nothing was found for “{words}”. Try fewer or shorter words.", ["words": Output.safe(query)])]
      + (results.correction.map { [Suggestion.question(Output.safe($0))] } ?? [])
      + results.relaxed.map { relaxed in
        let filter = ["filter": Output.safe(relaxed.filter)]
        return trn("{n} result without “{filter}”", "{n} results without “{filter}”", relaxed.count, filter)
      }
  }

  /// The events of the entries among the hits, by their numbers.
  private static func events(of results: SearchResults, _ model: GardenModel) async throws -> [Int64: Event] {
    let seqs = results.hits.values.joined().compactMap { hit in
      if case .entry(let item) = hit.place { item.seq } else { nil }
    }
    return try await model.events(seqs: seqs).bySeq
  }

  /// The earlier pages among the hits, by their numbers.
  private static func pages(of results: SearchResults, _ model: GardenModel) async throws -> [Int64: StoredPage] {
    let ids = (results.hits[.pages] ?? []).compactMap { hit in
      if case .page(let page) = hit.place { page.id } else { nil }
    }
    return Dictionary(uniqueKeysWithValues: try await model.pages(ids: ids).map { ($0.id, $0) })
  }

  private static func lines(_ hit: SearchResults.Hit, _ events: [Int64: Event], _ snapshot: GardenSnapshot) -> [String]
  {
    let excerpt = Output.emphasized(hit.excerpt.text, hit.excerpt.marks)
    let garden = snapshot.garden
    switch hit.place {
    case .entry(let item):
      let line = events[item.seq].map { LogCommand.line($0, snapshot).joined(separator: "  ") } ?? ""
      return ["  " + line, "    " + excerpt]
    case .sprout(let id): return lines(excerpt, hit.title, twigID: garden.sprout(id: id)?.twigID, garden)
    case .leaf(let id): return lines(excerpt, hit.title, twigID: garden.leaf(id: id)?.twigID, garden)
    case .seedling(let id): return lines(excerpt, hit.title, twigID: garden.seedling(id: id)?.twigID, garden)
    case .page(let page):
      return ["  " + Formats.dateAndTime(page) + "  " + Output.safe(hit.title ?? ""), "    " + excerpt]
    case .node(let node):
      return lines(excerpt, hit.title, twigID: node.id, garden)
    }
  }

  private static func lines(_ excerpt: String, _ title: String?, twigID: String?, _ garden: Garden) -> [String] {
    let path = twigID.map { "  " + Output.safe(garden.path(ofTwig: $0)) } ?? ""
    return title.map { ["  " + Output.safe($0) + path, "    " + excerpt] } ?? ["  " + excerpt + path]
  }
}

extension SearchCommand {
  /// - Parameter results: the matching entries. If there is no filter, other matching events, such as plantings, are
  ///   added.
  private func record(_ results: SearchResults, _ model: GardenModel, _ snapshot: GardenSnapshot) async throws -> JSON {
    let textQuery = results.query.textQuery
    let entries = (results.items[.entries] ?? []).prefix(limit).map(\.seq)
    let all =
      results.query.filter.isEmpty && !results.query.isForPages
      ? try await model.newestEvents(matching: textQuery, limit: limit) : nil
    let logged = if let all { all } else { try await model.events(seqs: entries) }
    let found = logged.map { logged in
      let text = logged.event.journalText.joined(separator: "\n")
      return snapshot.garden.record(of: logged.event).adding(Excerpt(of: text, finding: textQuery.terms))
    }
    let events = try await SearchCommand.events(of: results, model)
    let pages = try await SearchCommand.pages(of: results, model)
    func list(_ group: SearchResults.Group) -> JSON {
      .array((results.hits[group] ?? []).compactMap { SearchCommand.record($0, events, pages, snapshot) })
    }
    let counts = SearchResults.Group.allCases.map { group in
      JSON.Member(group.jsonName, .number(results.counts[group] ?? 0))
    }
    let relaxed = results.relaxed.map { relaxed in
      JSON.record(("without", .string(relaxed.filter)), ("count", .number(relaxed.count)))
    }
    return .record(
      ("results", .array(found)), ("counts", .object(counts)), ("questions", list(.questions)),
      ("sprouts", list(.sprouts)), ("leaves", list(.leaves)), ("seedlings", list(.seedlings)), ("tree", list(.tree)),
      ("pages", list(.pages)),
      ("elsewhere", .array(relaxed)), ("correction", .string(results.correction ?? "")))
  }

  private static func record(
    _ hit: SearchResults.Hit, _ events: [Int64: Event], _ pages: [Int64: StoredPage], _ snapshot: GardenSnapshot
  ) -> JSON? {
    let garden = snapshot.garden
    let record: JSON? =
      switch hit.place {
      case .entry(let item): events[item.seq].map { garden.record(of: $0) }
      case .sprout(let id):
        garden.sprout(id: id).map { garden.record(of: $0, now: snapshot.now, hidden: snapshot.hidden) }
      case .leaf(let id): garden.leaf(id: id).map { garden.record(of: $0) }
      case .seedling(let id): garden.seedling(id: id).map { garden.record(of: $0) }
      case .node(let node): garden.record(of: node)
      case .page(let page): pages[page.id]?.record
      }
    return record?.adding(hit.excerpt)
  }
}

extension JSON {
  /// This object with an excerpt; the marks are ranges of bytes of UTF-8.
  fileprivate func adding(_ excerpt: Excerpt) -> JSON {
    let marks = excerpt.marks.map { JSON.array([.number($0.lowerBound), .number($0.upperBound)]) }
    return adding(("snippet", .string(excerpt.text)), ("marks", .array(marks)))
  }
}

extension SearchResults.Group {
  fileprivate var jsonName: String {
    switch self {
    case .entries: "entries"
    case .questions: "questions"
    case .sprouts: "sprouts"
    case .leaves: "leaves"
    case .seedlings: "seedlings"
    case .tree: "tree"
    case .pages: "pages"
    }
  }
}
