import CYAML

/// Builds values from libyaml's events.
struct YAMLEvents {
  /// Journals have three levels. The limit keeps hostile texts from exhausting the stack.
  static let maximumDepth = 16
  let parser: UnsafeMutablePointer<yaml_parser_t>

  private enum Event {
    case scalar(String, isPlain: Bool)
    case sequenceStart, mappingStart, end, other
  }

  private mutating func next() -> Event? {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { return nil }
    defer { yaml_event_delete(&event) }
    switch event.type {
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      return .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
    case YAML_ALIAS_EVENT: return .scalar("", isPlain: true)
    case YAML_SEQUENCE_START_EVENT: return .sequenceStart
    case YAML_MAPPING_START_EVENT: return .mappingStart
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT, YAML_DOCUMENT_END_EVENT, YAML_STREAM_END_EVENT: return .end
    default: return .other
    }
  }

  mutating func document() -> YAMLNode? {
    while let event = next() {
      if case .other = event { continue }
      return node(event, depth: 0)
    }
    return nil
  }

  private mutating func node(_ event: Event, depth: Int) -> YAMLNode? {
    guard depth < Self.maximumDepth else { return nil }
    switch event {
    case .scalar(let text, let isPlain): return .scalar(text, isPlain: isPlain)
    case .sequenceStart:
      var elements: [YAMLNode] = []
      while let event = next() {
        if case .end = event { return .sequence(elements) }
        guard let element = node(event, depth: depth + 1) else { return nil }
        elements.append(element)
      }
    case .mappingStart:
      var members: [(key: String, value: YAMLNode)] = []
      while let event = next() {
        if case .end = event { return .mapping(members) }
        guard let key = node(event, depth: depth + 1), let event = next(),
          let value = node(event, depth: depth + 1)
        else { return nil }
        // A key that is a list or mapping itself has no text.
        if case .scalar(let name, _) = key { members.append((name, value)) }
      }
    case .end, .other: break
    }
    return nil
  }
}
