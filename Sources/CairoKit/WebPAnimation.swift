import CPango
import Glibc

/// An animated picture in the format WebP, which every browser plays. The frames are compressed by libwebp, which is
/// loaded when the first animation is made, because nothing else needs it.
///
/// The file format is that of Google's WebP Container Specification.
public final class WebPAnimation {
  /// Why there is no animation.
  public enum Failure: Error {
    /// libwebp isn't installed.
    case noLibrary
    /// libwebp couldn't compress a frame.
    case notCompressed
  }

  /// `size_t WebPEncodeBGRA(const uint8_t *bgra, int width, int height, int stride, float quality, uint8_t **output)`
  private typealias Encode =
    @convention(c) (
      UnsafePointer<UInt8>, CInt, CInt, CInt, Float, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
    ) -> Int
  private typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void

  private let width, height: Int
  private let encode: Encode
  private let free: Free
  private var frames: [UInt8] = []
  /// The last frame, which is written when it is known how long it stays.
  private var pending: (chunk: [UInt8], place: Place, milliseconds: Int)?
  private var last: [UInt8]?

  private static let library = "libwebp.so.7"
  /// 0…100.
  private static let quality: Float = 80

  /// The part of the picture that a frame changes, in pixels.
  private struct Place {
    var x, y, width, height: Int
  }

  /// - Parameters:
  ///   - width: in pixels, like the height.
  public init(width: Int, height: Int) throws(Failure) {
    guard let library = dlopen(WebPAnimation.library, RTLD_NOW | RTLD_LOCAL),
      let encode = dlsym(library, "WebPEncodeBGRA"), let free = dlsym(library, "WebPFree")
    else { throw .noLibrary }
    (self.width, self.height) = (width, height)
    self.encode = unsafeBitCast(encode, to: Encode.self)
    self.free = unsafeBitCast(free, to: Free.self)
  }

  /// Shows the last frame longer.
  public func extend(milliseconds: Int) { pending?.milliseconds += milliseconds }

  /// Adds a frame.
  /// - Parameters:
  ///   - milliseconds: how long it is shown.
  ///   - paint: paints all of the picture on a cairo context.
  public func add(milliseconds: Int, paint: (OpaquePointer) -> Void) throws(Failure) {
    let pixels = painted(paint)
    guard let place = changed(pixels) else { return extend(milliseconds: milliseconds) }
    last = pixels
    flush()
    pending = (try chunk(pixels, place), place, milliseconds)
  }

  /// Returns the file.
  public func finish() -> [UInt8] {
    flush()
    // The flag of an animation, and the size less one.
    let header = chunk("VP8X", [2, 0, 0, 0] + bytes(width - 1, 3) + bytes(height - 1, 3))
    // On white, and only once.
    let animation = chunk("ANIM", [255, 255, 255, 255] + bytes(1, 2))
    let content = Array("WEBP".utf8) + header + animation + frames
    return Array("RIFF".utf8) + bytes(content.count, 4) + content
  }

  private func flush() {
    guard let (chunk, place, milliseconds) = pending else { return }
    let head =
      bytes(place.x / 2, 3) + bytes(place.y / 2, 3) + bytes(place.width - 1, 3) + bytes(place.height - 1, 3)
      + bytes(milliseconds, 3) + [2]
    frames += self.chunk("ANMF", head + chunk)
    pending = nil
  }

  private func painted(_ paint: (OpaquePointer) -> Void) -> [UInt8] {
    var pixels = [UInt8](repeating: 255, count: width * height * 4)
    pixels.withUnsafeMutableBufferPointer { buffer in
      // A row of this format has 4 bytes a pixel, blue first, and no padding.
      let surface: OpaquePointer = cairo_image_surface_create_for_data(
        buffer.baseAddress, CAIRO_FORMAT_ARGB32, CInt(width), CInt(height), CInt(width * 4))
      let context: OpaquePointer = cairo_create(surface)
      paint(context)
      cairo_destroy(context)
      cairo_surface_finish(surface)
      cairo_surface_destroy(surface)
    }
    return pixels
  }

  /// The part that differs from the last frame, at even coordinates; `nil` if nothing does.
  private func changed(_ pixels: [UInt8]) -> Place? {
    guard let last else { return Place(x: 0, y: 0, width: width, height: height) }
    var (left, top, right, bottom) = (width, height, -1, -1)
    pixels.withUnsafeBytes { new in
      last.withUnsafeBytes { old in
        let (new, old) = (new.bindMemory(to: UInt32.self), old.bindMemory(to: UInt32.self))
        for y in 0..<height {
          let row = y * width..<(y + 1) * width
          guard let first = row.first(where: { new[$0] != old[$0] }), let end = row.last(where: { new[$0] != old[$0] })
          else { continue }
          (left, right) = (min(left, first - row.lowerBound), max(right, end - row.lowerBound))
          (top, bottom) = (min(top, y), y)
        }
      }
    }
    guard right >= 0 else { return nil }
    (left, top) = (left / 2 * 2, top / 2 * 2)
    return Place(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }

  /// The compressed pixels of a frame, without the header of their own file.
  private func chunk(_ pixels: [UInt8], _ place: Place) throws(Failure) -> [UInt8] {
    var output: UnsafeMutablePointer<UInt8>?
    let length = pixels.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map {
        encode(
          $0 + (place.y * width + place.x) * 4, CInt(place.width), CInt(place.height), CInt(width * 4),
          WebPAnimation.quality, &output)
      } ?? 0
    }
    defer { free(output) }
    guard let output, length > 12 else { throw .notCompressed }
    return Array(UnsafeBufferPointer(start: output + 12, count: length - 12))
  }

  private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + bytes(content.count, 4) + content + (content.count.isMultiple(of: 2) ? [] : [0])
  }

  /// A number with its lowest byte first.
  private func bytes(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> ($0 * 8) & 255) } }
}
