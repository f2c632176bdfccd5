import CGtk

/// The information in a program's about window.
public struct About {
  public let name, icon, version, developer, copyright, comments, website: String

  /// - Parameters:
  ///   - icon: the name of its icon.
  ///   - website: an address, as in `https://example.org`.
  public init(
    name: String, icon: String, version: String, developer: String, copyright: String, comments: String,
    website: String
  ) {
    (self.name, self.icon, self.version, self.developer) = (name, icon, version, developer)
    (self.copyright, self.comments, self.website) = (copyright, comments, website)
  }

  /// Shows it in a window, with the GNU General Public License 3. Libadwaita 1.6 deprecates `AdwAboutWindow`.
  @MainActor public func present(over parent: Widget) {
    let window: Widget = adw_about_window_new()
    adw_about_window_set_application_name(window.cast(), name)
    adw_about_window_set_application_icon(window.cast(), icon)
    adw_about_window_set_version(window.cast(), version)
    adw_about_window_set_developer_name(window.cast(), developer)
    adw_about_window_set_copyright(window.cast(), copyright)
    // AdwAboutWindow reads the comments as Pango markup.
    adw_about_window_set_comments(window.cast(), escaped(comments))
    adw_about_window_set_website(window.cast(), website)
    adw_about_window_set_license_type(window.cast(), GTK_LICENSE_GPL_3_0)
    gtk_window_set_modal(window.cast(), 1)
    gtk_window_set_transient_for(window.cast(), parent.cast())
    gtk_window_present(window.cast())
  }
}
