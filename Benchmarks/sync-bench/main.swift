import EventStore
import Glibc
import SyncBackends
import SyncEngine
import TrunkModel

// Syncs as the program does, and prints the costs as JSON. Benchmarks/run compares them with the references.
//
//   sync-bench ADDRESS FOLDER          the first line of the input is a session; then commands, each answered by a
//                                      line: pull, search, again, settle, sync, write COUNT, post
//   sync-bench ADDRESS FOLDER FOLDER COUNT
//                                      two sessions of one user: one device writes, the other receives it

/// The computer's clock, which can be moved forward.
final class JumpingClock: SyncClock {
  private let system = SystemSyncClock()
  nonisolated(unsafe) var jumped: Int64 = 0

  var now: Instant { system.now }
  var uptime: Int64 { system.uptime + jumped }
  func sleep(until uptime: Int64) async throws { try await system.sleep(until: uptime - jumped) }
}

struct Failure: Error {
  let text: String
}

struct Device {
  let store: EventStore
  let service: SyncService
  let engine: SyncEngine
  let session: StoredSession

  init(_ address: String, _ folder: String, _ line: String?, _ clock: any SyncClock) async throws {
    guard let json = try line.map({ try JSON($0) }), let user = json["user"]?.text, let access = json["access"]?.text,
      let refresh = json["refresh"]?.text
    else { throw Failure(text: "no session") }
    session = StoredSession(
      account: Account(server: address, userID: user), email: "", accessToken: access, refreshToken: refresh,
      expiresAt: clock.now.seconds + 3600)
    let client = HTTPClient(userAgent: "Trunk/bench")
    let project = SupabaseProject(server: address, key: "trunk")
    service = SyncService(events: project.events(client), account: project.auth(client), live: project.live())
    store = try await EventStore.open(folder: folder)
    let keeper = SessionKeeper(
      account: session.account, folder: folder, vault: MemoryVault(session), service: service.account, clock: clock)
    engine = SyncEngine(
      store: store, service: service.events, profiles: service.account, keeper: keeper, clock: clock, backUp: { "" },
      log: { _ in })
  }

  /// Random numbers make the identities differ.
  func newEvents(_ count: Int) -> [Event] {
    let instant = SystemSyncClock().now
    return (0..<count).map { _ in
      Event(
        .sproutWatered(.init(sproutID: "sprout-1", content: "A line of some length.", prompt: "A question?")),
        at: instant, clientID: Event.clientID(at: instant, random: .random(in: 0...(.max))))
    }
  }

  /// Sends one row without the outbox, and returns the seconds until the server's response.
  func post() async throws -> Double {
    let (stopwatch, token) = (ContinuousClock(), AccessToken(session.accessToken, userID: session.account.userID))
    let rows = newEvents(1).map { OutgoingRow($0) }
    let start = stopwatch.now
    _ = try await service.events.insert(rows, token: token)
    return (stopwatch.now - start) / .seconds(1)
  }

  func sync() async throws -> SyncReport {
    let report = await engine.sync()
    if let problem = report.problem { throw Failure(text: problem.code) }
    return report
  }
}

func printLine(_ text: String) {
  print(text)
  fflush(nil)
}

/// The processor time of all threads of this process, in seconds.
func processorTime() -> Double {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
  return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// A figure of this process in /proc, in kilobytes.
func memory(_ name: String) -> Int {
  guard let file = fopen("/proc/self/status", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, 256, file) != nil {
    let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split { " \t\n".contains($0) }
    if fields.count > 1, fields[0] == name + ":" { return Int(fields[1]) ?? 0 }
  }
  return 0
}

func runCommands(_ address: String, _ folder: String) async throws {
  let clock = JumpingClock()
  let device = try await Device(address, folder, readLine(), clock)
  while let line = readLine() {
    let parts = line.split(separator: " ")
    switch parts.first {
    case "pull":
      let (idle, before) = (memory("VmRSS"), processorTime())
      let report = try await device.sync()
      printLine(
        "{\"rows\": \(report.fetched), \"seconds\": \(processorTime() - before), "
          + "\"kilobytes\": \(memory("VmHWM") - idle)}")
    case "search":
      let before = processorTime()
      _ = try await device.store.matches(TextQuery([.init("garden", isPrefix: true)]))
      printLine("{\"seconds\": \(processorTime() - before)}")
    case "again":
      let before = processorTime()
      if let problem = await device.engine.sync(.allRows).problem { throw Failure(text: problem.code) }
      printLine("{\"seconds\": \(processorTime() - before)}")
    case "settle":
      // Late enough for every earlier transaction to have ended.
      for _ in 0..<2 {
        clock.jumped += 601_000
        _ = try await device.sync()
      }
      printLine("{}")
    case "sync":
      let report = try await device.sync()
      printLine("{\"fetched\": \(report.fetched), \"pushed\": \(report.pushed)}")
    case "write":
      _ = try await device.store.append(device.newEvents(parts.last.flatMap { Int($0) } ?? 1))
      printLine("{}")
    case "post": printLine("{\"seconds\": \(try await device.post())}")
    default: throw Failure(text: "unknown command")
    }
  }
}

/// Measures the time from a write on one device until the other one reports a new row in its status.
func measureArrivals(_ address: String, _ folders: [String], _ count: Int) async throws {
  let (clock, stopwatch) = (SystemSyncClock(), ContinuousClock())
  let writer = try await Device(address, folders[0], readLine(), clock)
  let reader = try await Device(address, folders[1], readLine(), clock)
  let schedulers = [writer, reader].map { SyncScheduler(engine: $0.engine, live: $0.service.live, clock: clock) }
  for scheduler in schedulers { await scheduler.start() }
  var statuses = await reader.engine.statuses().makeAsyncIterator()
  var latest: String?
  func arrival() async {
    while let status = await statuses.next(isolation: nil) {
      if status.latest != latest {
        latest = status.latest
        return
      }
    }
  }
  var (posts, arrivals): ([Double], [Double]) = ([], [])
  // Doesn't count the first rows: they are fetched, because the connections may not be live yet.
  for number in 0..<(count + 10) {
    let post = try await writer.post()
    await arrival()
    let second = stopwatch.now
    _ = try await writer.store.append(writer.newEvents(1))
    Task { await schedulers[0].wrote() }
    await arrival()
    if number >= 10 {
      posts.append(post)
      arrivals.append((stopwatch.now - second) / .seconds(1))
    }
  }
  printLine("{\"post\": \(posts), \"arrival\": \(arrivals)}")
}

do {
  let arguments = CommandLine.arguments
  switch arguments.count {
  case 3: try await runCommands(arguments[1], arguments[2])
  case 5: try await measureArrivals(arguments[1], [arguments[2], arguments[3]], Int(arguments[4]) ?? 1)
  default:
    print("usage: sync-bench ADDRESS FOLDER [FOLDER COUNT]")
    exit(64)
  }
} catch {
  print("sync-bench: \(error)")
  exit(1)
}
