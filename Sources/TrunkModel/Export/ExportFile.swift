/// The file format for importing and exporting a whole log, shared with other clients.
public enum ExportFile {
  /// Why a file can't be imported. Nothing has been changed when this is thrown.
  public enum Problem: Error, Equatable {
    case notJSON(JSONError)
    /// The file has no `events` array.
    case noEvents
    /// A version that this program doesn't know; `nil` if the file has none.
    case unknownVersion(String?)
    /// An element of `events` is not an object; `index` is its position.
    case notAnEvent(index: Int)
    /// An event is larger than `largestEvent`; `index` is its position in its list, `size` is in bytes.
    case eventTooLarge(index: Int, type: String, time: String, size: Int)
  }

  /// The maximum size in bytes of an event that the user imports: 1 MiB, more than any program writes. An event can't
  /// be removed, and from then on every command would need its memory.
  public static let largestEvent = 1 << 20

  /// The contents of a file.
  public struct Contents: Sendable {
    public var events: [Event]
    /// Versions of events that lost against another version. Other clients don't read them.
    public var superseded: [Event]
    /// The pages of earlier journals. Other clients don't read them.
    public var journals: [EarlierJournal]
    /// The entries that are hidden on the computer of the file. Other clients don't read them.
    public var hidden: [HiddenMark]
    /// The number of pages of earlier journals that the file has and that can't be read.
    public var unreadablePages = 0

    public init(
      events: [Event], superseded: [Event] = [], journals: [EarlierJournal] = [], hidden: [HiddenMark] = []
    ) {
      (self.events, self.superseded, self.journals, self.hidden) = (events, superseded, journals, hidden)
    }

    /// Whether it has nothing that the user wrote or imported.
    public var isEmpty: Bool { events.isEmpty && superseded.isEmpty && journals.isEmpty }

    /// The number of pages of earlier journals.
    public var pageCount: Int { journals.reduce(0) { $0 + $1.pages.count } }

    /// Checks what the user imports, from whatever file.
    /// - Throws: `eventTooLarge`.
    public func checkSizes() throws(Problem) {
      for events in [events, superseded] {
        for (index, event) in events.enumerated() where event.raw.utf8.count > largestEvent {
          throw .eventTooLarge(
            index: index, type: String(event.type.prefix(40)), time: event.instant?.description ?? "",
            size: event.raw.utf8.count)
        }
      }
    }

    /// The contents without the events because of which another version of Trunk rejects a whole file, such as the
    /// user's names and notes of places on the tree, and without earlier pages, which only make the file larger there.
    /// - Returns: also how many events are left out.
    public func forOtherVersions() -> (contents: Contents, leftOut: Int) {
      let contents = Contents(
        events: events.filter(\.isReadableElsewhere), superseded: superseded.filter(\.isReadableElsewhere))
      return (contents, events.count - contents.events.count)
    }
  }

  /// Encodes a file: version 4, sorted keys, indented by two spaces, oldest event first.
  ///
  /// Events that the projection ignores are sorted by instant too; those without an instant come last, sorted by text.
  public static func encode(_ events: some Sequence<Event>, exportedAt: Instant) -> String {
    encode(Contents(events: Array(events)), exportedAt: exportedAt)
  }

  /// Encodes a file with superseded versions, if there are any.
  public static func encode(_ contents: Contents, exportedAt: Instant) -> String {
    var out = "{\n  \"circles\": {},\n"
    write(contents.journals.map(\.json), named: "earlierJournals", to: &out)
    write(contents.events, named: "events", to: &out)
    out += "  \"exportedAt\": \"\(exportedAt)\",\n"
    write(contents.hidden.map(\.json), named: "hidden", to: &out)
    out += "  \"settings\": {},\n"
    if !contents.superseded.isEmpty { write(contents.superseded, named: "superseded", to: &out) }
    out += "  \"version\": 4\n}\n"
    return out
  }

  /// Reads a file of version 4 or 1.
  /// - Returns: the events in the order of the file, each with its exact text.
  public static func decode(_ text: String) throws(Problem) -> [Event] {
    try decodeContents(text).events
  }

  /// Reads a file of version 4 or 1, including superseded versions.
  public static func decodeContents(_ text: String) throws(Problem) -> Contents {
    let (contents, version) = try read(text)
    guard version == "4" || version == "1" else { throw .unknownVersion(version) }
    return contents
  }

  /// Reads a file that the user imports. Backups and copies of a garden are read without this limit.
  /// - Throws: also `eventTooLarge`.
  public static func decodeImport(_ text: String) throws(Problem) -> Contents {
    let contents = try decodeContents(text)
    try contents.checkSizes()
    return contents
  }

  /// Reads a bare array of events, or any object that has `events`, of any version.
  public static func decodeEvents(_ text: String) throws(Problem) -> [Event] {
    try read(text).contents.events
  }

  /// A file name: `trunk-YYYYMMDD-HHmmss.trunk.json`, in local time. By its end the desktop knows the kind of file: GIO
  /// prefers `*.json` to any pattern with brackets.
  public static func name(at instant: Instant, in zone: Zone) -> String { stem(at: instant, in: zone) + ".trunk.json" }

  /// The beginning of a file name: `trunk-YYYYMMDD-HHmmss`, in local time.
  public static func stem(at instant: Instant, in zone: Zone) -> String {
    let (day, second) = zone.local(instant)
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let date = day.description.split(separator: "-").joined()
    return "trunk-\(date)-\(two(second / 3600))\(two(second / 60 % 60))\(two(second % 60))"
  }
}

extension ExportFile {
  /// The order of events in the file: the derivation order, and then ignored events.
  private struct ExportKey: Comparable {
    let milliseconds: Int64
    let rank: UInt8
    let clientID: String
    let text: String

    init(_ event: Event) {
      milliseconds = event.instant?.milliseconds ?? .max
      rank = event.kind?.rawValue ?? .max
      clientID = event.clientID ?? ""
      text = event.clientID == nil || event.kind == nil ? event.canonicalText : ""
    }

    static func < (left: ExportKey, right: ExportKey) -> Bool {
      if left.milliseconds != right.milliseconds { return left.milliseconds < right.milliseconds }
      if left.rank != right.rank { return left.rank < right.rank }
      if !left.clientID.hasSameBytes(as: right.clientID) { return left.clientID.precedesInBytes(right.clientID) }
      return left.text.precedesInBytes(right.text)
    }
  }

  private static func write(_ events: [Event], named name: String, to out: inout String) {
    let sorted = events.map { (key: ExportKey($0), event: $0) }.sorted { $0.key < $1.key }
    out += "  \"\(name)\": ["
    for (index, (_, event)) in sorted.enumerated() {
      out += index == 0 ? "\n    " : ",\n    "
      out += event.json.prettyText(level: 2)
    }
    out += sorted.isEmpty ? "],\n" : "\n  ],\n"
  }

  /// Writes a member that only this program reads, unless it is empty.
  private static func write(_ elements: [JSON], named name: String, to out: inout String) {
    if elements.isEmpty { return }
    out += "  \"\(name)\": [\n    "
    out += elements.map { $0.prettyText(level: 2) }.joined(separator: ",\n    ") + "\n  ],\n"
  }

  private static func read(_ text: String) throws(Problem) -> (contents: Contents, version: String?) {
    var text = text
    let result = text.withUTF8 { bytes in
      // Some editors write a byte order mark before the text.
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      let start = bytes.starts(with: mark) ? mark.count : 0
      return Result { () throws(Problem) in try read(UnsafeBufferPointer(rebasing: bytes[start...])) }
    }
    return try result.get()
  }

  private static func read(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(Problem) -> (contents: Contents, version: String?) {
    var scanner = JSONScanner(bytes, isValidated: true)
    var events: [Event]?
    var superseded: [Event] = []
    var earlier: (journals: [EarlierJournal], unreadable: Int) = ([], 0)
    var hidden: [HiddenMark] = []
    var version: String?
    if scanner.peek() == UInt8(ascii: "[") {
      events = try readEvents(&scanner)
    } else {
      do throws(JSONError) {
        guard scanner.take(UInt8(ascii: "{")) else { throw scanner.problem("expected an object or an array") }
      } catch { throw .notJSON(error) }
      if !scanner.take(UInt8(ascii: "}")) {
        repeat {
          let name: String
          do throws(JSONError) { name = try scanner.name().decoded } catch { throw .notJSON(error) }
          if name == "events", scanner.peek() == UInt8(ascii: "[") {
            events = try readEvents(&scanner)
            continue
          }
          if name == "superseded", scanner.peek() == UInt8(ascii: "[") {
            superseded = try readEvents(&scanner)
            continue
          }
          do throws(JSONError) {
            let value = try scanner.value(depth: 1)
            if name == "version", value != .null { version = value.compactText }
            if name == "earlierJournals" { earlier = EarlierJournal.read(value) }
            if name == "hidden" { hidden = (value.elements ?? []).compactMap(HiddenMark.init) }
          } catch { throw .notJSON(error) }
        } while scanner.take(UInt8(ascii: ","))
        guard scanner.take(UInt8(ascii: "}")) else { throw .notJSON(scanner.problem("expected , or } in an object")) }
      }
    }
    do throws(JSONError) { try scanner.end() } catch { throw .notJSON(error) }
    guard let events else { throw .noEvents }
    var contents = Contents(events: events, superseded: superseded, journals: earlier.journals, hidden: hidden)
    contents.unreadablePages = earlier.unreadable
    return (contents, version)
  }

  /// Reads events one by one, so that each keeps its exact text and the file is never parsed as a whole.
  private static func readEvents(_ scanner: inout JSONScanner) throws(Problem) -> [Event] {
    var events: [Event] = []
    _ = scanner.take(UInt8(ascii: "["))
    if scanner.take(UInt8(ascii: "]")) { return events }
    repeat {
      if scanner.peek() != UInt8(ascii: "{") {
        do throws(JSONError) { _ = try scanner.value(depth: 1) } catch { throw .notJSON(error) }
        throw .notAnEvent(index: events.count)
      }
      let start = scanner.offset
      do throws(JSONError) {
        let members = try scanner.members(depth: 1)
        events.append(Event(raw: scanner.text(from: start), members: members))
      } catch { throw .notJSON(error) }
    } while scanner.take(UInt8(ascii: ","))
    guard scanner.take(UInt8(ascii: "]")) else { throw .notJSON(scanner.problem("expected , or ] in an array")) }
    return events
  }
}
