import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// Shows authors, license and website.
func presentAbout(over parent: Widget) {
  let about: Widget = adw_about_window_new()
  adw_about_window_set_application_name(about.cast(), tr("Trunk"))
  adw_about_window_set_application_icon(about.cast(), Application.id)
  adw_about_window_set_version(about.cast(), Program.version)
  adw_about_window_set_developer_name(about.cast(), tr("The Trunk authors"))
  adw_about_window_set_copyright(about.cast(), tr("© 2026 The Trunk authors"))
  // The dialog reads the comments as Pango markup.
  adw_about_window_set_comments(
    about.cast(), escaped(tr("A calm place to tend your life: plan, write, reflect, harvest.")))
  adw_about_window_set_website(about.cast(), "https://trunk.garden")
  adw_about_window_set_license_type(about.cast(), GTK_LICENSE_GPL_3_0)
  gtk_window_set_modal(about.cast(), 1)
  gtk_window_set_transient_for(about.cast(), parent.cast())
  gtk_window_present(about.cast())
}
