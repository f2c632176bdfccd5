import CGtk
import Foundation
import GtkKit
import TrunkAccount
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

/// Every dialog, as wide and as narrow as it gets, in both schemes, with large text and right to left.
final class DialogLookTests: WidgetTestCase {
  private static let looks = [
    DialogLook(name: "light"), DialogLook(name: "dark", scheme: ADW_COLOR_SCHEME_FORCE_DARK),
    DialogLook(name: "narrow", width: 360),
    DialogLook(name: "large", scale: 2), DialogLook(name: "large-narrow", width: 360, scale: 2),
    DialogLook(name: "rtl", direction: GTK_TEXT_DIR_RTL),
  ]

  func testNoDialogIsWiderThanItsWindow() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo, width: 400, height: 700)
      defer { garden.close() }
      garden.present(label(""))
      let context = garden.context
      let dialogs: [(String, @MainActor () -> Void)] = [
        ("Preferences", { PreferencesDialog(context).present() }), ("Water", { WaterDialog(context).present() }),
        ("Plant a Sprout", { PlantDialog(context).present() }), ("Soil", { SoilLog(context).present() }),
        ("Harvest", { HarvestDialog(context, "sprout-run").present() }),
      ]
      for (title, present) in dialogs {
        present()
        let dialog = try garden.dialog(title)
        XCTAssertLessThanOrEqual(dialog.width, 400, title)
        gtk_window_destroy(dialog.cast())
      }
    }
  }

  func testEveryDialogFits() {
    MainActor.assumeIsolated {
      let sheet = StyleSheet()
      for look in Self.looks {
        StyleSheet.scheme = look.scheme
        gtk_widget_set_default_direction(look.direction)
        setTextScale(look.scale)
        guard let fixture = demo(), let empty = DialogFixture() else { return }
        for dialog in dialogs(of: fixture, empty: empty) { check(dialog, look) }
        fixture.close()
        empty.close()
      }
      StyleSheet.scheme = ADW_COLOR_SCHEME_DEFAULT
      gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR)
      setTextScale(1)
      withExtendedLifetime(sheet) {}
    }
  }
}

private struct DialogLook {
  var name: String
  var width = 560
  var scheme = ADW_COLOR_SCHEME_FORCE_LIGHT
  var scale = 1
  var direction = GTK_TEXT_DIR_LTR
}

private struct Dialog {
  let name: String
  let title: String
  let open: @MainActor () -> Void
  var fill: (@MainActor (Widget) -> Void)?
}

@MainActor private func check(_ dialog: Dialog, _ look: DialogLook) {
  dialog.open()
  guard let window = window(dialog.title) else { return }
  if look.width != 560 { gtk_window_set_default_size(window.cast(), gint(look.width), -1) }
  dialog.fill?(window)
  waitFor("the text") { !window.shownTexts.isEmpty }
  var (least, _): (gint, gint) = (0, 0)
  gtk_widget_measure(window, GTK_ORIENTATION_HORIZONTAL, -1, &least, nil, nil, nil)
  XCTAssertLessThanOrEqual(least, 360, "\(dialog.name) \(look.name)")
  picture(window, "\(dialog.name)-\(look.name)")
  gtk_window_destroy(window.cast())
}

@MainActor private func dialogs(of fixture: DialogFixture, empty: DialogFixture) -> [Dialog] {
  let context = fixture.context
  let ids = fixture.model.garden.sprouts.map(\.id)
  let (growing, ripe) = (ids[0], ids[1])
  return [
    Dialog(name: "water", title: "Water", open: { WaterDialog(context).present() }) { window in
      window.textViews.first?.typed = "The crossing at bar nine finally stopped scratching. Slow bow, less arm."
    },
    Dialog(name: "water-none", title: "Water") {
      WaterDialog(empty.context).present()
    },
    Dialog(name: "plant", title: "Plant a Sprout", open: { PlantDialog(context).present() }) { window in
      window.field("What will you grow?")?.text = "Swim a kilometre in open water"
      window.field("Withering")?.text = "Only the pool"
      window.field("Budding")?.text = "The lake, along the shore"
      window.choosePlace("practice")
      window.descendants.first { $0.typeName == "GtkDrawingArea" && $0.isFocusable }.map { waitForFrames(30, of: $0) }
    },
    Dialog(name: "plant-places", title: "Plant a Sprout", open: { PlantDialog(context).present() }) { window in
      window.field("What will you grow?")?.text = "Play for someone"
      window.field("Where")?.text = "mus"
    },
    Dialog(name: "plant-dear", title: "Plant a Sprout", open: { PlantDialog(context).present() }) { window in
      window.choose("One year", instead: "one month")
      window.field("What will you grow?")?.text = String(repeating: "<b>long & ", count: 8)
    },
    Dialog(name: "shine", title: "Shine") { ShineDialog(context).present() },
    Dialog(name: "harvest", title: "Harvest") { HarvestDialog(context, ripe).present() },
    Dialog(name: "harvest-judge", title: "Harvest", open: { HarvestDialog(context, ripe).present() }) { window in
      window.press("Next")
    },
    Dialog(name: "harvest-write", title: "Harvest", open: { HarvestDialog(context, ripe).present() }) { window in
      window.press("Next")
      type("key", "4", into: "Harvest")
      window.press("Next")
      window.textViews.first?.typed = "I was afraid of boredom, not of distance."
    },
    Dialog(name: "edit", title: "Edit the Sprout") { EditDialog(context, growing).present() },
    Dialog(name: "seedling", title: "Note an Idea") { SeedlingDialog(context).present() },
    Dialog(name: "uproot", title: "Uproot") { UprootDialog(context, growing).present() },
    Dialog(name: "sign-in", title: "Sign In") {
      SignInDialog(context, SignInFlow(RejectingAuth(), in: fixture.folder)).present()
    },
    Dialog(name: "sign-in-code", title: "Sign In") {
      let host = String(repeating: "a-name-that-goes-on-", count: 6) + "and-on.example.org"
      let signIn = SignInFlow(RejectingAuth(), in: fixture.folder, server: "https://" + host)
      _ = result { await signIn.requestCode(email: "ada.lovelace@mail.example.org") }
      SignInDialog(context, signIn).present()
    },
  ]
}

/// A garden with something for every dialog.
@MainActor private func demo() -> DialogFixture? {
  guard let fixture = DialogFixture() else { return nil }
  let run = fixture.plant(
    "Ten kilometres without stopping", on: "CORE/movement", season: .oneMonth, daysAgo: 45,
    blooms: ["Walking most of it", "Half of it walking", "A calm, even hour"])
  for day in (Int64(2)..<9).reversed() { fixture.water(run, "On the way", daysAgo: day) }
  fixture.plant(
    "Learn the cello prelude", on: "VOICE/practice", daysAgo: 56, blooms: ["Notes only", "", "By heart"],
    leaf: .new(name: "Bach, slowly"))
  fixture.plant("A letter to someone every week", on: "BACK/connection", season: .twoWeeks, daysAgo: 4)
  guard let twig = Node(path: "HEART/joy") else { return nil }
  _ = result { [model = fixture.model] in
    try await model.createSeedling(
      on: twig, title: "Visit the old lighthouse", notes: "In autumn, when nobody is there")
  }
  return fixture
}
