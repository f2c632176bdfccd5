import ArgumentParser
import Dispatch
import Glibc
import TrunkServer

struct ServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trunk-server",
    abstract: "A sync service of your own for Trunk.",
    discussion: """
      Keeps the events of its users in one SQLite file and speaks the part of Supabase's interface that Trunk uses. \
      It has no encryption of its own: put it behind a proxy that has.
      """)

  @Option(
    name: .customLong("data"), help: ArgumentHelp("The folder of database, secret and backups.", valueName: "dir"))
  var folder: String

  @Option(help: ArgumentHelp("Where to listen; port 0 takes a free one.", valueName: "address:port"))
  var listen = "127.0.0.1:8787"

  @Option(help: ArgumentHelp("What clients send as their apikey; can be given several times.", valueName: "key"))
  var key: [String] = ["trunk"]

  @Flag(help: "Print sign-in codes to standard output instead of sending them.")
  var printCodes = false

  @Option(help: ArgumentHelp("Who may sign in: an address, or @domain; everybody if not given.", valueName: "address"))
  var allow: [String] = []

  @Option(help: ArgumentHelp("Refuse clients that ask too much: on or off.", valueName: "on|off"))
  var rateLimit = Switch.on

  @Option(help: ArgumentHelp("How long access tokens are good.", valueName: "seconds"))
  var accessTokenLife: Int64 = 3600

  @Option(help: ArgumentHelp("How long a used refresh token is still taken.", valueName: "seconds"))
  var reuseWindow: Int64 = 10

  enum Switch: String, ExpressibleByArgument {
    case on, off
  }

  func validate() throws {
    _ = try address()
    guard key.allSatisfy({ !$0.isEmpty }) else { throw ValidationError("An empty key protects from no mistake.") }
    guard accessTokenLife > 0, reuseWindow >= 0 else { throw ValidationError("Seconds are numbers above 0.") }
  }

  func run() throws {
    var configuration = ServerConfiguration(folder: folder, delivery: PrintedCodes())
    (configuration.host, configuration.port) = try address()
    configuration.keys = key
    configuration.allowed = allow.map { $0.lowercased() }
    configuration.limitsRates = rateLimit == .on
    configuration.accessTokenLife = accessTokenLife
    configuration.reuseWindow = reuseWindow
    let server = try SyncServer(configuration)
    serve(server)
  }

  private func address() throws -> (host: String, port: UInt16) {
    guard let colon = listen.lastIndex(of: ":"), let port = UInt16(listen[listen.index(after: colon)...]) else {
      throw ValidationError("--listen wants an address and a port, such as 127.0.0.1:8787.")
    }
    return (listen[..<colon].trimmingBrackets, port)
  }

  private func serve(_ server: SyncServer) {
    let signals = [SIGTERM, SIGINT].map { (number: Int32) -> any DispatchSourceSignal in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler {
        Task {
          await server.stop()
          Glibc.exit(EXIT_SUCCESS)
        }
      }
      source.resume()
      return source
    }
    Task {
      do {
        try await server.run { Log.printLine("listening on \($0)") }
        // What was accepted is being finished; `stop` ends the program after it.
      } catch {
        Log.note("trunk-server: \(error)")
        Glibc.exit(EXIT_FAILURE)
      }
    }
    withExtendedLifetime(signals) { dispatchMain() }
  }
}

extension Substring {
  fileprivate var trimmingBrackets: String {
    hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : String(self)
  }
}
