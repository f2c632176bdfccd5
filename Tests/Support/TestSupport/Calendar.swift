import Testing
import TrunkKit
import TrunkModel

public func instant(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> Instant {
  try #require(Instant(text), sourceLocation: location)
}

public func day(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> Day {
  Zone.utc.local(try instant(text + "T00:00Z", location)).day
}

public func zone(_ name: String, _ location: SourceLocation = #_sourceLocation) throws -> Zone {
  try #require(Zone.named(name), sourceLocation: location)
}
