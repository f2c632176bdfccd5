import SyncEngine
import TrunkModel

/// The contents of an error response, in any of its formats.
///
/// Each service behind one address has its own format: `{code, message}` with a string code, `{code, error_code, msg}`
/// with a number, `{error, error_description}`, `{message, hint}`. Proxies respond with web pages or with nothing.
struct ErrorBody {
  /// A code such as `23505` or `otp_expired`; empty if there is none.
  let code: String
  let message: String
  /// `false` for a web page, which a proxy has written.
  let isJSON: Bool

  init(_ response: HTTPResponse) {
    let json = response.object
    isJSON = json != nil
    let error = json?["error"]?.text
    let codes = [
      json?["code"]?.text, json?["error_code"]?.text, error.flatMap { ErrorBody.isWord($0) ? $0 : nil },
      response["x-sb-error-code"], response["proxy-status"].flatMap(ErrorBody.code(inProxyStatus:)),
      response["www-authenticate"].flatMap {
        $0.split(separator: "\"").contains("invalid_token") ? "invalid_token" : nil
      },
    ]
    code = codes.compactMap { $0 }.first { !$0.isEmpty } ?? ""
    let messages = [json?["msg"]?.text, json?["message"]?.text, json?["error_description"]?.text, error]
    message = messages.compactMap { $0 }.first.map { String($0.prefix(500)) } ?? ""
  }

  private static func isWord(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
  }

  /// Parses a header such as `PostgREST; error=PGRST303`.
  private static func code(inProxyStatus text: String) -> String? {
    text.split(separator: ";").lazy.map { $0.drop { $0 == " " } }.first { $0.hasPrefix("error=") }
      .map { String($0.dropFirst(6)) }
  }

  /// The number in "you can only request this after 42 seconds".
  var secondsToWait: Int64? {
    let words = message.split(separator: " ")
    return words.indices.dropLast(2).lazy.filter { words[$0] == "after" && words[$0 + 2].hasPrefix("second") }
      .compactMap { RetryAfter.seconds(words[$0 + 1]) }.first
  }
}

extension HTTPResponse {
  /// The body, if it is JSON.
  var json: JSON? { String(validating: body, as: UTF8.self).flatMap { try? JSON($0) } }

  /// The body, if it is a JSON object.
  var object: JSON? { if case .object? = json { json } else { nil } }

  /// Seconds, a day at most.
  var retryAfter: Int64? { self["retry-after"].flatMap { RetryAfter.seconds($0) } }

  /// The server's clock; `nil` if it is missing or not in RFC 9110's preferred format.
  var date: Instant? {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    // Sun, 06 Nov 1994 08:49:37 GMT
    guard let parts = self["date"]?.split(separator: " "), parts.count == 6, parts[5] == "GMT",
      let month = months.firstIndex(where: { parts[2] == $0 })
    else { return nil }
    return Instant("\(parts[3])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[1])T\(parts[4])Z")
  }

  var isSuccess: Bool { (200..<300).contains(status) }

  func unavailable(_ code: String = "") -> ServiceFailure {
    .unavailable(status: status, code: code, retryAfter: retryAfter)
  }

  /// The failure for each status that means the same for all services; `nil` for the others.
  func generalFailure(_ error: ErrorBody) -> ServiceFailure? {
    switch status {
    case 300..<400 where movedTo != nil: movedTo.map { .moved(to: $0) }
    case ..<400: unavailable(status >= 300 ? "redirect" : "")
    case 402, 408, 425, 429, 500...: unavailable(error.code)
    // The table and the user service always give a code. Without one, the gateway has rejected the API key.
    case 401 where error.code.isEmpty: error.isJSON ? .misconfigured(401, error) : unavailable()
    case 404, 405, 406, 410: error.code.isEmpty ? .misconfigured(status, error) : nil
    // Services that know the rows name the exceeded limit.
    case 413, 414: error.code.isEmpty ? .tooLarge(status: status) : nil
    default: error.code.isEmpty ? unavailable() : nil
    }
  }
}

extension ServiceFailure {
  static func misconfigured(_ status: Int, _ error: ErrorBody) -> ServiceFailure {
    .misconfigured(status: status, code: error.code, message: error.message)
  }

  static func rejected(_ status: Int, _ error: ErrorBody) -> ServiceFailure {
    .rejected(status: status, code: error.code, message: error.message)
  }

  init(_ failure: HTTPFailure) {
    self =
      switch failure {
      case .cancelled: .cancelled
      case .insecureAddress, .badHeader: .misconfigured(status: 0, code: failure.rawValue, message: "")
      case .tooLarge: .unintelligible(detail: failure.rawValue)
      case .untrustedIssuer: .untrusted(.issuer)
      case .certificateExpired: .untrusted(.expired)
      case .certificateNotYetValid: .untrusted(.notYetValid)
      case .certificateName: .untrusted(.name)
      case .noEncryption: .untrusted(.noEncryption)
      case .noSuchHost, .noConnection, .timedOut, .connectionLost: .unreachable(detail: failure.rawValue)
      }
  }
}

extension HTTPClient {
  /// Sends a request like `send`, but throws service failures.
  func answer(_ request: HTTPRequest) async throws(ServiceFailure) -> HTTPResponse {
    do throws(HTTPFailure) {
      return try await send(request)
    } catch {
      throw ServiceFailure(error)
    }
  }
}
