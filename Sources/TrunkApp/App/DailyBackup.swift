import GtkKit
import TrunkKit

/// Makes the daily backup while a garden is shown: a window may stay open for weeks.
final class DailyBackup {
  /// The pause before the first check, in milliseconds, so as not to delay the user's first entries.
  private static let firstPause = 10_000
  /// The interval between checks, in milliseconds.
  private static let hour = 3_600_000

  private let context: WindowContext
  private var timer: Timeout?

  init(_ context: WindowContext) {
    self.context = context
    check(in: DailyBackup.firstPause)
  }

  private func check(in milliseconds: Int) {
    timer = Timeout.after(milliseconds: milliseconds) { [weak self] in self?.check() }
  }

  private func check() {
    let (model, secondFolder) = (context.model, context.settings.backupFolder)
    // Report a missing second folder only once a day.
    context.attempt(onError: { [weak self] in self?.check(in: 24 * DailyBackup.hour) }) { [weak self] in
      try await model.backUpIfDue(secondFolder: secondFolder)
      self?.check(in: DailyBackup.hour)
    }
  }
}
