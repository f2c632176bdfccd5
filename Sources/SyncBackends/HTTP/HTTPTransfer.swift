import CCurlShim
import Synchronization

/// A request in progress. After its start it belongs to its loop's queue; only the flag can be set from any thread.
final class HTTPTransfer: @unchecked Sendable {
  typealias Outcome = Result<HTTPResponse, HTTPFailure>

  let isCancelled = Atomic(false)
  var continuation: CheckedContinuation<Outcome, Never>?
  private(set) var handle: UnsafeMutableRawPointer?

  private let request: HTTPRequest
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private var headers: [(name: String, value: String)] = []
  private var headerBytes = 0
  private var isHeadComplete = false
  private var body: [UInt8] = []
  private var exceeded = false

  /// No server has a reason to send larger headers.
  private static let maximumHeaderBytes = 128 << 10

  init(_ request: HTTPRequest) {
    self.request = request
  }

  deinit {
    if let handle { curl_easy_cleanup(handle) }
    curl_slist_free_all(headerList)
  }

  func finish(_ outcome: Outcome) {
    continuation?.resume(returning: outcome)
    continuation = nil
  }

  /// Creates the configured libcurl handle. The handle refers to this object without retaining it.
  func prepare(_ client: HTTPClient.Settings) throws(HTTPFailure) -> UnsafeMutableRawPointer {
    guard let address = HTTPAddress(request.url), address.isSafe else { throw .insecureAddress }
    guard let handle = curl_easy_init() else { throw .connectionLost }
    self.handle = handle
    let me = Unmanaged.passUnretained(self).toOpaque()
    trunk_curl_set_text(handle, CURLOPT_URL, request.url)
    trunk_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, address.isEncrypted ? "https" : "http")
    trunk_curl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0)
    trunk_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    trunk_curl_set_number(handle, CURLOPT_TCP_KEEPALIVE, 1)
    trunk_curl_set_number(handle, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    trunk_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "gzip")
    trunk_curl_set_text(handle, CURLOPT_USERAGENT, client.userAgent)
    if let authorities = client.authorities { trunk_curl_set_text(handle, CURLOPT_CAINFO, authorities) }
    // Unencrypted requests never leave this computer, not even to a proxy.
    if !address.isEncrypted { trunk_curl_set_text(handle, CURLOPT_NOPROXY, "*") }
    // A proxy's headers for CONNECT are not part of the response.
    trunk_curl_set_number(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    if !request.isRepeatable { trunk_curl_set_number(handle, CURLOPT_FRESH_CONNECT, 1) }
    setLimits(handle)
    setMethod(handle)
    try setHeaders(handle)
    setReceivers(handle, me)
    return handle
  }

  private func setLimits(_ handle: UnsafeMutableRawPointer) {
    trunk_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, request.limits.connect)
    trunk_curl_set_number(handle, CURLOPT_TIMEOUT_MS, request.limits.total)
    trunk_curl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 100)
    trunk_curl_set_number(handle, CURLOPT_LOW_SPEED_TIME, request.limits.stall)
  }

  private func setMethod(_ handle: UnsafeMutableRawPointer) {
    switch request.method {
    case .head: trunk_curl_set_number(handle, CURLOPT_NOBODY, 1)
    case .post, .put:
      let body = request.body ?? []
      trunk_curl_set_body(handle, body, body.count)
    case .get, .delete: break
    }
    if [.put, .delete].contains(request.method) {
      trunk_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
  }

  private func setHeaders(_ handle: UnsafeMutableRawPointer) throws(HTTPFailure) {
    for (name, value) in request.headers {
      guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }),
        value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
      else { throw .badHeader }
      headerList = curl_slist_append(headerList, value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    // Send large bodies immediately, without asking the server first.
    headerList = curl_slist_append(headerList, "Expect:")
    trunk_curl_set_pointer(handle, CURLOPT_HTTPHEADER, headerList)
  }

  private func setReceivers(_ handle: UnsafeMutableRawPointer, _ me: UnsafeMutableRawPointer) {
    trunk_curl_set_pointer(handle, CURLOPT_WRITEDATA, me)
    trunk_curl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, me in
      HTTPTransfer.at(me)?.receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
    }
    trunk_curl_set_pointer(handle, CURLOPT_HEADERDATA, me)
    trunk_curl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, me in
      HTTPTransfer.at(me)?.receive(header: UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
    }
  }

  static func at(_ pointer: UnsafeMutableRawPointer?) -> HTTPTransfer? {
    pointer.map { Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The result of the transfer.
  func outcome(_ code: CURLcode) -> Outcome {
    guard let handle, code == CURLE_OK else {
      guard !exceeded else { return .failure(.tooLarge) }
      let failure = HTTPFailure(code, certificate: handle.map(trunk_curl_certificate_result) ?? 0)
      let isSilent = [.timedOut, .connectionLost].contains(failure) && !(handle.map(trunk_curl_was_sent) ?? false)
      return .failure(isSilent ? .noConnection : failure)
    }
    // libcurl accepts a response that ends within its headers.
    guard isHeadComplete else { return .failure(.connectionLost) }
    return .success(HTTPResponse(status: trunk_curl_status(handle), headers: headers, body: body, movedTo: movedTo))
  }

  /// Where the response redirects to: the server alone if it differs from the requested one.
  private var movedTo: String? {
    guard let handle, let target = trunk_curl_redirect_url(handle).flatMap({ HTTPAddress(String(cString: $0)) })
    else { return nil }
    let isOtherServer = target.origin != HTTPAddress(request.url)?.origin
    return isOtherServer ? target.origin : target.origin + target.path
  }
}

extension HTTPTransfer {
  /// - Returns: the number of accepted bytes; anything but all of them aborts the transfer.
  private func receive(body bytes: UnsafeRawBufferPointer) -> Int {
    guard body.count + bytes.count <= request.limits.bodyBytes else {
      exceeded = true
      return 0
    }
    if body.isEmpty { body.reserveCapacity(expectedBytes) }
    body.append(contentsOf: bytes)
    return bytes.count
  }

  /// The announced size, unless the body is compressed or the size is invalid; then the buffer grows as needed.
  private var expectedBytes: Int {
    let named = { (name: String) in self.headers.first { $0.name == name }?.value }
    guard named("content-encoding") == nil, let length = named("content-length").flatMap({ Int($0) }) else { return 0 }
    return max(0, min(length, request.limits.bodyBytes, 1 << 20))
  }

  private func receive(header bytes: UnsafeRawBufferPointer) -> Int {
    headerBytes += bytes.count
    guard headerBytes <= Self.maximumHeaderBytes else {
      exceeded = true
      return 0
    }
    // Interim responses, and a proxy's, come before the final one.
    if bytes.starts(with: "HTTP/".utf8) {
      headers.removeAll()
      isHeadComplete = false
    } else if bytes.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
      isHeadComplete = true
    } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
      headers.append((Self.text(bytes[..<colon]).lowercased(), Self.text(bytes[(colon + 1)...])))
    }
    return bytes.count
  }

  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    let isSpace = { (byte: UInt8) in byte <= 0x20 }
    let start = bytes.firstIndex { !isSpace($0) } ?? bytes.endIndex
    let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}

extension HTTPFailure {
  /// - Parameter certificate: OpenSSL's result of the verification of the certificate.
  init(_ code: CURLcode, certificate: Int) {
    self =
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .noSuchHost
      case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED: .noConnection
      case CURLE_OPERATION_TIMEDOUT: .timedOut
      case CURLE_PEER_FAILED_VERIFICATION:
        switch certificate {
        // libcurl compares the names itself, once OpenSSL has accepted the certificate. Its initial value is 1.
        case 0, 1: .certificateName
        case 9: .certificateNotYetValid
        case 10: .certificateExpired
        default: .untrustedIssuer
        }
      case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS: .untrustedIssuer
      case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_CERTPROBLEM: .noEncryption
      case CURLE_URL_MALFORMAT: .insecureAddress
      default: .connectionLost
      }
  }
}
