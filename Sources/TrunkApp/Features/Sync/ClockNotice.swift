import SyncEngine
import TrunkAccount

extension WindowContext {
  /// Says that this computer's clock differs from the server's: once for each difference, and until it is dismissed.
  func followServerClock() {
    let (accountModel, foot) = (accountModel, foot)
    var told: ClockDifference?
    follow(scope, sync: true) {
      let difference = accountModel.status.clockDifference
      defer { told = difference }
      guard let difference, difference.isNews(after: told) else { return }
      foot.show(difference.message(), seconds: 0)
    }
  }
}
