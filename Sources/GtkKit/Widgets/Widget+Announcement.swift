import CGtk
import Glibc

@MainActor extension Widget {
  /// Lets screen readers say, once, what has changed away from the focus. Does nothing before GTK 4.14, which can't.
  public func announce(_ text: String) {
    guard !text.isEmpty, let window = gtk_widget_get_root(self) else { return }
    gtkAnnounce?(window, clamped(text), mediumPriority)
  }
}

/// `gtk_accessible_announce`, which older headers don't declare.
private let gtkAnnounce = dlsym(nil, "gtk_accessible_announce").map {
  unsafeBitCast($0, to: (@convention(c) (OpaquePointer, UnsafePointer<CChar>, CInt) -> Void).self)
}

/// `GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM`: after what is being read.
private let mediumPriority: CInt = 1
