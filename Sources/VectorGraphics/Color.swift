import Glibc

/// A colour; components from 0 to 1.
public struct Color: Equatable, Sendable {
  public var red, green, blue, alpha: Double

  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// - Parameter hex: `0xRRGGBB`.
  public init(_ hex: UInt32, alpha: Double = 1) {
    self.init(
      red: Double(hex >> 16 & 0xFF) / 255, green: Double(hex >> 8 & 0xFF) / 255, blue: Double(hex & 0xFF) / 255,
      alpha: alpha)
  }

  /// Interpolates towards another colour; `fraction` is 0…1.
  public func mixed(with other: Color, _ fraction: Double) -> Color {
    func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * fraction }
    return Color(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
      alpha: mix(alpha, other.alpha))
  }

  /// The same colour with a lower opacity.
  public func faded(to alpha: Double) -> Color {
    Color(red: red, green: green, blue: blue, alpha: self.alpha * alpha)
  }

  /// The contrast with another colour, from 1 to 21, as WCAG 2 defines it. Opacity is ignored.
  public func contrast(with other: Color) -> Double {
    let (one, two) = (relativeLuminance, other.relativeLuminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  private var relativeLuminance: Double {
    func linear(_ part: Double) -> Double { part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The grey of the same luminance.
  public var gray: Color {
    let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return Color(red: luminance, green: luminance, blue: luminance, alpha: alpha)
  }
}
