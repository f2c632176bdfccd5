import COpenSSL

/// SHA-256 by OpenSSL, which uses the processor's own instructions for it.
package enum SHA256 {
  static let length = 32

  /// Looked up once: that takes longer than a digest. It lives as long as the program and is never changed.
  nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

  /// - Returns: 32 bytes; none if OpenSSL can't, which the tables refuse.
  package static func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      var size = UInt32(length)
      let isDone = EVP_Digest(bytes.baseAddress, bytes.count, buffer.baseAddress, &size, algorithm, nil)
      count = isDone == 1 ? Int(size) : 0
    }
  }

  package static func digest(of text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { digest(of: UnsafeRawBufferPointer($0)) }
  }
}
