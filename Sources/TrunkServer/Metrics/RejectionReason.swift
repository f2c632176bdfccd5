/// Why a request was rejected, as the metrics name it.
enum RejectionReason: String, CaseIterable, Sendable {
  /// The client sent too many requests.
  case rateLimit = "rate_limit"
  /// The connection was closed, because the client had sent too many bytes.
  case share
  /// Too many wrong codes for an address.
  case addressLocked = "address_locked"
  /// Another code for an address too soon.
  case codePause = "code_pause"
  /// Too many connections.
  case connections
  /// Headers, body, row or batch.
  case tooLarge = "too_large"
  case tooComplex = "too_complex"
  /// Too many large bodies at once.
  case memory
  case accountFull = "account_full"
  /// `--total-size` is reached.
  case serverFull = "server_full"
  case diskFull = "disk_full"
  /// Too many queries of the account wait.
  case queries
  case queryTime = "query_time"

  /// - Parameter code: the code of an error response; those that are the client's fault have no reason.
  init?(code: String) {
    switch code {
    case "over_request_rate_limit": self = .rateLimit
    case "address_locked": self = .addressLocked
    case "over_email_send_rate_limit": self = .codePause
    case "54000", "request_entity_too_large": self = .tooLarge
    case "54001": self = .tooComplex
    case "53100": self = .diskFull
    case "53200": self = .memory
    case "53400": self = .accountFull
    case "PGRST003", "request_timeout": self = .queries
    case "57014": self = .queryTime
    default: return nil
    }
  }
}
