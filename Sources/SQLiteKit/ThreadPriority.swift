import Glibc

// libdispatch gives some of its threads a priority above the normal one, which only root may do. It goes on without,
// but writes "Failed to set thread priority for worker thread … errno=13" to the journal each time such a thread
// starts. In a release build, which contains libdispatch, the linker prefers this function to the one of glibc.

/// Sets a priority as glibc does, and otherwise leaves it as it is without an error: no program of ours needs it.
@c(setpriority) public func setPriority(_ which: CInt, _ who: id_t, _ priority: CInt) -> CInt {
  typealias SetPriority = @convention(c) (CInt, id_t, CInt) -> CInt
  if priority >= 0, let own = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "setpriority") {
    _ = unsafeBitCast(own, to: SetPriority.self)(which, who, priority)
  }
  return 0
}
