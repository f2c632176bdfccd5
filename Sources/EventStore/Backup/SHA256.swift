import COpenSSL

/// SHA-256 from OpenSSL, which uses the processor's instructions for it.
package final class SHA256 {
  static let length = 32

  /// Looked up once, because that takes longer than a digest. It is never changed or freed.
  nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

  /// Reused for many digests.
  private let context = EVP_MD_CTX_new()

  deinit { EVP_MD_CTX_free(context) }

  /// Keeps OpenSSL usable until the process is gone; call it first. OpenSSL otherwise frees its tables when `exit` is
  /// called, and a thread that still opens the garden or a connection crashes.
  package static func keepUntilTheEnd() {
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
  }

  /// - Returns: 32 bytes.
  func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: SHA256.length) { buffer, count in
      var size = UInt32(SHA256.length)
      let isDone =
        EVP_DigestInit_ex2(context, SHA256.algorithm, nil) == 1
        && EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
        && EVP_DigestFinal_ex(context, buffer.baseAddress, &size) == 1
      // Without SHA-256, every event would look damaged.
      precondition(isDone, "OpenSSL has no SHA-256")
      count = Int(size)
    }
  }

  package func digest(of text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { digest(of: UnsafeRawBufferPointer($0)) }
  }
}
