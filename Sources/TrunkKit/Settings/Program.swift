import SQLiteKit

/// The limits that each program sets for itself.
public enum Program {
  /// Prevents core dumps, which would contain journal texts and tokens. Call it first.
  public static func preventCoreDumps() { CoreDumps.prevent() }
}
