import CPango
import CairoKit
import Testing
import VectorGraphics

@testable import TreePicture

/// Pixels in memory.
final class Image {
  private let surface: OpaquePointer
  var width: Int { Int(cairo_image_surface_get_width(surface)) }
  var height: Int { Int(cairo_image_surface_get_height(surface)) }

  init(_ state: TreeState, _ width: Double, _ height: Double, _ palette: Palette, scale: Double) throws {
    let picture = TreePicture(state, width: width, height: height, palette: palette, fontSize: 14)
    surface = try #require(cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width * scale), Int32(height * scale)))
    let cairo: OpaquePointer = try #require(cairo_create(surface))
    Painter(cairo).paint(palette.background(width: width, height: height), scale: scale)
    Painter(cairo).paint(picture.drawing, scale: scale)
    cairo_destroy(cairo)
  }

  /// - Parameter camera: shows the drawing.
  init(_ drawing: Drawing, _ camera: Camera, _ width: Double, _ height: Double, _ palette: Palette) throws {
    surface = try #require(cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)))
    let cairo: OpaquePointer = try #require(cairo_create(surface))
    Painter(cairo).paint(palette.background(width: width, height: height))
    Painter(cairo).paint(drawing, scale: camera.scale, offset: camera.offset)
    cairo_destroy(cairo)
  }

  init?(_ path: String) {
    surface = cairo_image_surface_create_from_png(path)
    if cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS { return nil }
  }

  deinit { cairo_surface_destroy(surface) }

  func write(_ path: String) { cairo_surface_write_to_png(surface, path) }

  /// The mean difference of a colour component, 0…255, and the share of components that differ by more than 32.
  func difference(_ other: Image) -> (mean: Double, share: Double) {
    let (mine, theirs) = (bytes, other.bytes)
    guard mine.count == theirs.count, !mine.isEmpty else { return (255, 1) }
    var (sum, far) = (0, 0)
    for (a, b) in zip(mine, theirs) {
      let difference = abs(Int(a) - Int(b))
      sum += difference
      if difference > 32 { far += 1 }
    }
    return (Double(sum) / Double(mine.count), Double(far) / Double(mine.count))
  }

  /// The number of pixels that differ.
  func pixels(unlike other: Image) -> Int {
    guard let (mine, theirs) = pixels.flatMap({ mine in other.pixels.map { (mine, $0) } }) else { return 0 }
    var count = 0
    for index in 0..<min(mine.count, theirs.count) where mine[index] != theirs[index] { count += 1 }
    return count
  }

  /// The positions of the pixels whose colour is like this one.
  func pixels(like color: Color) -> Set<Int> {
    guard let pixels else { return [] }
    let (red, green, blue) = (Int(color.red * 255), Int(color.green * 255), Int(color.blue * 255))
    var found: Set<Int> = []
    for index in 0..<pixels.count {
      let pixel = Int(pixels[index])
      guard abs(pixel >> 16 & 0xFF - red) < 40, abs(pixel >> 8 & 0xFF - green) < 40, abs(pixel & 0xFF - blue) < 40
      else { continue }
      found.insert(index)
    }
    return found
  }

  /// The pixels as `0xXXRRGGBB`. The rows of the pictures in these tests have no padding.
  private var pixels: UnsafeBufferPointer<UInt32>? {
    cairo_surface_flush(surface)
    let count = Int(cairo_image_surface_get_stride(surface)) / 4 * height
    return cairo_image_surface_get_data(surface).map { data in
      UnsafeBufferPointer(start: UnsafeRawPointer(data).assumingMemoryBound(to: UInt32.self), count: count)
    }
  }

  /// Three components for each pixel.
  private var bytes: [UInt8] {
    cairo_surface_flush(surface)
    guard let data = cairo_image_surface_get_data(surface) else { return [] }
    let stride = Int(cairo_image_surface_get_stride(surface))
    return (0..<height).flatMap { y in (0..<(width * 4)).filter { $0 % 4 != 3 }.map { data[y * stride + $0] } }
  }
}
