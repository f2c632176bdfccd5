import Localization
import SyncEngine
import TrunkKit
import TrunkModel

extension ClockDifference {
  /// The message for the user, with both times in the computer's time zone: the entries written now get this
  /// computer's time, and keep it.
  public func message(in zone: Zone = .system()) -> String {
    let isSameDay = zone.local(here).day == zone.local(server).day
    func time(_ instant: Instant) -> String {
      isSameDay ? Formats.time(instant, in: zone) : Formats.dateAndTime(instant, in: zone)
    }
    let times = ["here": time(here), "server": time(server)]
    let minutes = (abs(seconds) + 30) / 60
    return [
      seconds > 0 ? ClockDifference.ahead(minutes, times) : ClockDifference.behind(minutes, times),
      tr("Check the date and time settings."),
    ].joined(separator: " ")
  }

  private static func ahead(_ minutes: Int64, _ times: [String: String]) -> String {
    switch minutes {
    case ..<100:
      trn(
        "This computer’s clock is {n} minute ahead of the server: {here} here, {server} there.",
        "This computer’s clock is {n} minutes ahead of the server: {here} here, {server} there.", Int(minutes), times)
    case ..<2880:
      trn(
        "This computer’s clock is {n} hour ahead of the server: {here} here, {server} there.",
        "This computer’s clock is {n} hours ahead of the server: {here} here, {server} there.",
        Int((minutes + 30) / 60), times)
    default:
      trn(
        "This computer’s clock is {n} day ahead of the server: {here} here, {server} there.",
        "This computer’s clock is {n} days ahead of the server: {here} here, {server} there.",
        Int((minutes + 720) / 1440), times)
    }
  }

  private static func behind(_ minutes: Int64, _ times: [String: String]) -> String {
    switch minutes {
    case ..<100:
      trn(
        "This computer’s clock is {n} minute behind the server: {here} here, {server} there.",
        "This computer’s clock is {n} minutes behind the server: {here} here, {server} there.", Int(minutes), times)
    case ..<2880:
      trn(
        "This computer’s clock is {n} hour behind the server: {here} here, {server} there.",
        "This computer’s clock is {n} hours behind the server: {here} here, {server} there.",
        Int((minutes + 30) / 60), times)
    default:
      trn(
        "This computer’s clock is {n} day behind the server: {here} here, {server} there.",
        "This computer’s clock is {n} days behind the server: {here} here, {server} there.",
        Int((minutes + 720) / 1440), times)
    }
  }
}
