import Testing
import TrunkKit
import TrunkModel

/// Parses an instant in ISO 8601, such as `2026-11-18T08:00Z`; fails the test if it is invalid.
public func instant(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> Instant {
  try #require(Instant(text), sourceLocation: location)
}

/// Parses a date such as `2026-11-18`; fails the test if it is invalid.
public func day(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> Day {
  Zone.utc.local(try instant(text + "T00:00Z", location)).day
}

/// Returns the time zone with this identifier, such as `Europe/Berlin`; fails the test if the system lacks it.
public func zone(_ name: String, _ location: SourceLocation = #_sourceLocation) throws -> Zone {
  try #require(Zone.named(name), sourceLocation: location)
}
