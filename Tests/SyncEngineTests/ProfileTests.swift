import EventStore
import SQLiteKit
import Synchronization
import Testing
import TrunkModel

@testable import SyncEngine

/// A server with the profile of one user, which also has members of other clients.
private final class MemoryProfiles: ProfileService {
  struct State {
    var members: [String: JSON] = ["phone": .string("123")]
    var log: [String] = []
    var failure: ServiceFailure?
    /// Runs while the response to a change is on its way.
    var duringRequest: (@Sendable () async -> Void)?
  }

  let state = Mutex(State())

  func set(_ text: String, for key: Profile.Key) { set(.string(text), for: key) }

  func set(_ value: JSON, for key: Profile.Key) { state.withLock { $0.members[key.rawValue] = value } }

  func fail(_ failure: ServiceFailure?) { state.withLock { $0.failure = failure } }

  var log: [String] { state.withLock { $0.log } }
  var members: [String: JSON] { state.withLock { $0.members } }

  var values: Profile.Values {
    Profile.values(in: .object(members.map { JSON.Member($0.key, $0.value) }))
  }

  private func record(_ request: String) throws(ServiceFailure) {
    let failure = state.withLock { state in
      state.log.append(request)
      return state.failure
    }
    if let failure { throw failure }
  }

  func profile(token: AccessToken) async throws(ServiceFailure) -> Profile.Values {
    try record("get")
    return values
  }

  func change(profile changes: Profile.Values, token: AccessToken) async throws(ServiceFailure) -> Profile.Values {
    try record("put " + Profile.object(changes).compactText)
    state.withLock { state in
      for (key, value) in changes { state.members[key.rawValue] = value == .null ? nil : value }
    }
    let values = values
    await state.withLock { $0.duringRequest }?()
    return values
  }
}

@Suite struct ProfileValueTests {
  @Test func aLocalChangeAppliesUntilItIsConfirmed() {
    var profile = Profile()
    profile.confirm([.name: .string("Ada"), .timeZone: .string("Europe/Berlin")])
    profile.set("Grace", for: .name)
    #expect(profile[.name] == .string("Grace") && profile.unsent == [.name: .string("Grace")])
    // Another device has changed both values since. The last writer of each key wins.
    profile.confirm([.name: .string("Emmy"), .timeZone: .string("Asia/Tokyo")])
    #expect(profile[.name] == .string("Grace") && profile[.timeZone] == .string("Asia/Tokyo"))
    profile.confirm([.name: .string("Grace"), .timeZone: .string("Asia/Tokyo")], sent: profile.unsent)
    #expect(profile.unsent.isEmpty && profile[.name] == .string("Grace"))
  }

  @Test func removingAValueIsAChange() {
    var profile = Profile()
    profile.confirm([.timeZone: .string("Europe/Berlin")])
    profile.set(nil, for: .timeZone)
    #expect(profile[.timeZone] == nil && profile.unsent == [.timeZone: .null])
    profile.set(nil, for: .name)
    #expect(profile.unsent[.name] == nil, "removing a missing key is not a change")
    profile.confirm([:], sent: [.timeZone: .null])
    #expect(profile == Profile())
  }

  @Test func aChangeRevertedDuringItsRequestIsSentAgain() {
    var profile = Profile()
    profile.confirm([.name: .string("Ada")])
    profile.set("Grace", for: .name)
    let sent = profile.unsent
    profile.set("Ada", for: .name)
    profile.confirm([.name: .string("Grace")], sent: sent)
    #expect(profile[.name] == .string("Ada") && profile.unsent == [.name: .string("Ada")])
  }

  @Test func membersOfNotificationsAreChangedOneByOne() throws {
    var profile = Profile()
    profile.confirm([.notifications: try JSON(#"{"channel":"email","time":"morning","n":[1,2.50]}"#)])
    profile.change(notifications: [.init("time", .string("evening")), .init("channel", .string("email"))])
    #expect(profile.unsent[.notifications]?.compactText == #"{"time":"evening"}"#)
    #expect(
      profile[.notifications]?.canonicalText == #"{"channel":"email","n":[1,2.50],"time":"evening"}"#)
    #expect(Profile(text: profile.text) == profile)
    // Another device changes another member, and this one changes a second one while the request is on its way.
    let sent = profile.unsent
    profile.change(notifications: [.init("sun", .bool(false))])
    profile.confirm(
      [.notifications: try JSON(#"{"channel":"none","time":"evening"}"#)], sent: sent)
    #expect(profile.unsent[.notifications]?.compactText == #"{"sun":false}"#)
    #expect(profile[.notifications]?.canonicalText == #"{"channel":"none","sun":false,"time":"evening"}"#)
    profile.confirm(confirmedByServer(profile), sent: profile.unsent)
    #expect(profile.unsent.isEmpty)
  }

  private func confirmedByServer(_ profile: Profile) -> Profile.Values {
    Profile.outgoing(profile.unsent, over: profile.confirmed)
  }

  @Test(arguments: [JSON.null, .string("daily"), .array([]), .number(7)])
  func aValueThatIsNoObjectIsReplaced(_ value: JSON) {
    var profile = Profile()
    profile.confirm([.notifications: value])
    profile.change(notifications: [.init("time", .string("evening"))])
    #expect(profile[.notifications]?.compactText == #"{"time":"evening"}"#)
  }

  @Test func theStoredFormKeepsEveryValue() {
    var profile = Profile()
    profile.confirm([.name: .string("Ada \"Λ\"\n"), .timeZone: .number(5)])
    profile.set(nil, for: .timeZone)
    #expect(Profile(text: profile.text) == profile)
    for text in [nil, "", "[]", "{", #"{"confirmed":7,"unsent":[1]}"#] { #expect(Profile(text: text) == Profile()) }
  }
}

@Suite struct ProfileExchangeTests {
  private let service = MemoryService()
  private let profiles = MemoryProfiles()

  private func engine(_ device: Device) -> SyncEngine {
    SyncEngine(
      store: device.store, service: service, profiles: profiles, keeper: device.keeper, clock: device.clock,
      backUp: { "" }, log: { _ in })
  }

  private func set(_ text: String?, _ key: Profile.Key, in store: EventStore) async throws {
    try await store.change(.profile) { stored in
      var profile = Profile(text: stored)
      profile.set(text, for: key)
      return profile.text
    }
  }

  private func profile(_ device: Device) async throws -> Profile {
    Profile(text: try await device.store.value(.profile))
  }

  @Test func theProfileIsFetchedOncePerRun() async throws {
    profiles.set("Ada", for: .name)
    let device = try await Device(service)
    let engine = engine(device)
    for _ in 0..<3 { #expect(await engine.sync().problem == nil) }
    #expect(profiles.log == ["get"])
    #expect(try await profile(device)[.name] == .string("Ada"))
    service.log = []
    await engine.sync()
    #expect(service.log == [.head], "one request if nothing is new")
    // The next run fetches the profile again.
    profiles.set("Grace", for: .name)
    try await device.restart()
    await self.engine(device).sync()
    #expect(try await profile(device)[.name] == .string("Grace"))
  }

  @Test func anOfflineChangeIsSentWithoutOtherMembers() async throws {
    profiles.set("Europe/Berlin", for: .timeZone)
    let device = try await Device(service)
    let engine = engine(device)
    try await set("Ada", .name, in: device.store)
    service.setFaults { _, _ in .lost }
    #expect(await engine.sync().problem != nil)
    #expect(profiles.log.isEmpty)
    #expect(await engine.status.hasProfileToSend)
    service.clearFaults()
    await engine.sync()
    #expect(profiles.log == [#"put {"full_name":"Ada"}"#])
    #expect(
      profiles.members
        == ["full_name": .string("Ada"), "timezone": .string("Europe/Berlin"), "phone": .string("123")])
    #expect(try await profile(device).unsent.isEmpty)
    #expect(try await profile(device)[.timeZone] == .string("Europe/Berlin"))
    #expect(await engine.status.hasProfileToSend == false)
  }

  private func change(_ members: [JSON.Member], in store: EventStore) async throws {
    try await store.change(.profile) { stored in
      var profile = Profile(text: stored)
      profile.change(notifications: members)
      return profile.text
    }
  }

  @Test func anOfflineChangeOfNotificationsKeepsWhatOtherDevicesHaveChanged() async throws {
    profiles.set(try JSON(#"{"channel":"email","time":"morning","sun":true}"#), for: .notifications)
    let device = try await Device(service)
    let engine = engine(device)
    await engine.sync()
    service.setFaults { _, _ in .lost }
    try await change([.init("time", .string("evening"))], in: device.store)
    #expect(await engine.sync().problem != nil)
    #expect(try await profile(device)[.notifications]?["time"] == .string("evening"))
    profiles.set(try JSON(#"{"channel":"none","time":"afternoon","sun":false,"quiet":[22,6]}"#), for: .notifications)
    service.clearFaults()
    await engine.sync()
    let expected = #"{"channel":"none","quiet":[22,6],"sun":false,"time":"evening"}"#
    #expect(profiles.members["notifications"]?.canonicalText == expected)
    #expect(try await profile(device)[.notifications]?.canonicalText == expected)
    #expect(try await profile(device).unsent.isEmpty)
    #expect(profiles.log.map { $0.prefix(3) } == ["get", "get", "put"])
    #expect(profiles.members["phone"] == .string("123"))
  }

  @Test func notificationsAreKeptUntilTheServiceCanStoreThem() async throws {
    profiles.fail(.unavailable(status: 503, code: "", retryAfter: nil))
    let device = try await Device(service)
    let engine = engine(device)
    try await change([.init("time", .string("evening"))], in: device.store)
    await engine.sync()
    #expect(try await profile(device)[.notifications]?.compactText == #"{"time":"evening"}"#)
    profiles.fail(nil)
    device.clock.advance(seconds: 301)
    await engine.sync()
    #expect(profiles.members["notifications"]?.compactText == #"{"time":"evening"}"#)
  }

  @Test func aChangeMadeDuringARequestIsSentLater() async throws {
    let device = try await Device(service)
    let engine = engine(device)
    try await set("Ad", .name, in: device.store)
    profiles.state.withLock { state in
      state.duringRequest = { [store = device.store] in try? await set("Ada", .name, in: store) }
    }
    await engine.sync()
    #expect(try await profile(device)[.name] == .string("Ada"))
    profiles.state.withLock { $0.duringRequest = nil }
    await engine.sync()
    #expect(profiles.log == [#"put {"full_name":"Ad"}"#, #"put {"full_name":"Ada"}"#])
    #expect(profiles.members["full_name"] == .string("Ada"))
  }

  @Test func newTokensUpdateTheProfile() async throws {
    let device = try await Device(service)
    let engine = engine(device)
    await engine.sync()
    service.state.withLock { $0.profile = [.name: .string("Ada")] }
    await engine.sync()
    #expect(try await profile(device)[.name] == nil)
    device.clock.advance(seconds: 3600)
    await engine.sync()
    #expect(try await profile(device)[.name] == .string("Ada"))
    #expect(profiles.log == ["get"], "no separate request")
  }

  @Test func signingInUpdatesTheProfile() async throws {
    let device = try await Device(service)
    service.state.withLock { $0.profile = [.name: .string("Ada")] }
    let grant = service.grant("user")
    let session = StoredSession(grant, server: Device.server, now: device.clock.now)
    await device.keeper.resume(session, profile: grant.profile)
    await engine(device).sync()
    #expect(try await profile(device)[.name] == .string("Ada"))
    #expect(profiles.log.isEmpty)
  }

  @Test func aServiceWithoutProfilesGetsOneRequestPerChange() async throws {
    profiles.fail(.rejected(status: 404, code: "not_found", message: ""))
    let device = try await Device(service)
    let engine = engine(device)
    for _ in 0..<3 { #expect(await engine.sync().problem == nil) }
    #expect(profiles.log == ["get"])
    try await set("Ada", .name, in: device.store)
    for _ in 0..<3 { #expect(await engine.sync().problem == nil) }
    #expect(profiles.log == ["get", #"put {"full_name":"Ada"}"#])
    let status = await engine.status
    #expect(status.profileFailure?.isTransient == false && !status.hasProfileToSend)
    #expect(try await profile(device)[.name] == .string("Ada"))
    // Another change is sent, because the server may accept it.
    profiles.fail(nil)
    try await set("Grace", .name, in: device.store)
    await engine.sync()
    #expect(profiles.members["full_name"] == .string("Grace"))
    #expect(await engine.status.profileFailure == nil)
  }

  @Test func anUnavailableProfileServiceIsRetriedLater() async throws {
    profiles.fail(.unavailable(status: 429, code: "over_request_rate_limit", retryAfter: nil))
    let device = try await Device(service)
    let engine = engine(device)
    try await set("Ada", .name, in: device.store)
    for _ in 0..<3 { #expect(await engine.sync().problem == nil) }
    #expect(profiles.log.count == 1)
    profiles.fail(nil)
    device.clock.advance(seconds: 301)
    await engine.sync()
    #expect(profiles.members["full_name"] == .string("Ada"))
  }

  @Test func signingOutSendsAndRemovesTheProfile() async throws {
    let device = try await Device(service)
    let engine = engine(device)
    try await set("Ada", .name, in: device.store)
    #expect(await engine.sendAll() == 0)
    #expect(profiles.members["full_name"] == .string("Ada"))
    _ = try await engine.signOut(keepingCopyIn: device.copies)
    #expect(try await device.store.value(.profile) == nil)
  }

  @Test func deletingEverywhereKeepsTheProfile() async throws {
    let device = try await Device(service)
    let engine = engine(device)
    try await set("Ada", .name, in: device.store)
    _ = try await engine.deleteEverywhere(keepingCopyIn: device.copies)
    #expect(try await profile(device)[.name] == .string("Ada"))
  }

  @Test func aProfileChangeCausesASync() async throws {
    let device = try await Device(service)
    let scheduler = SyncScheduler(engine: engine(device), live: service, clock: device.clock, random: { 0 })
    await scheduler.start()
    try await set("Ada", .name, in: device.store)
    await scheduler.wrote()
    #expect(profiles.members["full_name"] == .string("Ada"))
    // Each letter of a draft is a write too, and must not send a rejected change again.
    let count = profiles.log.count
    profiles.fail(.rejected(status: 404, code: "not_found", message: ""))
    try await set("Grace", .name, in: device.store)
    for _ in 0..<5 { await scheduler.wrote() }
    #expect(profiles.log.count == count + 1)
    await scheduler.stop()
  }

  @Test func theComparisonReportsAnUnsentProfileChange() async throws {
    let device = try await Device(service)
    let engine = engine(device)
    #expect(await engine.sync().problem == nil)
    try await set("Ada", .name, in: device.store)
    profiles.fail(.unavailable(status: 503, code: "", retryAfter: nil))
    let comparison = try await engine.compare()
    #expect(comparison.missing.isEmpty && comparison.problem == nil && comparison.hasUnsentProfile)
    profiles.fail(nil)
    device.clock.advance(seconds: 301)
    #expect(try await !engine.compare().hasUnsentProfile)
    #expect(profiles.members["full_name"] == .string("Ada"))
  }

  /// A sync reads the figures at its end.
  @Test func aSyncFailsIfTheFiguresCannotBeRead() async throws {
    let device = try await Device(service)
    profiles.state.withLock { state in
      state.duringRequest = { [path = device.folder.path + "/garden/garden.db"] in
        #expect(throws: Never.self) {
          try Database(path: path, mode: .readWrite, busyTimeout: 5000).run("ALTER TABLE events RENAME TO away")
        }
      }
    }
    try await set("Ada", .name, in: device.store)
    guard case .store = await engine(device).sync().problem else {
      Issue.record("The sync did not report a problem of the store.")
      return
    }
  }
}
