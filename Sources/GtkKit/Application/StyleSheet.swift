import CGtk
import CResources
import CShim

/// The program's style sheets and icons, which follow the desktop's dark and high contrast settings.
///
/// GTK 4.8 has no media queries, so the dark and the high contrast colours are separate sheets that are added over the
/// first one when needed.
@MainActor public final class StyleSheet {
  private let display: OpaquePointer
  private let base = provider(trunk_resource_style)
  private let growth = growthProvider()
  private let dark = provider(trunk_resource_style_dark)
  private let contrast = provider(trunk_resource_style_contrast)
  private let darkContrast = provider(trunk_resource_style_dark_contrast)
  private var connections: [Connection] = []

  /// Loads the sheets and icons for the display. Keep the value as long as the program runs.
  /// - Returns: `nil` if there is no display.
  public init?() {
    guard let display = gdk_display_get_default() else { return nil }
    self.display = display
    registerIcons(on: display)
    trunk_label_focus_selects_nothing(display)
    show(base, above: 0, when: true)
    show(growth, above: 0, when: true)
    let manager = Self.manager
    connections = ["dark", "high-contrast"].map { property in
      manager.onChange(of: property) { [weak self] in self?.follow() }
    }
    follow()
  }

  /// The colour scheme: light, dark, or the desktop's preference.
  public static var scheme: ColorScheme {
    get { adw_style_manager_get_color_scheme(manager) }
    set { adw_style_manager_set_color_scheme(manager, newValue) }
  }

  /// Whether the desktop asks for high contrast.
  public static var isHighContrast: Bool { adw_style_manager_get_high_contrast(manager) != 0 }

  private static var manager: OpaquePointer { adw_style_manager_get_default() }

  private func follow() {
    let isDark = adw_style_manager_get_dark(Self.manager) != 0
    let isContrast = Self.isHighContrast
    show(dark, above: 1, when: isDark)
    show(contrast, above: 2, when: isContrast)
    show(darkContrast, above: 3, when: isDark && isContrast)
  }

  private func show(_ provider: Reference, above level: guint, when isWanted: Bool) {
    if isWanted {
      gtk_style_context_add_provider_for_display(
        display, provider.object, guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION) + level)
    } else {
      gtk_style_context_remove_provider_for_display(display, provider.object)
    }
  }

  isolated deinit {
    connections.forEach { $0.disconnect() }
  }
}

/// Light, dark, or as the desktop prefers.
public typealias ColorScheme = AdwColorScheme

extension ColorScheme {
  /// As the desktop prefers.
  public static var system: ColorScheme { ADW_COLOR_SCHEME_DEFAULT }
  public static var light: ColorScheme { ADW_COLOR_SCHEME_FORCE_LIGHT }
  public static var dark: ColorScheme { ADW_COLOR_SCHEME_FORCE_DARK }
}

/// The largest icon or drawing that grows with the text, in pixels at the usual scale.
private let largestGrowing = 160

/// The sizes of icons and drawings that grow with the text: a sheet can't compute with classes, so it has a rule for
/// each size. Points follow the text scale; 3 of them are 4 pixels at the usual one.
@MainActor private func growthProvider() -> Reference {
  let rules = (1...largestGrowing).map { pixels in
    let points = "\(Double(pixels) * 0.75)pt"
    return """
      .grows-wide-\(pixels) { min-width: \(points); }
      .grows-high-\(pixels) { min-height: \(points); }
      image.grows-icon-\(pixels) { -gtk-icon-size: \(points); }
      """
  }
  let provider = Reference(adopting: gtk_css_provider_new())
  gtk_css_provider_load_from_data(provider.object.cast(), rules.joined(separator: "\n"), -1)
  return provider
}

@MainActor private func provider(_ resource: TrunkResource) -> Reference {
  let provider = Reference(adopting: gtk_css_provider_new())
  resource.bytes.withMemoryRebound(to: CChar.self, capacity: resource.length) { text in
    gtk_css_provider_load_from_data(provider.object.cast(), text, gssize(resource.length))
  }
  return provider
}

/// Registers the program's own icons by name ("trunk-drop-symbolic"), wherever the program is installed.
@MainActor private func registerIcons(on display: OpaquePointer) {
  let bytes = g_bytes_new_static(trunk_resource_icons.bytes, gsize(trunk_resource_icons.length))
  defer { g_bytes_unref(bytes) }
  // Fails only in a broken build, and then GTK shows its missing-image icon, so there is no reason to stop.
  if let resource = g_resource_new_from_data(bytes, nil) {
    g_resources_register(resource)
    g_resource_unref(resource)
  }
  gtk_icon_theme_add_resource_path(
    gtk_icon_theme_get_for_display(display), "/garden/trunk/trunk/icons")
  // GTK starts to read the icon theme in another thread, but forgets it when a path is added. It reads it there again
  // only when the theme is set; otherwise the window would wait for it.
  g_object_notify(gtk_settings_get_for_display(display).cast(), "gtk-icon-theme-name")
}
