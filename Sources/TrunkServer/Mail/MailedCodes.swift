import CCurlShim
import Dispatch
import Glibc
import Synchronization
import TrunkModel

/// Sends codes by email through a mail server.
public final class MailedCodes: CodeDelivery {
  public struct Settings: Sendable {
    /// `smtp://host:587` (encrypted by STARTTLS) or `smtps://host`. Only a server on this computer may be unencrypted.
    public var server: String
    public var sender: String
    public var user: String?
    public var password: String?
    /// The message, with `{code}` in place of the code. Its first line is the subject.
    public var text = MailedCodes.text

    public init(server: String, sender: String) {
      self.server = server
      self.sender = sender
    }
  }

  public static let text = """
    Your sign-in code for Trunk
    Your code to sign in to Trunk, the garden journal: {code}

    Enter it in Trunk within \(ServerConfiguration.codeLife / 60) minutes. It works once.
    If you didn't request this code, ignore this mail. No one can sign in without the code.
    """

  /// The maximum number of waiting messages. Only an attack exceeds it.
  private static let backlog = 200

  private let settings: Settings
  private let queue = DispatchQueue(label: "mail")
  private let waiting = Atomic(0)

  public init(_ settings: Settings) {
    self.settings = settings
  }

  public func deliver(code: String, to address: String) {
    guard waiting.wrappingAdd(1, ordering: .relaxed).newValue <= MailedCodes.backlog else {
      waiting.wrappingSubtract(1, ordering: .relaxed)
      return ServerLog.log.warning("mail: too many messages are waiting; dropped one")
    }
    queue.async { [self] in
      if let problem = send(code, to: address) {
        ServerLog.log.error("mail: a code was not sent", metadata: ["error": "\(problem)"])
      } else {
        ServerLog.log.debug("mail: a code was sent")
      }
      waiting.wrappingSubtract(1, ordering: .relaxed)
    }
  }

  /// - Returns: the error, without address and code; `nil` if the message was sent.
  private func send(_ code: String, to address: String) -> String? {
    guard let handle = curl_easy_init() else { return "no memory" }
    defer { curl_easy_cleanup(handle) }
    let recipients = curl_slist_append(nil, "<\(address)>")
    defer { curl_slist_free_all(recipients) }
    trunk_curl_set_text(handle, CURLOPT_URL, settings.server)
    trunk_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
    if !isLocal { trunk_curl_require_tls(handle) }
    trunk_curl_set_text(handle, CURLOPT_MAIL_FROM, "<\(settings.sender)>")
    trunk_curl_set_pointer(handle, CURLOPT_MAIL_RCPT, recipients)
    if let user = settings.user { trunk_curl_set_text(handle, CURLOPT_USERNAME, user) }
    if let password = settings.password { trunk_curl_set_text(handle, CURLOPT_PASSWORD, password) }
    trunk_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    trunk_curl_set_number(handle, CURLOPT_TIMEOUT, 30)
    trunk_curl_set_number(handle, CURLOPT_UPLOAD, 1)
    let message = Upload(message(code, to: address))
    return withExtendedLifetime(message) {
      trunk_curl_set_pointer(handle, CURLOPT_READDATA, Unmanaged.passUnretained(message).toOpaque())
      trunk_curl_set_receiver(handle, CURLOPT_READFUNCTION) { buffer, size, count, upload in
        guard let buffer, let upload else { return 0 }
        return Unmanaged<Upload>.fromOpaque(upload).takeUnretainedValue().read(into: buffer, size * count)
      }
      let result = curl_easy_perform(handle)
      return result == CURLE_OK ? nil : String(cString: curl_easy_strerror(result))
    }
  }

  private var isLocal: Bool {
    ["smtp://127.0.0.1", "smtp://localhost", "smtp://[::1]"].contains {
      settings.server == $0 || settings.server.hasPrefix($0 + ":") || settings.server.hasPrefix($0 + "/")
    }
  }

  private func message(_ code: String, to address: String) -> String {
    let lines = settings.text.replacing("{code}", with: code).split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map { $0.hasSuffix("\r") ? String($0.dropLast()) : String($0) }
    let domain = settings.sender.split(separator: "@").last ?? "localhost"
    let headers = [
      "From: <\(settings.sender)>", "To: <\(address)>", "Subject: \(encoded(lines.first ?? ""))",
      "Date: \(HTTPDate.text(zone: "+0000"))", "Message-ID: <\(RandomUUID.text())@\(domain)>", "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit", "Auto-Submitted: auto-generated",
    ]
    return (headers + [""] + lines.dropFirst()).joined(separator: "\r\n") + "\r\n"
  }

  /// Encodes a header value in Base64, unless it is ASCII.
  private func encoded(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    let plain = Base64URL.encode(text.utf8).replacing("-", with: "+").replacing("_", with: "/")
    return "=?utf-8?B?" + plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4) + "?="
  }
}

/// Bytes that libcurl reads in parts.
private final class Upload {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8)[...] }

  func read(into buffer: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int {
    let part = rest.prefix(capacity)
    part.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { memcpy(buffer, start, bytes.count) }
    }
    rest = rest.dropFirst(part.count)
    return part.count
  }
}

/// The current time in the format of HTTP and email.
enum HTTPDate {
  static func text(zone: String) -> String {
    var (seconds, parts) = (time(nil), tm())
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 40)
    // The program never sets a locale, so the names are English.
    let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S ", &parts)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) + zone
  }
}
