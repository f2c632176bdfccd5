/// Whether names write the day or the month first: the folder decides, else all folders, else points, else the user.
struct FolderEvidence {
  private var all = DayMonthEvidence()
  private var folders: [Substring: DayMonthEvidence] = [:]

  mutating func add(_ name: DatedName) {
    all.add(name.written)
    folders[name.folder, default: DayMonthEvidence()].add(name.written)
  }

  func order(_ name: DatedName, _ answers: [Character: DayMonthOrder]) -> DayMonthOrder? {
    if let order = folders[name.folder]?.order(name.written, [:]) { return order }
    let isDotted = name.written.separator == "." && all.orders(name.written).isEmpty
    return isDotted ? .dayFirst : all.order(name.written, answers)
  }
}
