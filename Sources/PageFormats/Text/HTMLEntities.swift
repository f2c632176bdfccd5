/// Entities such as `&amp;` and `&#8211;`.
enum HTMLEntities {
  static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(0x26) else { return String(decoding: bytes, as: UTF8.self) }
    var (out, rest) = ([UInt8](), bytes)
    out.reserveCapacity(bytes.count)
    while let sign = rest.firstIndex(of: 0x26) {
      out += rest[..<sign]
      rest = rest[sign...]
      if let end = rest.prefix(12).firstIndex(of: 0x3B),
        let text = decoded(String(decoding: rest[(sign + 1)..<end], as: UTF8.self))
      {
        out += text.utf8
        rest = rest[(end + 1)...]
      } else {
        out.append(0x26)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: out + rest, as: UTF8.self)
  }

  private static func decoded(_ name: String) -> String? {
    guard name.utf8.first == UInt8(ascii: "#") else { return named[name] }
    let digits = name.dropFirst()
    let isHexadecimal = digits.utf8.first.map { $0 & 0xDF } == UInt8(ascii: "X")
    guard let number = UInt32(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10) else {
      return nil
    }
    return Unicode.Scalar(number).map { String(Character($0)) }
  }

  /// Those that programs write for the letters and signs of Western languages.
  private static let named: [String: String] = {
    let pairs = """
      amp & lt < gt > quot " apos ' nbsp   copy © reg ® trade ™ hellip … ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ \
      ldquo “ rdquo ” bdquo „ laquo « raquo » lsaquo ‹ rsaquo › bull • middot · deg ° euro € pound £ cent ¢ yen ¥ \
      sect § para ¶ times × divide ÷ plusmn ± frac12 ½ frac14 ¼ frac34 ¾ sup2 ² sup3 ³ micro µ iexcl ¡ iquest ¿ \
      agrave à aacute á acirc â atilde ã auml ä aring å aelig æ ccedil ç egrave è eacute é ecirc ê euml ë igrave ì \
      iacute í icirc î iuml ï ntilde ñ ograve ò oacute ó ocirc ô otilde õ ouml ö oslash ø ugrave ù uacute ú ucirc û \
      uuml ü yacute ý yuml ÿ szlig ß oelig œ Agrave À Aacute Á Acirc Â Auml Ä Aring Å AElig Æ Ccedil Ç Egrave È \
      Eacute É Ecirc Ê Euml Ë Iacute Í Icirc Î Ntilde Ñ Oacute Ó Ocirc Ô Ouml Ö Oslash Ø Uacute Ú Ucirc Û Uuml Ü \
      OElig Œ larr ← rarr → uarr ↑ darr ↓ hearts ♥
      """.split(separator: " ")
    var named = [
      "nbsp": " ", "ensp": " ", "emsp": " ", "thinsp": " ", "zwj": "\u{200D}", "zwnj": "\u{200C}", "shy": "",
    ]
    for index in stride(from: 0, to: pairs.count - 1, by: 2) where named[String(pairs[index])] == nil {
      named[String(pairs[index])] = String(pairs[index + 1])
    }
    return named
  }()
}
