/// Rows of comma-separated values, with quotes, quoted line breaks and doubled quotes.
struct CSVRows: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The next row that isn't empty. A quote that is never closed ends with the text.
  mutating func next() -> [String]? {
    while index < bytes.count {
      let row = row()
      if row.count > 1 || !row[0].isEmpty { return row }
    }
    return nil
  }

  private mutating func row() -> [String] {
    var (row, field, isQuoted) = ([String](), [UInt8](), false)
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        if isQuoted, index < bytes.count, bytes[index] == byte {
          field.append(byte)
          index += 1
        } else if isQuoted || field.isEmpty {
          isQuoted.toggle()
        } else {
          field.append(byte)
        }
      case UInt8(ascii: ",") where !isQuoted:
        row.append(String(decoding: field, as: UTF8.self))
        field.removeAll(keepingCapacity: true)
      case 0x0A where !isQuoted, 0x0D where !isQuoted:
        if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A { index += 1 }
        return row + [String(decoding: field, as: UTF8.self)]
      default: field.append(byte)
      }
    }
    return row + [String(decoding: field, as: UTF8.self)]
  }
}
