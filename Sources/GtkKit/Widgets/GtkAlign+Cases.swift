import CGtk

// The values of GTK's and Pango's enumerations as Swift writes them, such as `.center`.

extension GtkAlign {
  public static var start: GtkAlign { GTK_ALIGN_START }
  public static var center: GtkAlign { GTK_ALIGN_CENTER }
  public static var end: GtkAlign { GTK_ALIGN_END }
  public static var fill: GtkAlign { GTK_ALIGN_FILL }
}

extension GtkJustification {
  public static var center: GtkJustification { GTK_JUSTIFY_CENTER }
  public static var right: GtkJustification { GTK_JUSTIFY_RIGHT }
}

extension PangoEllipsizeMode {
  public static var none: PangoEllipsizeMode { PANGO_ELLIPSIZE_NONE }
  public static var end: PangoEllipsizeMode { PANGO_ELLIPSIZE_END }
}

extension PangoWrapMode {
  public static var word: PangoWrapMode { PANGO_WRAP_WORD }
}
