import CShim

/// How the C library keeps the memory that was let go.
public enum Memory {
  /// Joins small pieces when they are let go, instead of all of them in the next large allocation. That one holds a lock
  /// which the main thread needs: after a download of 100,000 events the window stood still for 40 ms.
  public static func joinFreedPiecesAtOnce() {
    mallopt(M_MXFAST, 0)
  }
}
