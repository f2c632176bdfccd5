// A program that only tests run. It is one of several programs on a computer that share a garden and a session, and may
// be killed.
//
//   sync-device FOLDER BACKEND ADDRESS USER VAULT sync   prints "ready", waits for a line, syncs, prints "report …"
//   sync-device FOLDER BACKEND ADDRESS USER VAULT live   writes and syncs until it is killed, prints "ack …"

import EventStore
import Glibc
import SyncEngine
import TestSupport
import TrunkModel

func printLine(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  // A single unbuffered write: the line remains even if the process is killed afterwards.
  _ = write(STDOUT_FILENO, bytes, bytes.count)
}

func run(_ arguments: [String]) async throws -> Int32 {
  guard arguments.count == 7, let backend = Backend(rawValue: arguments[2]) else { return 2 }
  let (folder, address, userID) = (arguments[1], arguments[3], arguments[4])
  let (service, clock) = (backend.service(address), SystemSyncClock())
  let store = try await EventStore.open(folder: folder)
  let keeper = SessionKeeper(
    account: Account(server: address, userID: userID), folder: folder, vault: FileVault(arguments[5]),
    service: service.account, clock: clock)
  let engine = SyncEngine(
    store: store, service: service.events, keeper: keeper, clock: clock, backUp: { "" }, log: { printLine("log \($0)") }
  )
  switch arguments[6] {
  case "sync":
    printLine("ready")
    _ = readLine()
    let report = await engine.sync()
    printLine("report \(report.problem?.code ?? "none")")
  case "live":
    while true {
      let instant = clock.now
      let event = Event(
        .sproutWatered(.init(sproutID: "sprout-1", content: "some words", prompt: nil)), at: instant,
        clientID: Event.clientID(at: instant, random: .random(in: 0...(.max))))
      _ = try await store.append([event])
      printLine("ack \(event.clientID ?? "")")
      await engine.sync()
    }
  default: return 2
  }
  return 0
}

do { exit(try await run(CommandLine.arguments)) } catch {
  printLine("error \(error)")
  exit(3)
}
