import Localization

extension Settings {
  /// The days on which the garden rests on this computer.
  public var restDays: RestDays { RestDays(rawText("rest", "periods") ?? "") }

  /// Changes the days of rest, and keeps what other programs or the user have written into the file since it was read.
  /// - Throws: `Unreadable`; then the file is unchanged.
  public func changeRestDays(_ change: (inout RestDays) -> Void) throws {
    try changeRaw("rest", "periods") { text in
      var days = RestDays(text ?? "")
      change(&days)
      return days.text
    }
  }

  /// Names the entries that are not periods; `nil` if all are.
  public var restProblem: String? {
    let entries = restDays.unreadable.map { tr("“{text}”", ["text": $0]) }
    guard !entries.isEmpty else { return nil }
    return trn(
      "{entries} in “{path}” is not a time of rest. Write it like 2026-12-20/2027-01-03.",
      "{entries} in “{path}” are not times of rest. Write each like 2026-12-20/2027-01-03.", entries.count,
      ["entries": entries.joined(separator: ", "), "path": path])
  }
}
