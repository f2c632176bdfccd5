import Foundation
import GtkKit
import XCTest

/// Saves what a window shows, when TRUNK_PICTURES names a folder.
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
  else { return XCTFail("nothing to see of \(name)") }
  gdk_texture_save_to_png(texture, folder + "/" + name + ".png")
  g_object_unref(texture.address)
  gsk_render_node_unref(node)
}
