import ArgumentParser
import Glibc
import Logging
import SQLiteKit
import TrunkModel
import TrunkServer

struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Run the server.")

  @OptionGroup var data: DataOptions

  @Option(help: ArgumentHelp("Where to listen. Port 0 chooses a free one.", valueName: "address:port"))
  var listen = "127.0.0.1:8787"

  @Option(help: ArgumentHelp("The apikey that clients send. Repeat to allow several.", valueName: "key"))
  var key: [String] = ["trunk"]

  @Option(
    help: ArgumentHelp("Who may create an account: an address or @domain. Default: everyone.", valueName: "address"))
  var allow: [String] = []

  @Flag(help: "Print sign-in codes to standard output instead of sending them.")
  var printCodes = false

  @Option(help: ArgumentHelp("The mail server: smtp://host:587 or smtps://host.", valueName: "url"))
  var smtp: String?

  @Option(help: ArgumentHelp("The sender's address.", valueName: "address"))
  var smtpFrom: String?

  @Option(help: ArgumentHelp("The user name for the mail server.", valueName: "name"))
  var smtpUser: String?

  @Option(help: ArgumentHelp("A file with that user's password.", valueName: "file"))
  var smtpPasswordFile: String?

  @Option(help: ArgumentHelp("The message: a subject line, then a text with {code} in it.", valueName: "file"))
  var mailText: String?

  @Option(help: ArgumentHelp("Reject clients that send too many requests: on or off.", valueName: "on|off"))
  var rateLimit = Switch.on

  @Option(help: ArgumentHelp("The maximum number of open connections.", valueName: "number"))
  var maxConnections = 2000

  @OptionGroup var quota: QuotaOptions

  @Option(help: ArgumentHelp("The maximum size of the database, in MiB. Default: none.", valueName: "number"))
  var totalSize: Int?

  @Option(help: ArgumentHelp("How long access tokens are valid.", valueName: "seconds"))
  var accessTokenLife: Int64 = 3600

  @Option(help: ArgumentHelp("How long a used refresh token is still accepted.", valueName: "seconds"))
  var reuseWindow: Int64 = 10

  @OptionGroup var backups: BackupOptions

  @Option(
    help: ArgumentHelp(
      "The least important entries to log: trace, debug, info, notice, warning, error or critical.",
      valueName: "level"))
  var logLevel = Logger.Level.notice

  @Option(help: ArgumentHelp("How to write the log: text or json.", valueName: "text|json"))
  var logFormat = LogFormat.text

  @Option(
    help: ArgumentHelp("Serve metrics for Prometheus on this port of 127.0.0.1. Default: none.", valueName: "port"))
  var metrics: MetricsPort?

  enum Switch: String, ExpressibleByArgument {
    case on, off
  }

  func validate() throws {
    _ = try address()
    guard key.allSatisfy({ !$0.isEmpty }) else { throw ValidationError("A key can't be empty.") }
    guard accessTokenLife > 0, reuseWindow >= 0, maxConnections > 0,
      totalSize.map((1...1_000_000_000).contains) ?? true
    else {
      throw ValidationError("A number or duration is out of range.")
    }
    guard printCodes || (smtp != nil && smtpFrom != nil) else {
      throw ValidationError("Give --smtp and --smtp-from, or --print-codes.")
    }
  }

  func run() throws {
    let signals = TerminationSignals()
    ServerLog.start(level: logLevel, format: logFormat)
    // Files that SQLite creates beside the database must also be readable by their owner only.
    umask(0o077)
    do {
      var configuration = ServerConfiguration(folder: data.folder, delivery: try delivery())
      (configuration.host, configuration.port) = try address()
      configuration.keys = key
      configuration.allowed = allow
      configuration.limitsRates = rateLimit == .on
      configuration.connectionLimit = maxConnections
      configuration.accountRowLimit = quota.accountRows
      configuration.accountByteLimit = quota.accountBytes
      configuration.databaseByteLimit = totalSize.map { $0 << 20 }
      configuration.accessTokenLife = accessTokenLife
      configuration.reuseWindow = reuseWindow
      configuration.metricsPort = metrics?.port
      configuration.backupInterval = backups.backupEvery
      serve(try SyncServer(configuration), until: signals)
    } catch {
      ServerLog.log.critical("the server can't start", error: error)
      throw ExitCode.failure
    }
  }

  private func address() throws -> (host: String, port: UInt16) {
    guard let colon = listen.lastIndex(of: ":"), let port = UInt16(listen[listen.index(after: colon)...]) else {
      throw ValidationError("--listen needs an address and a port, such as 127.0.0.1:8787.")
    }
    let host = listen[..<colon]
    return (host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host), port)
  }

  private func delivery() throws -> any CodeDelivery {
    guard !printCodes, let smtp, let smtpFrom else { return PrintedCodes() }
    var settings = MailedCodes.Settings(server: smtp, sender: smtpFrom)
    settings.user = smtpUser
    settings.password = try smtpPasswordFile.map { try text($0) }
    if let mailText { settings.text = try text(mailText) }
    return MailedCodes(settings)
  }

  /// Reads a file and returns its text without the line break at the end.
  private func text(_ path: String) throws -> String {
    let text = String(decoding: try PrivateFiles.read(path), as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Serves until a signal asks the program to end, then finishes accepted requests. Further signals don't speed this
  /// up.
  private func serve(_ server: SyncServer, until signals: TerminationSignals) -> Never {
    Task {
      ServerLog.log.info("the server started", metadata: ["version": "\(Release.version)"])
      ServerLog.printLine("listening on \(server.url)")
      if let url = server.metricsURL { ServerLog.printLine("metrics on \(url)") }
      do {
        // Returns after `stop()`, when the program is about to end.
        try await server.run()
      } catch {
        ServerLog.log.critical("the server can't continue", error: error)
        Glibc.exit(EXIT_FAILURE)
      }
    }
    signals.wait()
    ServerLog.log.info("the server is stopping")
    Task {
      do {
        try await server.stop()
        Glibc.exit(EXIT_SUCCESS)
      } catch {
        ServerLog.log.critical("the database could not be closed", error: error)
        Glibc.exit(EXIT_FAILURE)
      }
    }
    while true { signals.wait() }
  }
}

/// A port of 127.0.0.1. Other addresses are rejected, because the metrics have no access control.
struct MetricsPort: ExpressibleByArgument {
  let port: UInt16

  init?(argument: String) {
    let text = argument.hasPrefix("127.0.0.1:") ? argument.dropFirst("127.0.0.1:".count) : argument[...]
    guard let port = UInt16(text) else { return nil }
    self.port = port
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {
  public init?(argument: String) { self.init(rawValue: argument) }
}

extension LogFormat: ExpressibleByArgument {}

/// The signals that ask the program to end: SIGTERM and SIGINT.
///
/// They are blocked in every thread, so they stay pending until `wait()` takes them. A Dispatch signal source is not
/// enough: it ignores the signal, and the system discards an ignored signal that reaches a thread that doesn't block
/// it.
private struct TerminationSignals {
  private var set = sigset_t()

  /// Blocks the signals. Call it before the program starts a thread, because threads inherit the blocked signals.
  init() {
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    sigaddset(&set, SIGINT)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Blocks the calling thread until one of the signals arrives. Returns immediately if one has arrived before.
  func wait() {
    var (set, signal) = (set, Int32())
    // Its only error is an invalid set.
    while sigwait(&set, &signal) != 0 {}
  }
}
