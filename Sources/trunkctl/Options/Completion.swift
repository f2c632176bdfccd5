import ArgumentParser
import Glibc
import TrunkAccount
import TrunkKit
import TrunkModel

/// Shell completions for the arguments of commands.
extension CompletionKind {
  /// The 64 twigs, as `voice/practice`.
  static let twigs = CompletionKind.list(Node.twigs.compactMap(\.path))

  /// The 8 branches and 64 twigs, as `voice` and `voice/practice`.
  static let places = CompletionKind.list(Node.places.compactMap(\.place))

  /// Words that each name one growing sprout.
  static let growingSprouts = CompletionKind.custom { _, _, _ in
    await Completion.words { $0.sprouts.filter(\.isActive).map(\.title) }
  }

  /// Words that each name one sprout in any state.
  static let allSprouts = CompletionKind.custom { _, _, _ in await Completion.words { $0.sprouts.map(\.title) } }

  /// Words that each name one seedling.
  static let seedlings = CompletionKind.custom { _, _, _ in await Completion.words { $0.seedlings.map(\.title) } }
}

enum Completion {
  /// Shorter words rarely identify a title.
  private static let shortestWord = 3

  /// Words from these titles of the garden. Each word occurs in exactly one title.
  ///
  /// Only words of letters and digits: bash expands `$(…)` in completions, and a title may come from another device.
  static func words(of titles: (Garden) -> [String]) async -> [String] {
    // Without words, the shell offers none. Completion can't tell the user about an error; the command itself does.
    guard let folder = try? AccountFile().load()?.folder ?? Folders.garden(),
      // Opening would create a garden.
      (try? GardenModel.holdsGarden(in: folder)) == true, let model = try? await GardenModel.open(folder: folder)
    else { return [] }
    let titles = titles(await model.garden).map(\.folded)
    let words = titles.flatMap { $0.split { !$0.isLetter && !$0.isNumber } }.filter { $0.count >= shortestWord }
    return Set(words.map(String.init)).filter { word in titles.count { $0.contains(word) } == 1 }.sorted()
  }
}
