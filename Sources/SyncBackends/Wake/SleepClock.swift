import Glibc

enum SleepClock {
  /// How long the computer has been suspended since it started.
  static func seconds() -> Int {
    var withSleep = timespec()
    var withoutSleep = timespec()
    clock_gettime(CLOCK_BOOTTIME, &withSleep)
    clock_gettime(CLOCK_MONOTONIC, &withoutSleep)
    return withSleep.tv_sec - withoutSleep.tv_sec
  }
}
