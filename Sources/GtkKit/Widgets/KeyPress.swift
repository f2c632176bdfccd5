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
  /// The modifiers without locks such as Caps Lock.
  public let modifiers: Modifiers
  /// GDK's number of the key.
  let value: guint

  /// The character of the key in lower case; `nil` if it has none.
  public var character: Character? {
    let scalar = Unicode.Scalar(gdk_keyval_to_unicode(gdk_keyval_to_lower(value)))
    return scalar.flatMap { $0.value == 0 ? nil : Character($0) }
  }

  init(_ key: guint, _ held: GdkModifierType) {
    value = key
    self.key = Key(CInt(bitPattern: key))
    modifiers = Modifiers(rawValue: held.rawValue & gtk_accelerator_get_default_mod_mask().rawValue)
  }
}
