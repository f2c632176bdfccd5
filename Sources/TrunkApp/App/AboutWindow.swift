import GtkKit
import Localization
import TrunkModel

/// Shows authors, license and website.
func presentAbout(over parent: Widget) {
  About(
    name: tr("Trunk"), icon: Application.id, version: Release.version, developer: tr("The Trunk authors"),
    copyright: tr("© 2026 The Trunk authors"),
    comments: tr("A calm place to tend your life: plan, write, reflect, harvest."), website: "https://trunk.garden"
  ).present(over: parent)
}
