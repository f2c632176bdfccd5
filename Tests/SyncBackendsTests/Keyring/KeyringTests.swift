import Foundation
import PrivateBus
import Testing

/// Each test has a separate bus and home folder, with a real keyring, a fake one or none, and uses `Keyring` from
/// another process.
@Suite struct KeyringTests {
  @Test func keepsOneSessionForAnAccount() async throws {
    let bus = try await PrivateBus()
    try await bus.startKeyring(password: "old oak")
    #expect(
      try await calls(bus, "load", "store=TOKEN-1", "store=TOKEN-2", "load") == [
        "none", "stored", "stored", session(2),
      ])
    #expect(try await calls(bus, "load", "remove", "load", "remove") == [session(2), "removed", "none", "removed"])
  }

  /// As a tool for keyrings may have stored it, before the session or after it.
  @Test(arguments: [false, true]) func aForeignItemDoesNotHideTheSession(isNewer: Bool) async throws {
    let bus = try await PrivateBus()
    try await bus.startKeyring(password: "old oak")
    if isNewer { #expect(try await calls(bus, "store=TOKEN-1") == ["stored"]) }
    try await bus.runTool(
      "/usr/bin/secret-tool", "store", "--label=Other", "server", "https://garden.example", "user",
      "7d3c0a4e-0000-4000-8000-000000000001", "xdg:schema", "garden.trunk.trunk.Session", "note", "mine",
      input: "no session")
    if !isNewer { #expect(try await calls(bus, "load", "store=TOKEN-1") == ["none", "stored"]) }
    #expect(try await calls(bus, "load") == [session(1)])
    #expect(try await calls(bus, "remove", "load") == ["removed", "none"])
  }

  @Test func distinguishesALockedKeyringFromAnEmptyOne() async throws {
    let bus = try await PrivateBus()
    try await bus.startKeyring(password: "old oak")
    #expect(try await calls(bus, "store=TOKEN-1") == ["stored"])
    bus.stopService()
    try await bus.startKeyring(password: nil)
    #expect(try await calls(bus, "load", "store=TOKEN-2", "remove") == ["locked", "locked", "locked"])
    bus.stopService()
    try await bus.startKeyring(password: "old oak")
    #expect(try await calls(bus, "load") == [session(1)])
  }

  @Test func writesNothingReadableToDisk() async throws {
    let bus = try await PrivateBus()
    try await bus.startKeyring(password: "old oak")
    #expect(try await calls(bus, "store=TOKEN-SENTINEL") == ["stored"])
    bus.stopService()
    let files = try FileManager.default.subpathsOfDirectory(atPath: bus.home.path)
    #expect(files.contains { $0.hasSuffix("login.keyring") })
    for file in files {
      let data = FileManager.default.contents(atPath: bus.home.path + "/" + file) ?? Data()
      #expect(data.range(of: Data("TOKEN-SENTINEL".utf8)) == nil, "\(file)")
    }
  }

  @Test func reportsAMissingKeyring() async throws {
    let bus = try await PrivateBus()
    try await bus.startKeyring(password: nil)
    #expect(
      try await calls(bus, "load", "store=TOKEN", "remove", "unlock")
        == ["noCollection", "noCollection", "noCollection", "noCollection"])
  }

  @Test func reportsAMissingService() async throws {
    let bus = try await PrivateBus()
    #expect(
      try await calls(bus, "load", "store=TOKEN", "remove", "unlock") == [
        "noService", "noService", "noService", "noService",
      ])
  }

  @Test func reportsAMissingBus() async throws {
    let bus = try await PrivateBus()
    let lines = try bus.startProbe(
      ["keyring", "10000", "load"], environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"])
    #expect(await lines.next() == "noService")
  }

  @Test func doesNotWaitForAServiceThatHangs() async throws {
    let bus = try await PrivateBus()
    try await bus.startFake("fake-secrets", "hang")
    let start = ContinuousClock.now
    // The main thread was alive before the call ended.
    #expect(try await bus.probe("keyring", "2000", "load", "unlock") == ["alive", "noAnswer", "noAnswer"])
    // The two calls wait for 2 s each. GLib alone would wait for 25 s each time.
    #expect(.now - start < .seconds(45))
  }

  @Test func doesNotWaitForAKeyringThatHangs() async throws {
    let bus = try await PrivateBus()
    try await bus.startFake("fake-secrets", "stuck")
    #expect(try await bus.probe("keyring", "2000", "load", "store=TOKEN") == ["alive", "noAnswer", "noAnswer"])
  }

  @Test(arguments: ["deny", "guard"]) func reportsADenial(mode: String) async throws {
    let bus = try await PrivateBus()
    try await bus.startFake("fake-secrets", mode)
    #expect(try await calls(bus, "load", "store=TOKEN", "remove") == ["denied", "denied", "denied"])
  }

  @Test func repeatsTheWordsOfTheService() async throws {
    let bus = try await PrivateBus()
    try await bus.startFake("fake-secrets", "broken")
    #expect(try await calls(bus, "load") == ["other(detail: \"The token is unplugged\")"])
  }

  @Test func asksToCreateAKeyring() async throws {
    let bus = try await PrivateBus()
    try await bus.startFake("fake-secrets", "new")
    #expect(try await calls(bus, "load", "create", "load") == ["noCollection", "created", "none"])
  }

  @Test func asksToUnlock() async throws {
    let bus = try await PrivateBus()
    try await bus.startFake("fake-secrets", "accept")
    #expect(try await calls(bus, "load", "unlock", "load", "unlock") == ["locked", "unlocked", "none", "unlocked"])
  }

  @Test func treatsAClosedPromptAsARejection() async throws {
    let bus = try await PrivateBus()
    try await bus.startFake("fake-secrets", "dismiss")
    #expect(try await calls(bus, "unlock", "load") == ["denied", "locked"])
  }

  @Test func abandonsAnUnansweredPrompt() async throws {
    let bus = try await PrivateBus()
    try await bus.startFake("fake-secrets", "ignore")
    #expect(try await bus.probe("keyring", "2000", "unlock") == ["alive", "noAnswer"])
  }

  private func calls(_ bus: PrivateBus, _ calls: String...) async throws -> [String] {
    await (try bus.startProbe(["keyring", "10000"] + calls)).all().filter { $0 != "alive" }
  }

  /// Returns the line that the probe prints for the session that it stored. The refresh token ends with a line break.
  private func session(_ number: Int) -> String {
    #"TOKEN-\#(number) "refresh\"\n" gärtner@example.org 1790000000"#
  }
}
