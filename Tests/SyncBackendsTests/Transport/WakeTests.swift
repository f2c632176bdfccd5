import Foundation
import PrivateBus
import Testing

/// Listens in another process with its own system bus.
@Suite struct WakeTests {
  @Test func reportsResumeAndNetworkChanges() async throws {
    let bus = try await PrivateBus()
    let desktop = try await bus.startFake("fake-login")
    let lines = try bus.startProbe(["wakes"], environment: ["GIO_USE_NETWORK_MONITOR": "networkmanager"])
    #expect(await lines.next() == "listening")
    for (command, event) in [
      ("online", "network(isAvailable: true)"), ("suspend", nil), ("resume", "resumed"),
      ("offline", "network(isAvailable: false)"), ("resume", "resumed"),
    ] {
      try desktop.write(contentsOf: Data((command + "\n").utf8))
      // One change can cause several events.
      if let event { while let line = await lines.next(), line != event { #expect(line.hasPrefix("network")) } }
    }
  }

  @Test func reportsAKeyring() async throws {
    let bus = try await PrivateBus()
    let lines = try bus.startProbe(["wakes"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"])
    #expect(await lines.next() == "listening")
    try await bus.startKeyring(password: "old oak")
    while let line = await lines.next(), line != "keyring" { #expect(line.hasPrefix("network")) }
  }

  @Test func worksWithoutABus() async throws {
    let bus = try await PrivateBus()
    let lines = try bus.startProbe(
      ["wakes"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"])
    #expect(await lines.next() == "listening")
  }
}
