import EventStore
import Foundation
import Glibc
import SyncEngine
import TestSupport
import Testing
import TrunkModel

@testable import TrunkAccount
@testable import TrunkKit

/// The name and time zone of an account.
@MainActor @Suite struct UserProfileTests {
  let fixture: GardenFixture
  let settings: Settings
  let accountModel: AccountModel

  init() async throws {
    fixture = try await GardenFixture(now: "2026-11-18T04:30:00Z")
    settings = Settings(folder: fixture.folder + "/config")
    try settings.set(name: "This Computer")
    let serverSettings = try ServerSettings(backend: .trunk, url: "https://example.org", key: "")
    let account = Account(server: serverSettings.url, userID: "user")
    accountModel = AccountModel(
      fixture.model, current: SignedInAccount(account: account, serverSettings: serverSettings), settings: settings)
  }

  /// Writes the profile as a sync would.
  private func server(_ values: Profile.Values) async throws {
    let other = try await EventStore.open(folder: fixture.folder + "/garden")
    try await other.change(.profile) { text in
      var profile = Profile(text: text)
      profile.confirm(values)
      return profile.text
    }
    try await fixture.model.refresh()
  }

  @Test func theNameComesFromTheAccount() async throws {
    #expect(
      accountModel.profile.name == "This Computer" && accountModel.profile.isNameOfComputer, "until the account has one"
    )
    try await server([.name: .string("Ada Lovelace")])
    #expect(accountModel.profile.name == "Ada Lovelace" && accountModel.profile.firstName == "Ada")
    #expect(!accountModel.profile.isNameOfComputer)
    try await accountModel.profile.set(name: "Grace")
    #expect(accountModel.profile.name == "Grace" && settings.name == "This Computer")
    #expect(fixture.model.profile.unsent == [.name: .string("Grace")])
    try await accountModel.profile.set(name: "")
    #expect(accountModel.profile.name == "" && accountModel.profile.firstName == "", "the user may remove the name")
    try await server([.name: .number(5)])
    try await accountModel.profile.set(name: "Grace")
    #expect(try await fixture.anotherModel().profile[.name] == .string("Grace"), "it is on the disk")
  }

  @Test func theNameComesFromThePreferencesWithoutAnAccount() async throws {
    let alone = AccountModel(fixture.model, current: nil, settings: settings)
    try await alone.profile.set(name: "Ada Lovelace")
    #expect(settings.name == "Ada Lovelace" && alone.profile.firstName == "Ada Lovelace")
    #expect(fixture.model.profile == Profile() && alone.profile.note([.name]) == nil)
  }

  @Test func remindersComeFromTheAccount() async throws {
    var own = ReminderSettings()
    (own.isOn, own.frequency, own.time) = (true, .daily, .evening)
    try settings.set(reminders: own)
    #expect(accountModel.profile.reminders == own, "until the account has some")
    try await server([
      .notifications: try JSON(#"{"channel":"sms","check_in_frequency":"every3days","preferred_time":"noon"}"#)
    ])
    #expect(accountModel.profile.reminders.frequency == .everyThreeDays)
    #expect(accountModel.profile.reminders.time == .evening, "an unknown time is ignored")
    #expect(accountModel.profile.reminders.isOn)
    var changed = accountModel.profile.reminders
    changed.includesSun = false
    try await accountModel.profile.changeReminders { $0.includesSun = false }
    #expect(accountModel.profile.reminders == changed && settings.reminders == changed)
    let expected =
      #"{"channel":"sms","check_in_frequency":"every3days","notify_harvest_ready":true,"#
      + #""notify_shine_available":false,"preferred_time":"noon"}"#
    #expect(try await fixture.anotherModel().profile[.notifications]?.canonicalText == expected, "it is on the disk")
  }

  @Test func theComputersSwitchIsNotShared() async throws {
    try await accountModel.profile.changeReminders { ($0.isOn, $0.hidesText) = (true, true) }
    #expect(fixture.model.profile == Profile() && settings.reminders.isOn && settings.reminders.hidesText)
    try await accountModel.profile.changeReminders { $0.time = .evening }
    #expect(settings.reminders.isOn && settings.reminders.time == .evening)
    #expect(
      fixture.model.profile[.notifications]?.canonicalText
        == #"{"check_in_frequency":"weekly","notify_harvest_ready":true,"notify_shine_available":true,"#
        + #""preferred_time":"evening"}"#)
  }

  @Test func theAccountsZoneIsThatOfEventsThatNameNone() async throws {
    var fallback: String { fixture.model.garden.zones.fallback.identifier }
    var day: String? { fixture.model.garden.journal.last?.time.day.description }
    let id = try await fixture.plant("a")
    let night = try instant("2027-01-02T04:30:00Z")
    _ = try await fixture.model.importEvents([
      Event(.sproutWatered(.init(sproutID: id, content: "x", prompt: nil)), at: night, clientID: "x")
    ])
    #expect(fallback == "Europe/Berlin" && day == "2027-01-01", "05:30 in Berlin")
    try await accountModel.profile.set(timeZone: "Asia/Kathmandu")
    #expect(fallback == "Asia/Kathmandu" && day == "2027-01-02", "10:15 in Kathmandu")
    #expect(fixture.model.garden.zone.identifier == "Europe/Berlin", "today is that of the computer")
    fixture.time.zone = try zone("Pacific/Auckland")
    try await fixture.model.refreshClock()
    #expect(fixture.model.garden.zone.identifier == "Pacific/Auckland" && fallback == "Asia/Kathmandu")
    #expect(!accountModel.profile.isTimeZoneUnknown, "the computer is only elsewhere")
    #expect(try await fixture.anotherModel().garden.zones.fallback.identifier == "Asia/Kathmandu")
    // Another device chooses another zone.
    try await server([.timeZone: .string("Europe/Berlin")])
    #expect(fallback == "Asia/Kathmandu", "the unsent local change wins")
    try await accountModel.profile.set(timeZone: nil)
    #expect(fallback == "Pacific/Auckland" && accountModel.profile.timeZone == nil)
    #expect(fixture.model.profile.unsent == [.timeZone: .null])
  }

  @Test func anEmptyZoneCountsAsNone() async throws {
    try await server([.timeZone: .string("")])
    #expect(accountModel.profile.timeZone == nil && !accountModel.profile.isTimeZoneUnknown)
    #expect(fixture.model.garden.zones.fallback.identifier == "Europe/Berlin")
  }

  @Test(arguments: [
    JSON.string("Mars/Olympus"), .string("../../../../dev/zero"), .string("/etc/passwd"), .string("+25:00"),
    .string("EST5EDT4,M3.2.0,M11.1.0"), .string("tzdata.zi"), .string("leapseconds"), .string("Europe"),
    .string("Mars5"),
    .string("Europe/Berlin\u{0}"), .string(String(repeating: "a/", count: 5000)), .number(5), .bool(true),
    .object([.init("zone", .string("Europe/Berlin"))]),
  ]) func unknownZonesAreLeftUnchanged(_ value: JSON) async throws {
    try await server([.timeZone: value, .name: .string("Ada")])
    #expect(fixture.model.garden.zones.fallback.identifier == "Europe/Berlin", "the computer's own")
    #expect(accountModel.profile.isTimeZoneUnknown && accountModel.profile.timeZone != nil)
    #expect(fixture.model.profile[.timeZone] == value && fixture.model.profile.unsent.isEmpty)
    try await accountModel.profile.set(timeZone: "Asia/Tokyo")
    #expect(!accountModel.profile.isTimeZoneUnknown && fixture.model.garden.zones.fallback.identifier == "Asia/Tokyo")
  }
}

@Suite struct ZoneListTests {
  private let zones = ZoneList()

  @Test func allCanBeUsed() throws {
    let names = zones.find("")
    #expect(names.count > 400 && names == names.sorted() && Set(names).count == names.count)
    let now = try instant("2026-11-18T08:00:00Z")
    for name in names { #expect(Zone.named(name, at: now)?.identifier == name) }
    // A zone that was read for one instant agrees with the whole zone at that instant.
    for name in ["Europe/Berlin", "Asia/Kathmandu", "America/St_Johns", "UTC"] {
      #expect(Zone.named(name, at: now)?.local(now).second == Zone.named(name)?.local(now).second)
    }
    #expect(names.contains("UTC") && names.contains("Asia/Calcutta") && !names.contains("Cuba"))
  }

  @Test(arguments: [
    ("berlin", "Europe/Berlin"), ("new york", "America/New_York"), ("BUENOS arg", "America/Argentina/Buenos_Aires"),
    ("america/new_york", "America/New_York"), ("rome euro", "Europe/Rome"),
  ]) func aPlaceIsFoundByPartsOfItsName(query: String, name: String) {
    #expect(zones.find(query).contains(name) && zones.find(query).count < 5)
  }

  @Test func sortsMatchesAtTheBeginningFirst() {
    #expect(zones.find("pago") == ["Pacific/Pago_Pago", "Pacific/Galapagos"])
  }

  @Test func findsNothingForAnUnknownPlace() { #expect(zones.find("olympus mons").isEmpty) }
}
