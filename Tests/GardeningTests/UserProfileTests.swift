import Foundation
import Garden
import GardenStore
import Glibc
import Sync
import Testing

@testable import Gardening

/// Name and time zone of an account, as the app has them.
@MainActor @Suite struct UserProfileTests {
  let bed: Bed
  let settings: Settings
  let synchroniser: Synchroniser

  init() async throws {
    bed = try await Bed(now: "2026-11-18T04:30:00Z")
    settings = Settings(folder: bed.folder + "/config")
    try settings.set(name: "This Computer")
    let configuration = try ServerConfiguration(backend: .trunk, url: "https://example.org", key: "")
    let account = Account(server: configuration.url, userID: "user")
    synchroniser = Synchroniser(
      bed.gardener, current: SignedInAccount(account: account, configuration: configuration), settings: settings)
  }

  /// What syncing would write.
  private func server(_ values: Profile.Values) async throws {
    let other = try await GardenStore.open(folder: bed.folder + "/garden")
    try await other.change(.profile) { text in
      var profile = Profile(text: text)
      profile.confirm(values)
      return profile.text
    }
    try await bed.gardener.catchUp()
  }

  @Test func theNameIsTheAccounts() async throws {
    #expect(synchroniser.userName == "This Computer" && synchroniser.isNameOfComputer, "until the account has one")
    try await server([.name: .string("Ada Lovelace")])
    #expect(synchroniser.userName == "Ada Lovelace" && synchroniser.firstName == "Ada")
    #expect(!synchroniser.isNameOfComputer)
    try await synchroniser.set(userName: "Grace")
    #expect(synchroniser.userName == "Grace" && settings.name == "This Computer")
    #expect(bed.gardener.profile.unsent == [.name: .string("Grace")])
    try await synchroniser.set(userName: "")
    #expect(synchroniser.userName == "" && synchroniser.firstName == "", "who wants no name has none")
    try await server([.name: .number(5)])
    try await synchroniser.set(userName: "Grace")
    #expect(try await bed.another().profile[.name] == .string("Grace"), "it is on the disk")
  }

  @Test func withoutAnAccountThePreferencesHaveTheName() async throws {
    let alone = Synchroniser(bed.gardener, current: nil, settings: settings)
    try await alone.set(userName: "Ada Lovelace")
    #expect(settings.name == "Ada Lovelace" && alone.firstName == "Ada Lovelace")
    #expect(bed.gardener.profile == Profile() && alone.profileNote == nil)
  }

  @Test func theZoneOfTheAccountMakesTheDay() async throws {
    let id = try await bed.plant("a")
    try await bed.gardener.water(id, text: "x", prompt: nil)
    bed.time.pass(seconds: 3600)
    try await bed.gardener.refreshClock()
    #expect(bed.gardener.garden.waterLeft(at: bed.gardener.now) == 3, "05:30, then 06:30 in Berlin")
    try await synchroniser.set(timeZone: "Asia/Kathmandu")
    #expect(bed.gardener.garden.zone.identifier == "Asia/Kathmandu")
    #expect(bed.gardener.garden.waterLeft(at: bed.gardener.now) == 2, "10:15, then 11:15 in Kathmandu")
    // Wherever the computer travels.
    bed.time.zone = try zone("Pacific/Auckland")
    try await bed.gardener.refreshClock()
    #expect(bed.gardener.garden.zone.identifier == "Asia/Kathmandu")
    #expect(try await bed.another().garden.zone.identifier == "Asia/Kathmandu")
    // Another device has chosen another.
    try await server([.timeZone: .string("Europe/Berlin")])
    #expect(bed.gardener.garden.zone.identifier == "Asia/Kathmandu", "what is not sent yet is the last word")
    try await synchroniser.set(timeZone: nil)
    #expect(bed.gardener.garden.zone.identifier == "Pacific/Auckland" && synchroniser.timeZone == nil)
    #expect(bed.gardener.profile.unsent == [.timeZone: .null])
  }

  @Test func anEmptyZoneIsNone() async throws {
    try await server([.timeZone: .string("")])
    #expect(synchroniser.timeZone == nil && !synchroniser.isTimeZoneUnknown)
    #expect(bed.gardener.garden.zone.identifier == "Europe/Berlin")
  }

  @Test(arguments: [
    JSON.string("Mars/Olympus"), .string("../../../../dev/zero"), .string("/etc/passwd"), .string("+25:00"),
    .string("EST5EDT4,M3.2.0,M11.1.0"), .string("tzdata.zi"), .string("leapseconds"), .string("Europe"),
    .string("Mars5"),
    .string("Europe/Berlin\u{0}"), .string(String(repeating: "a/", count: 5000)), .number(5), .bool(true),
    .object([.init("zone", .string("Europe/Berlin"))]),
  ]) func whatIsNoZoneIsLeftAsItIs(_ value: JSON) async throws {
    try await server([.timeZone: value, .name: .string("Ada")])
    #expect(bed.gardener.garden.zone.identifier == "Europe/Berlin", "the computer's own")
    #expect(synchroniser.isTimeZoneUnknown && synchroniser.timeZone != nil)
    #expect(bed.gardener.profile[.timeZone] == value && bed.gardener.profile.unsent.isEmpty)
    try await synchroniser.set(timeZone: "Asia/Tokyo")
    #expect(!synchroniser.isTimeZoneUnknown && bed.gardener.garden.zone.identifier == "Asia/Tokyo")
  }
}

@Suite struct ZoneListTests {
  private let zones = ZoneList()

  @Test func allCanBeUsed() throws {
    let names = zones.find("")
    #expect(names.count > 400 && names == names.sorted() && Set(names).count == names.count)
    let now = try instant("2026-11-18T08:00:00Z")
    for name in names { #expect(Zone.named(name, at: now)?.identifier == name) }
    // What a zone shows now is what all of it shows now.
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

  @Test func whatBeginsSoComesFirst() {
    #expect(zones.find("pago") == ["Pacific/Pago_Pago", "Pacific/Galapagos"])
  }

  @Test func whatIsNowhereIsNotFound() { #expect(zones.find("olympus mons").isEmpty) }
}
