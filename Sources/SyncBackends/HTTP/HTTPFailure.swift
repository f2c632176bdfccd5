/// Why there is no response.
public enum HTTPFailure: String, Error, Sendable {
  /// An invalid URL, one with a password, or neither `https` nor on this computer.
  case insecureAddress = "insecure_address"
  /// A header that contains a line break.
  case badHeader = "bad_header"
  case noSuchHost = "no_such_host"
  /// No network, host unreachable, connection refused, or timed out while connecting. The request was not sent.
  case noConnection = "no_connection"
  /// The request was at least partly sent, but no response came.
  case timedOut = "timed_out"
  /// The certificate was issued by an unknown authority, or by itself.
  case untrustedIssuer = "untrusted_issuer"
  case certificateExpired = "certificate_expired"
  case certificateNotYetValid = "certificate_not_yet_valid"
  /// The certificate is for other names than the host's.
  case certificateName = "certificate_name"
  /// No common encryption.
  case noEncryption = "no_encryption"
  /// The response exceeds the limit.
  case tooLarge = "too_large"
  /// The connection ended before the response did, or the response is not HTTP.
  case connectionLost = "connection_lost"
  /// The waiting task was cancelled.
  case cancelled
}
