import ArgumentParser
import TrunkModel

extension Season: ExpressibleByArgument {}

extension Ground: ExpressibleByArgument {}

extension Instant: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension Day: ExpressibleByArgument {
  /// - Parameter argument: `YYYY-MM-DD`.
  public init?(argument: String) {
    let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int32($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
    self.init(year: year, month: month, day: day)
  }
}
