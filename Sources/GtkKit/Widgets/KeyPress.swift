import CGtk

/// A key that was pressed, with the modifiers that were held.
public struct KeyPress {
  /// The modifiers that tell key combinations apart.
  public struct Modifiers: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let control = Modifiers(rawValue: GDK_CONTROL_MASK.rawValue)
    public static let alt = Modifiers(rawValue: GDK_ALT_MASK.rawValue)
  }

  /// The keys that views handle themselves.
  public enum Key: Sendable {
    case left, right, up, down, home, end, pageUp, pageDown, enter, space, escape, other

    /// Whether it moves the focus or a choice.
    var isMove: Bool { [.left, .right, .up, .down, .home, .end, .pageUp, .pageDown].contains(self) }

    fileprivate init(_ value: CInt) {
      self =
        switch value {
        case GDK_KEY_Left: .left
        case GDK_KEY_Right: .right
        case GDK_KEY_Up: .up
        case GDK_KEY_Down: .down
        case GDK_KEY_Home: .home
        case GDK_KEY_End: .end
        case GDK_KEY_Page_Up: .pageUp
        case GDK_KEY_Page_Down: .pageDown
        case GDK_KEY_Return, GDK_KEY_KP_Enter: .enter
        case GDK_KEY_space: .space
        case GDK_KEY_Escape: .escape
        default: .other
        }
    }
  }

  public let key: Key
  /// The modifiers without locks such as Caps Lock, and without a mere Shift if the key has a character: on many
  /// keyboards a digit or `/` needs it.
  public let modifiers: Modifiers
  /// What the key means, best first: its character in lower case, and what is at its place on a US keyboard if the
  /// user's layout has no Latin letters, or a digit if Shift isn't held. Empty for a key such as Escape.
  public let characters: [Character]
  /// GDK's number of the key.
  let value: guint

  /// The text that the key types; empty if it has none.
  public var typed: String {
    let scalar = Unicode.Scalar(gdk_keyval_to_unicode(value))
    return scalar.flatMap { $0.value == 0 ? nil : String(Character($0)) } ?? ""
  }

  /// - Parameter event: where the key is; `nil` if unknown.
  @MainActor init(_ key: guint, _ held: GdkModifierType, _ event: OpaquePointer?) {
    value = key
    self.key = Key(CInt(bitPattern: key))
    var modifiers = held.rawValue & gtk_accelerator_get_default_mod_mask().rawValue
    var characters = [character(of: key)].compactMap(\.self)
    if !characters.isEmpty {
      let place = event.flatMap { characterAtPlace(of: $0, isShifted: modifiers & GDK_SHIFT_MASK.rawValue != 0) }
      if let place, place != characters[0] { characters.append(place) }
      // With Ctrl, Shift makes another shortcut: redo instead of undo.
      if modifiers == GDK_SHIFT_MASK.rawValue { modifiers = 0 }
    }
    self.characters = characters
    self.modifiers = Modifiers(rawValue: modifiers)
  }
}

/// The character of a key in lower case; `nil` if it has none that is visible.
private func character(of key: guint) -> Character? {
  let scalar = Unicode.Scalar(gdk_keyval_to_unicode(gdk_keyval_to_lower(key)))
  return scalar.flatMap { $0.value <= 0x20 || $0.value == 0x7F ? nil : Character($0) }
}

/// The digit, or for a layout without Latin letters the letter or `/`, that the key has on a US keyboard.
@MainActor private func characterAtPlace(of event: OpaquePointer, isShifted: Bool) -> Character? {
  let code = gdk_key_event_get_keycode(event)
  if let digit = digit(atPlace: code) { return isShifted ? nil : Character("\(digit % 10)") }
  var keyOfA: guint = 0
  let isKnown = gdk_display_translate_key(
    gdk_event_get_display(event), codeOfA, GdkModifierType(0), gint(gdk_key_event_get_layout(event)), &keyOfA, nil, nil,
    nil)
  guard isKnown != 0, character(of: keyOfA)?.isASCII != true else { return nil }
  for (first, letters) in letterRows where code >= first {
    if let letter = letters.dropFirst(Int(code - first)).first { return letter }
  }
  return nil
}

/// The digit 1…10 that a key of the row of digits has on a US keyboard, by its hardware code on X11 and Wayland.
func digit(atPlace code: guint) -> Int? { (10...19).contains(code) ? Int(code) - 9 : nil }

private let codeOfA: guint = 38

/// The rows of a US keyboard from below, with the hardware codes of their first keys.
private let letterRows: [(first: guint, letters: String)] = [
  (52, "zxcvbnm,./"), (codeOfA, "asdfghjkl"), (24, "qwertyuiop"),
]
