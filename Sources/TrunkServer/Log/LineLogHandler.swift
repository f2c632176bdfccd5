import Glibc
import Logging

/// Writes each entry of the log as one line.
struct LineLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?
  private let format: LogFormat
  /// Whether the system's journal reads the lines. It takes the priority from their beginning, and adds the time.
  private let isJournal: Bool
  private let write: @Sendable (String) -> Void

  /// - Parameter write: receives each line, without a line break.
  init(level: Logger.Level, format: LogFormat, isJournal: Bool, write: @escaping @Sendable (String) -> Void) {
    logLevel = level
    self.format = format
    self.isJournal = isJournal
    self.write = write
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var fields = metadata
    if let provided = metadataProvider?.get() { fields.merge(provided) { $1 } }
    if let own = event.metadata { fields.merge(own) { $1 } }
    if let error = event.error { fields["error"] = "\(error)" }
    let entry = LogEntry(time: .now, level: event.level, message: event.message.description, fields: fields)
    write((isJournal ? "<\(event.level.priority)>" : "") + entry.line(format, hasTime: !isJournal))
  }

  /// Whether the journal reads what is written to a descriptor.
  /// - Parameter stream: the value of `JOURNAL_STREAM`, in which systemd names the journal's device and inode.
  static func isJournal(_ descriptor: Int32, _ stream: String?) -> Bool {
    var status = stat()
    guard let stream, fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }
}

extension Logger.Level {
  /// The priority of syslog(3).
  fileprivate var priority: Int32 {
    switch self {
    case .trace, .debug: LOG_DEBUG
    case .info: LOG_INFO
    case .notice: LOG_NOTICE
    case .warning: LOG_WARNING
    case .error: LOG_ERR
    case .critical: LOG_CRIT
    }
  }
}
