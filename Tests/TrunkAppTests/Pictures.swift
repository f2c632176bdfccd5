import CGtk
import Foundation
import GtkKit
import WidgetTestSupport
import XCTest

/// Saves a picture of a window if `TRUNK_PICTURES` names a folder.
@MainActor func picture(_ window: Widget, _ name: String) {
  guard let folder = ProcessInfo.processInfo.environment["TRUNK_PICTURES"] else { return }
  pause(milliseconds: 500)
  let paintable: OpaquePointer = gtk_widget_paintable_new(window).cast()
  let snapshot: OpaquePointer = gtk_snapshot_new().cast()
  gdk_paintable_snapshot(
    paintable, snapshot, Double(gtk_widget_get_width(window)), Double(gtk_widget_get_height(window)))
  defer { g_object_unref(paintable.address) }
  guard let node = gtk_snapshot_free_to_node(snapshot.cast()),
    let renderer = gtk_native_get_renderer(window.cast()),
    let texture = gsk_renderer_render_texture(renderer, node, nil)
  else { return XCTFail("the picture \(name) is empty") }
  gdk_texture_save_to_png(texture, folder + "/" + name + ".png")
  g_object_unref(texture.address)
  gsk_render_node_unref(node)
}

/// The pixels of a widget that is on the screen, as it would be drawn now.
/// - Parameter areWhole: whether to include what is transparent around its content.
@MainActor func pixels(of widget: Widget, areWhole: Bool = false) -> [UInt8]? {
  let (width, height) = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
  let paintable: OpaquePointer = gtk_widget_paintable_new(widget).cast()
  defer { g_object_unref(paintable.address) }
  var isDrawn = false
  // The new content is drawn in the next frame.
  widget.onFrame {
    isDrawn = true
    return false
  }
  widget.redraw()
  waitFor("the frame") { isDrawn }
  waitFor("the loop") { g_main_context_pending(nil) == 0 }
  let snapshot: OpaquePointer = gtk_snapshot_new().cast()
  gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
  guard let node = gtk_snapshot_free_to_node(snapshot.cast()) else { return nil }
  defer { gsk_render_node_unref(node) }
  var place = graphene_rect_t(
    origin: graphene_point_t(x: 0, y: 0), size: graphene_size_t(width: Float(width), height: Float(height)))
  guard let native = gtk_widget_get_native(widget), let renderer = gtk_native_get_renderer(native),
    let texture = areWhole
      ? gsk_renderer_render_texture(renderer, node, &place) : gsk_renderer_render_texture(renderer, node, nil)
  else { return nil }
  defer { g_object_unref(texture.address) }
  let stride = 4 * Int(gdk_texture_get_width(texture))
  var bytes = [UInt8](repeating: 0, count: stride * Int(gdk_texture_get_height(texture)))
  gdk_texture_download(texture, &bytes, gsize(stride))
  return bytes
}
