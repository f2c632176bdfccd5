import CYAML

/// A YAML value. Tags such as `!!python/unicode` are ignored. An alias isn't replaced by what it stands for, so that a
/// small text can't become a large value.
indirect enum YAMLNode {
  case scalar(String, isPlain: Bool)
  case sequence([YAMLNode])
  case mapping([(key: String, value: YAMLNode)])

  /// The text of a scalar; `nil` for other values and for an empty one, `~` or `null`.
  var text: String? {
    guard case .scalar(let text, let isPlain) = self else { return nil }
    return isPlain && ["", "~", "null", "Null", "NULL"].contains(text) ? nil : text
  }

  /// The text, also of `[[name]]`, which is a list in a list for YAML but a link for its writer.
  var link: String? {
    var node = self
    while case .sequence(let elements) = node, elements.count == 1 { node = elements[0] }
    return node.text
  }

  /// The members of a mapping; empty for other values.
  var members: [(key: String, value: YAMLNode)] { if case .mapping(let members) = self { members } else { [] } }

  /// The first document of a text; `nil` if it isn't valid or is nested too deeply.
  init?(_ text: String) {
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) == 1 else { return nil }
    defer { yaml_parser_delete(&parser) }
    let bytes = Array(text.utf8)
    let node = bytes.withUnsafeBufferPointer { bytes in
      withUnsafeMutablePointer(to: &parser) { parser in
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
        var events = YAMLEvents(parser: parser)
        return events.document()
      }
    }
    guard let node else { return nil }
    self = node
  }
}
