import CShim

/// Settings of the C library's memory allocator.
public enum Memory {
  /// Merges small free blocks as soon as they are freed. Otherwise the next large allocation merges all of them and
  /// holds a lock that the main thread needs: after a download of 100,000 events the window froze for 40 ms.
  public static func mergeFreedBlocksAtOnce() {
    mallopt(M_MXFAST, 0)
  }

  /// Gives freed memory back to the system, on another thread. The allocator keeps what other threads have freed.
  public static func returnFreed() {
    Task.detached { malloc_trim(0) }  // No widgets
  }
}
