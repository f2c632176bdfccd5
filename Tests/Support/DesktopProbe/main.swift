// Uses the desktop's services and prints one line for the result of each call. Tests run each of these processes with a
// separate bus.
//
// usage: desktop-probe keyring MILLISECONDS (load | store=TOKEN | remove | unlock | create) ...
//        desktop-probe wakes

import Glibc
import SyncBackends
import SyncEngine

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "keyring": await useKeyring(limit: Int(arguments[1]) ?? 10_000, calls: arguments.dropFirst(2))
case "wakes": await printWakes()
default: exit(2)
}

/// Prints a line without a buffer.
func printLine(_ text: String) {
  let line = Array((text + "\n").utf8)
  write(STDOUT_FILENO, line, line.count)
}

func useKeyring(limit: Int, calls: ArraySlice<String>) async {
  let keyring = Keyring(limit: .milliseconds(limit), promptLimit: .milliseconds(limit))
  let account = Account(server: "https://garden.example", userID: "7d3c0a4e-0000-4000-8000-000000000001")
  // Shows that the main thread continues during a call: a blocked thread would not run this often.
  Task { @MainActor in
    for _ in 0..<1000 { await Task.yield() }
    printLine("alive")
  }
  for call in calls {
    do throws(VaultFailure) {
      let parts = call.split(separator: "=", maxSplits: 1).map(String.init)
      switch parts[0] {
      case "load":
        let session = try await keyring.session(of: account)
        printLine(
          session.map { "\($0.accessToken) \($0.refreshToken.debugDescription) \($0.email) \($0.expiresAt)" } ?? "none")
      case "store":
        try await keyring.store(
          StoredSession(
            account: account, email: "gärtner@example.org", accessToken: parts[1], refreshToken: "refresh\"\n",
            expiresAt: 1_790_000_000))
        printLine("stored")
      case "remove":
        try await keyring.remove(account)
        printLine("removed")
      case "create":
        try await keyring.create()
        printLine("created")
      default:
        try await keyring.unlock()
        printLine("unlocked")
      }
    } catch {
      printLine("\(error)")
    }
  }
}

func printWakes() async {
  let events = await Wake.events()
  printLine("listening")
  for await event in events { printLine("\(event)") }
}
