import ArgumentParser
import Localization

/// The limits of `--limit`.
enum Limit {
  static func check(_ limit: Int) throws {
    guard (1...1_000_000).contains(limit) else {
      throw ValidationError(tr("--limit must be a number from 1 to 1000000."))
    }
  }
}
