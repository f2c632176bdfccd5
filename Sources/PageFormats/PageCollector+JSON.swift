import TrunkModel

extension PageCollector {
  /// The objects of a JSON array one by one. A file without a complete array is skipped; if it is the only one, the
  /// read fails.
  /// - Parameter wrapper: the name of the array, if it is a member of an object.
  func forEachObject(
    _ bytes: [UInt8], of file: ExportFiles.File, in wrapper: String? = nil,
    _ body: (_ object: JSON) throws(PageReadError) -> Void
  ) throws(PageReadError) {
    let utf8 = Array(text(bytes).utf8)
    // Entries may be in several files, and twice.
    let maximum = options.limits.pages * 2
    guard let objects = JSONObjects(utf8, in: wrapper, maximum: maximum) else {
      guard totalFiles > 1 else { throw .damaged(file: String(file.name)) }
      return skip(file, .malformed)
    }
    guard objects.ranges.count <= maximum else { throw .tooManyPages(limit: options.limits.pages) }
    for (index, range) in objects.ranges.enumerated() {
      if index % 256 == 0 { try check() }
      let label = "\(file.name) #\(index + 1)"
      // An entry also has what isn't imported, such as its text a second time with its formats.
      guard range.count <= options.limits.pageBytes * 8 else {
        skip(label, .tooLong)
        continue
      }
      let object = try? JSON(String(decoding: utf8[range], as: UTF8.self))
      guard let object, object.members != nil else {
        skip(label, .malformed)
        continue
      }
      try body(object)
    }
  }
}
