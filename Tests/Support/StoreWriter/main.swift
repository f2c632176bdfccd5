// A program that only tests run. It writes to a store and prints which writes were acknowledged, so that a test can
// kill it or make its disk fail, and check which data remains.
//
//   store-writer append FOLDER COUNT [BATCH]   makes COUNT appends of BATCH events each
//   store-writer pages FOLDER COUNT BATCH      makes COUNT imports of an earlier journal of BATCH pages each
//   store-writer read FOLDER                   prints the number of events, then tries to append one
//   store-writer export FOLDER FILE            exports all events
//
// Environment: STORE_WRITER_UID is the user to which the program switches first; STORE_WRITER_FILE_LIMIT limits the
// size of files, in bytes.

import EventStore
import Glibc
import TrunkKit
import TrunkModel

func printLine(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  // A single unbuffered write: the line remains even if the process is killed afterwards.
  _ = write(STDOUT_FILENO, bytes, bytes.count)
}

func now() -> Instant {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
}

func newEvent(_ text: String) -> Event {
  let instant = now()
  return Event(
    .sproutWatered(.init(sproutID: "sprout-1", content: text, prompt: nil)), at: instant,
    clientID: Event.clientID(at: instant, random: .random(in: 0...(.max))))
}

/// Appends events and prints their IDs. After an error, prints it and tries once more, as a user would.
func append(_ events: [Event], to store: EventStore) async -> Bool {
  for attempt in 1...2 {
    do {
      _ = try await store.append(events)
      for event in events { printLine("ack \(event.clientID ?? "")") }
      return true
    } catch {
      printLine("error \(attempt) \(error) | \(error.message)")
    }
  }
  return false
}

/// A journal whose pages have words and IDs that no other journal has.
func journal(_ number: Int, pages: Int) -> EarlierJournal {
  let day = Day(number: Int32(15_000 + number))
  return EarlierJournal(
    format: "dayone", name: "journal \(number)", importedAt: now(),
    pages: (0..<pages).map {
      EarlierPage(date: PageDate(day: day), text: "page \(number) \($0)", sourceID: "dayone:\($0)")
    })
}

/// Imports a journal and prints its number. After an error, prints it and tries once more.
func importPages(_ number: Int, _ count: Int, to store: EventStore) async -> Bool {
  for attempt in 1...2 {
    do {
      _ = try await store.importPages(journal(number, pages: count))
      printLine("ack journal \(number)")
      return true
    } catch {
      printLine("error \(attempt) \(error) | \(error.message)")
    }
  }
  return false
}

func run() async -> Int32 {
  let arguments = CommandLine.arguments
  if let uid = getenv("STORE_WRITER_UID").flatMap({ uid_t(String(cString: $0)) }), setuid(uid) != 0 { return 4 }
  if let limit = getenv("STORE_WRITER_FILE_LIMIT").flatMap({ rlim_t(String(cString: $0)) }) {
    signal(SIGXFSZ, SIG_IGN)
    var limits = rlimit(rlim_cur: limit, rlim_max: limit)
    guard setrlimit(__rlimit_resource_t(1), &limits) == 0 else { return 4 }
  }
  guard arguments.count >= 3 else { return 2 }
  do {
    let store = try await EventStore.open(folder: arguments[2])
    printLine("open \(store.access)")
    switch arguments[1] {
    case "append":
      let count = arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1
      let batch = arguments.count > 4 ? Int(arguments[4]) ?? 1 : 1
      for number in 0..<count {
        let events = (0..<batch).map { newEvent("entry \(number) \($0) with some words to find") }
        guard await append(events, to: store) else { return 3 }
      }
    case "pages":
      let (count, batch) = (
        arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1, arguments.count > 4 ? Int(arguments[4]) ?? 1 : 1
      )
      for number in 0..<count {
        guard await importPages(number, batch, to: store) else { return 3 }
      }
    case "read":
      printLine("count \(try await store.count())")
      guard await append([newEvent("no")], to: store) else { return 3 }
    case "export":
      guard arguments.count > 3 else { return 2 }
      printLine("exported \(try await GardenModel.open(folder: arguments[2]).export(to: arguments[3]).events)")
    default: return 2
    }
    return 0
  } catch {
    printLine("error 0 \(error) | \(userMessage(for: error))")
    return 3
  }
}

exit(await run())
