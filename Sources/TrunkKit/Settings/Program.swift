import EventStore
import SQLiteKit

/// The limits that each program sets for itself.
public enum Program {
  /// Prevents core dumps, which would contain journal texts and tokens, and crashes of background work when the program
  /// exits. Call it first.
  public static func prepare() {
    CoreDumps.prevent()
    SHA256.keepUntilTheEnd()
  }
}
