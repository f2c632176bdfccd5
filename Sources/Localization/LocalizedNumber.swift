import Glibc

/// Returns the number as the locale writes it, with separators, such as `12 345` in French.
public func localized(_ number: Int) -> String {
  let digits = String(number.magnitude)
  guard digits.count >= leastGrouped, let locale = localeconv()?.pointee, let separator = locale.thousands_sep,
    let grouping = locale.grouping
  else { return String(number) }
  return (number < 0 ? "-" : "") + grouped(digits, by: String(cString: separator), sizes: sizes(grouping))
}

/// The number of digits from which a number has separators: four have none in Spanish, Polish and Portuguese.
private var leastGrouped: Int {
  let locale = setlocale(LC_NUMERIC, nil).map { String(cString: $0) } ?? ""
  return ["es", "pl", "pt"].contains(locale.prefix(2)) ? 5 : 4
}

/// The sizes of the groups of digits from the right, as in `lconv`; the last one is repeated.
private func sizes(_ grouping: UnsafePointer<CChar>) -> [Int] {
  var sizes: [Int] = []
  for byte in UnsafeBufferPointer(start: grouping, count: strlen(grouping)) {
    // CHAR_MAX means that the rest isn't grouped.
    sizes.append(byte > 0 && byte < CChar.max ? Int(byte) : Int.max)
  }
  return sizes
}

private func grouped(_ digits: String, by separator: String, sizes: [Int]) -> String {
  var (groups, rest, index) = ([String](), digits[...], 0)
  while index < sizes.count, rest.count > sizes[index] {
    groups.insert(String(rest.suffix(sizes[index])), at: 0)
    rest = rest.dropLast(sizes[index])
    index = min(index + 1, sizes.count - 1)
  }
  return ([String(rest)] + groups).joined(separator: separator)
}
