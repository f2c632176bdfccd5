import CGLib

/// SHA-256 by GLib.
package enum SHA256 {
  static let length = 32

  package static func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    guard let checksum = g_checksum_new(G_CHECKSUM_SHA256) else { return [] }
    defer { g_checksum_free(checksum) }
    g_checksum_update(checksum, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      var size = gsize(length)
      g_checksum_get_digest(checksum, buffer.baseAddress, &size)
      count = Int(size)
    }
  }

  package static func digest(of text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { digest(of: UnsafeRawBufferPointer($0)) }
  }
}
