import CPango
import VectorGraphics

/// The font and the layout of a text. Sizes are in points.
public struct TextStyle: Sendable, Equatable {
  public enum Alignment: Sendable {
    /// The side on which the script of the text starts.
    case start
    case centre
    /// The right side, for every script.
    case right
  }

  /// Font families in order of preference, separated by commas. The first installed one is used.
  public var family: String
  public var size: Double
  /// The distance from one baseline to the next. It is the same for all fonts that the characters need.
  public var leading: Double
  public var color: Color
  public var isItalic = false
  public var isBold = false
  /// The extra space between letters, as a fraction of the size.
  public var tracking = 0.0
  public var alignment = Alignment.start
  /// Of the first line.
  public var indent = 0.0

  public init(family: String, size: Double, leading: Double, color: Color) {
    (self.family, self.size, self.leading, self.color) = (family, size, leading, color)
  }
}

/// A part of a text that looks different from the rest.
public struct TextSpan: Sendable, Equatable {
  public struct Look: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let bold = Look(rawValue: 1)
    public static let italic = Look(rawValue: 2)
    public static let struck = Look(rawValue: 4)
    public static let monospaced = Look(rawValue: 8)
    public static let large = Look(rawValue: 16)
  }

  /// In Unicode scalars of the text.
  public let range: Range<Int>
  public let look: Look

  public init(_ range: Range<Int>, _ look: Look) { (self.range, self.look) = (range, look) }

  fileprivate var attributes: [UnsafeMutablePointer<PangoAttribute>?] {
    var attributes: [UnsafeMutablePointer<PangoAttribute>?] = []
    if look.contains(.bold) { attributes.append(pango_attr_weight_new(PANGO_WEIGHT_BOLD)) }
    if look.contains(.italic) { attributes.append(pango_attr_style_new(PANGO_STYLE_ITALIC)) }
    if look.contains(.struck) { attributes.append(pango_attr_strikethrough_new(1)) }
    if look.contains(.monospaced) { attributes.append(pango_attr_family_new("monospace")) }
    // The letters of a monospaced font are wide. A line has the same height whatever is in it.
    if look.contains(.monospaced) { attributes.append(pango_attr_scale_new(0.85)) }
    if look.contains(.large) { attributes.append(pango_attr_scale_new(1.2)) }
    return attributes
  }
}

/// A text to set in lines, with its style.
public struct TypesetText: Sendable, Equatable {
  public let text: String
  public let style: TextStyle
  /// In points.
  public let width: Double
  /// The maximum number of lines; an ellipsis replaces the rest. `nil` for no limit.
  public let maxLines: Int?
  /// The code of the language in which long words are hyphenated, such as `de`; `nil` for no hyphens.
  public let language: String?
  /// In order; they don't overlap.
  public let spans: [TextSpan]

  public init(
    _ text: String, _ style: TextStyle, width: Double, maxLines: Int? = nil, language: String? = nil,
    spans: [TextSpan] = []
  ) {
    (self.text, self.style, self.width, self.maxLines, self.language) = (text, style, width, maxLines, language)
    self.spans = spans
  }
}

/// Divides texts into lines and draws them. The result is the same on every device, because nothing is fitted to
/// pixels.
public final class Typesetter {
  private let context: OpaquePointer
  private var last: Layout?
  /// A long text is drawn in parts, one for each page, with other texts between them.
  private var lastLong: Layout?
  /// How often texts were divided into lines.
  private(set) var passes = 0

  public init() {
    context = pango_font_map_create_context(pango_cairo_font_map_get_default())
    // All measures here are in points.
    pango_cairo_context_set_resolution(context, 72)
    pango_context_set_round_glyph_positions(context, 0)
    let options = cairo_font_options_create()
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    pango_cairo_context_set_font_options(context, options)
    cairo_font_options_destroy(options)
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(context)) }

  /// A text in lines.
  private final class Layout {
    let text: TypesetText
    let pango: OpaquePointer
    /// The lines, which live as long as the layout, and their places in Pango's units.
    private(set) lazy var lines: [(line: UnsafeMutablePointer<PangoLayoutLine>, extents: PangoRectangle)] = {
      // Pango measures all lines for each iterator.
      let iterator = pango_layout_get_iter(pango)
      defer { pango_layout_iter_free(iterator) }
      var lines: [(UnsafeMutablePointer<PangoLayoutLine>, PangoRectangle)] = []
      repeat {
        guard let line = pango_layout_iter_get_line_readonly(iterator) else { break }
        var extents = PangoRectangle()
        pango_layout_iter_get_line_extents(iterator, nil, &extents)
        lines.append((line, extents))
      } while pango_layout_iter_next_line(iterator) != 0
      return lines
    }()

    init(_ text: TypesetText, _ pango: OpaquePointer) { (self.text, self.pango) = (text, pango) }

    deinit { g_object_unref(UnsafeMutableRawPointer(pango)) }
  }

  /// The number of lines of a text, at least 1.
  public func lineCount(of text: TypesetText) -> Int {
    Int(pango_layout_get_line_count(layout(text).pango))
  }

  /// A line of a text.
  public struct Line {
    /// From the left edge of the text.
    public let x: Double
    public let width: Double
    public let isRightToLeft: Bool
    public let text: String
  }

  /// The lines of a text, at least one.
  public func lines(of text: TypesetText) -> [Line] {
    let layout = layout(text)
    let bytes = Array(String(cString: pango_layout_get_text(layout.pango)).utf8)
    return layout.lines.map { line, extents in
      let start = Int(line.pointee.start_index)
      return Line(
        x: Double(extents.x) / Double(PANGO_SCALE), width: Double(extents.width) / Double(PANGO_SCALE),
        isRightToLeft: line.pointee.resolved_dir == PANGO_DIRECTION_RTL.rawValue,
        text: String(decoding: bytes[start..<start + Int(line.pointee.length)], as: UTF8.self))
    }
  }

  /// The text in the narrowest width that doesn't take more lines; a long text as it is.
  public func balanced(_ text: TypesetText) -> TypesetText {
    let count = lineCount(of: text)
    guard (2...Typesetter.mostBalanced).contains(count) else { return text }
    func narrowed(_ width: Double) -> TypesetText {
      TypesetText(
        text.text, text.style, width: width, maxLines: text.maxLines, language: text.language, spans: text.spans)
    }
    var (tooNarrow, width) = (text.width / 2, text.width)
    while width - tooNarrow > 1 {
      let middle = (width + tooNarrow) / 2
      if lineCount(of: narrowed(middle)) > count { tooNarrow = middle } else { width = middle }
    }
    return narrowed(width)
  }

  private static let mostBalanced = 12

  /// Draws some lines of a text.
  /// - Parameters:
  ///   - x: the left edge of the text.
  ///   - y: the top of the first of these lines.
  public func draw(
    _ text: TypesetText, lines: Range<Int>? = nil, x: Double, y: Double, on cairo: OpaquePointer
  ) {
    let color = text.style.color
    cairo_set_source_rgb(cairo, color.red, color.green, color.blue)
    let layout = layout(text)
    let all = layout.lines.indices
    let shown = lines?.clamped(to: all) ?? all
    for number in shown {
      let (line, extents) = layout.lines[number]
      let baseline = y + text.style.leading * (Double(number - shown.lowerBound) + Typesetter.baseline)
      cairo_move_to(cairo, x + Double(extents.x) / Double(PANGO_SCALE), baseline)
      pango_cairo_show_layout_line(cairo, line)
    }
  }

  /// The distance from the top of a line to its baseline, as a fraction of the leading.
  public static let baseline = 0.74

  /// A text of more bytes may be on several pages.
  private static let longText = 2000

  private func layout(_ text: TypesetText) -> Layout {
    if let known = [last, lastLong].compactMap(\.self).first(where: { $0.text == text }) { return known }
    let layout = Layout(text, divided(text))
    if text.text.utf8.count > Typesetter.longText { lastLong = layout } else { last = layout }
    return layout
  }

  private func divided(_ text: TypesetText) -> OpaquePointer {
    let layout: OpaquePointer = pango_layout_new(context)
    let style = text.style
    let font = pango_font_description_new()
    defer { pango_font_description_free(font) }
    pango_font_description_set_family(font, style.family)
    pango_font_description_set_absolute_size(font, style.size * Double(PANGO_SCALE))
    pango_font_description_set_style(font, style.isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
    pango_font_description_set_weight(font, style.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
    pango_layout_set_font_description(layout, font)
    let attributes = pango_attr_list_new()
    defer { pango_attr_list_unref(attributes) }
    pango_attr_list_insert(attributes, pango_attr_font_features_new("onum=1"))
    if style.tracking != 0 {
      let tracking = Int32(style.tracking * style.size * Double(PANGO_SCALE))
      pango_attr_list_insert(attributes, pango_attr_letter_spacing_new(tracking))
    }
    pango_layout_set_attributes(layout, attributes)
    pango_layout_set_width(layout, Int32(text.width * Double(PANGO_SCALE)))
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
    if let most = text.maxLines {
      pango_layout_set_height(layout, Int32(-most))
      pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
    }
    if style.alignment == .right { pango_layout_set_auto_dir(layout, 0) }
    pango_layout_set_alignment(layout, style.alignment.pango)
    pango_layout_set_indent(layout, Int32(style.indent * Double(PANGO_SCALE)))
    let words = withBreaks(inLongWords: text.text)
    setText(text.language.flatMap(Hyphenation.of)?.hyphenated(words) ?? words, of: text, attributes, layout)
    return layout
  }
}

extension Typesetter {
  private static let softHyphen: Unicode.Scalar = "\u{AD}"

  /// Sets a text with soft hyphens. Not more than one line in a row ends with a hyphen.
  /// - Parameter typeset: the same text without them.
  private func setText(
    _ text: String, of typeset: TypesetText, _ common: OpaquePointer?, _ layout: OpaquePointer
  ) {
    var scalars = Array(text.unicodeScalars)
    // Each pass removes the hyphens of a word at the end of every second line in a row that ends with one.
    for pass in 1...Typesetter.mostPasses + 1 {
      passes += 1
      let text = String(String.UnicodeScalarView(scalars))
      let attributes = pango_attr_list_copy(common)
      defer { pango_attr_list_unref(attributes) }
      insert(typeset.spans, of: typeset.text, as: scalars, into: attributes)
      // Break a word that is longer than a line without adding a hyphen, which its author didn't write.
      var position = 0
      for word in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == " " || $0.isNewline }) {
        let end = position + word.utf8.count
        if word.utf8.count > Typesetter.longestPrinted, !word.unicodeScalars.contains(Typesetter.softHyphen),
          let attribute = pango_attr_insert_hyphens_new(0)
        {
          (attribute.pointee.start_index, attribute.pointee.end_index) = (guint(position), guint(end))
          pango_attr_list_insert(attributes, attribute)
        }
        position = end + 1
      }
      pango_layout_set_attributes(layout, attributes)
      pango_layout_set_text(layout, text, Int32(text.utf8.count))
      let places = secondHyphens(layout)
      if places.isEmpty { return }
      scalars = Typesetter.removeHyphens(before: places, in: scalars, onlyFirst: pass == Typesetter.mostPasses)
    }
  }

  /// The number of passes after which the rest of the text gets no hyphens: each pass moves the lines below, so their
  /// number could grow with the text.
  private static let mostPasses = 20

  /// Removes the soft hyphens of the words, or of their parts, that end at these bytes.
  /// - Parameter onlyFirst: whether to do this at the first place, and to remove all soft hyphens behind it.
  private static func removeHyphens(
    before places: [Int], in scalars: [Unicode.Scalar], onlyFirst: Bool
  ) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    result.reserveCapacity(scalars.count)
    var (byte, rest) = (0, onlyFirst ? places.prefix(1) : places[...])
    // Where the word begins in the result.
    var start = 0
    for scalar in scalars {
      if scalar.properties.isWhitespace { start = result.count }
      byte += UTF8.width(scalar)
      if onlyFirst, rest.isEmpty, scalar == softHyphen { continue }
      result.append(scalar)
      guard byte == rest.first else { continue }
      rest.removeFirst()
      result.replaceSubrange(start..., with: result[start...].filter { $0 != softHyphen })
    }
    return result
  }

  /// Inserts the attributes of spans.
  /// - Parameters:
  ///   - text: the text of the spans.
  ///   - scalars: the same text as it is set, with other soft hyphens and zero-width spaces.
  private func insert(
    _ spans: [TextSpan], of text: String, as scalars: [Unicode.Scalar], into attributes: OpaquePointer?
  ) {
    if spans.isEmpty { return }
    let written = Array(text.unicodeScalars)
    // The byte of each scalar of the text.
    var places: [Int] = []
    var byte = 0
    for scalar in scalars {
      while places.count < written.count, written[places.count] == Typesetter.softHyphen,
        scalar != Typesetter.softHyphen
      {
        places.append(byte)
      }
      if places.count < written.count, written[places.count] == scalar { places.append(byte) }
      byte += UTF8.width(scalar)
    }
    places += Array(repeating: byte, count: written.count + 1 - places.count)
    for span in spans where places.indices.contains(span.range.upperBound) {
      for attribute in span.attributes {
        guard let attribute else { continue }
        attribute.pointee.start_index = guint(places[span.range.lowerBound])
        attribute.pointee.end_index = guint(places[span.range.upperBound])
        pango_attr_list_insert(attributes, attribute)
      }
    }
  }

  /// A word of more bytes may be longer than a line.
  private static let longestPrinted = 24

  /// The bytes after the hyphens of lines that follow one that keeps its hyphen.
  private func secondHyphens(_ layout: OpaquePointer) -> [Int] {
    guard let bytes = UnsafeRawPointer(pango_layout_get_text(layout))?.assumingMemoryBound(to: UInt8.self)
    else { return [] }
    var places: [Int] = []
    var keepsHyphen = false
    var rest = pango_layout_get_lines_readonly(layout)
    while let element = rest {
      rest = element.pointee.next
      guard let line = element.pointee.data?.assumingMemoryBound(to: PangoLayoutLine.self) else { continue }
      let end = Int(line.pointee.start_index + line.pointee.length)
      // U+00AD in UTF-8.
      let isHyphen = line.pointee.length > 1 && bytes[end - 2] == 0xC2 && bytes[end - 1] == 0xAD
      if isHyphen, keepsHyphen { places.append(end) }
      keepsHyphen = isHyphen && !keepsHyphen
    }
    return places
  }

  /// The maximum number of scalars without a line break opportunity, apart from those of `withBreaks`: several lines.
  private static let longestWord = 500

  /// Lets a line end after each character of a very long word, such as a key, by means of zero-width spaces. They are
  /// not part of the text that is copied from a PDF file.
  ///
  /// Without them, Pango 1.50 tries each character of the rest of the word as the end of each line, and for each it
  /// measures from the start (20,000 characters took 7 s).
  private func withBreaks(inLongWords text: String) -> String {
    guard text.utf8.count > Typesetter.longestWord else { return text }
    let scalars = Array(text.unicodeScalars)
    var places = [PangoLogAttr](repeating: PangoLogAttr(), count: scalars.count + 1)
    pango_get_log_attrs(
      text, Int32(text.utf8.count), -1, pango_language_get_default(), &places, Int32(places.count))
    var result = String.UnicodeScalarView()
    var start = 0
    for end in places.indices.dropFirst() where end == scalars.count || places[end].is_line_break != 0 {
      let isLong = end - start > Typesetter.longestWord
      for place in start..<end {
        if isLong, place > start, places[place].is_cursor_position != 0 { result.append("\u{200B}") }
        result.append(scalars[place])
      }
      start = end
    }
    return String(result)
  }
}

extension TextStyle.Alignment {
  fileprivate var pango: PangoAlignment {
    switch self {
    case .start: PANGO_ALIGN_LEFT
    case .centre: PANGO_ALIGN_CENTER
    case .right: PANGO_ALIGN_RIGHT
    }
  }
}
