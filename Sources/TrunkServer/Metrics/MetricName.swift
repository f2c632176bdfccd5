/// The names of all metrics, by Prometheus's conventions.
enum MetricName: String, CaseIterable {
  case requests = "trunk_http_requests_total"
  case requestDuration = "trunk_http_request_duration_seconds"
  case rejections = "trunk_rejections_total"
  case storedEvents = "trunk_events_stored_total"
  case commitDuration = "trunk_commit_duration_seconds"
  case connections = "trunk_connections"
  case liveConnections = "trunk_live_connections"
  case accounts = "trunk_accounts"
  case databaseSize = "trunk_database_size_bytes"
  case logSize = "trunk_database_wal_size_bytes"
  case freeSpace = "trunk_disk_free_bytes"
  case reserve = "trunk_disk_reserve_bytes"
  case newestBackup = "trunk_backup_newest_timestamp_seconds"
  case build = "trunk_build_info"
  case start = "process_start_time_seconds"

  private var help: String {
    switch self {
    case .requests: "Requests by group of routes and class of the status."
    case .requestDuration: "Time from the headers of a request to its response, including deliberate delays."
    case .rejections: "Rejected requests and connections by reason."
    case .storedEvents: "New events on disk."
    case .commitDuration: "Time of one transaction, until it is on disk."
    case .connections: "Open connections."
    case .liveConnections: "Open live connections (WebSocket)."
    case .accounts: "Accounts."
    case .databaseSize: "Size of the database without its write-ahead log."
    case .logSize: "Size of the write-ahead log."
    case .freeSpace: "Free space of the disk with the database."
    case .reserve: "Free space below which new events are rejected."
    case .newestBackup: "When the newest backup was made. Missing if there is none."
    case .build: "The version of the server, as a label."
    case .start: "When the server started."
    }
  }

  static var allHelp: [String: String] {
    Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0.help) })
  }
}
