import ArgumentParser
import TrunkModel

extension Season: ExpressibleByArgument {}

extension Ground: ExpressibleByArgument {}

extension Instant: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
