/// Whether names write the day or the month first: the folder decides, else all folders, else points, else the user.
struct FolderEvidence {
  private var all = DayMonthEvidence()
  private var folders: [Substring: DayMonthEvidence] = [:]

  mutating func add(_ name: DatedName) {
    all.add(name.written, name.text)
    folders[name.folder, default: DayMonthEvidence()].add(name.written, name.text)
  }

  func order(_ name: DatedName, _ answer: DayMonthOrder?) -> DayMonthOrder? {
    folders[name.folder]?.order(nil) ?? folderOrder(name) ?? all.order(nil)
      ?? (name.written.isDotted ? .dayFirst : answer)
  }

  func question(_ name: DatedName) -> DayMonthQuestion? { folders[name.folder]?.question ?? all.question }

  /// A folder such as `2024/10` or `January` shows which number is the month.
  private func folderOrder(_ name: DatedName) -> DayMonthOrder? {
    guard case .either(let first, let second) = name.written.dayMonth else { return nil }
    for part in name.folder.split(separator: "/").reversed() {
      let tokens = DateToken.tokens(part).tokens
      let months = tokens.compactMap { token in
        token.word.flatMap(DateWords.month) ?? (token.isNumber(digits: 1...2) ? token.number : nil)
      }
      guard let month = months.first, month == first || month == second else { continue }
      return month == first ? .monthFirst : .dayFirst
    }
    return nil
  }
}
