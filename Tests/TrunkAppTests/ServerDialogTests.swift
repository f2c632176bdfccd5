import CGtk
import GtkKit
import TrunkAccount
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class ServerDialogTests: WidgetTestCase {
  func testItAsksOneQuestionAndShowsErrorsBesideTheField() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      var isFound = false
      ServerDialog(fixture.context) { isFound = true }.present()
      guard let dialog = window("Sign In") else { return }
      XCTAssertTrue(dialog.shownTexts.contains("Where is your garden?"))
      let fields = dialog.descendants.filter { $0.typeName == "GtkEntry" && $0.isMapped }
      XCTAssertEqual(fields.count, 1, "everything else is under Advanced")
      XCTAssertFalse(dialog.shownTexts.contains("trunk-server"))
      dialog.field("Address of the server")?.text = "http://garden.example.org"
      dialog.press("Continue")
      waitFor("the reason") {
        dialog.shownTexts.contains(ServerSettings.Invalid.notEncrypted.message)
      }
      dialog.field("Address of the server")?.text = "https://abc.supabase.co"
      XCTAssertFalse(dialog.shownTexts.contains(ServerSettings.Invalid.notEncrypted.message), "it is being changed")
      dialog.press("Continue")
      // The key of a Supabase project is needed, so its field comes into sight.
      waitFor("the key") {
        dialog.field("Publishable key")?.isMapped == true
          && dialog.shownTexts.contains(ServerSettings.Invalid.keyMissing.message)
      }
      XCTAssertFalse(isFound)
      XCTAssertNil(fixture.context.settings.serverURL)
      fixture.close()
    }
  }

  func testAnAddressWithoutAServerIsExplainedInFull() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      ServerDialog(fixture.context) {}.present()
      guard let dialog = window("Sign In") else { return }
      dialog.field("Address of the server")?.text = "https://http://127.0.0.1:1"
      dialog.press("Continue")
      let message = ServerSettings.Invalid.unreachable.message
      waitFor("the reason in its place") {
        dialog.descendants.contains {
          $0.typeName == "GtkLabel" && String(cString: gtk_label_get_text($0.cast())) == message
            && gtk_widget_get_height($0) > 0
        }
      }
      waitFor("room for it") { !dialog.scrolls }
      fixture.close()
    }
  }

  func testIrreversibleActionsAreLastInTheAccount() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      AccountDialog(garden.context).present()
      let dialog = try garden.dialog("Account")
      let buttons = dialog.descendants.filter { $0.typeName == "GtkButton" && $0.isMapped }
      XCTAssertEqual(buttons.last?.shownTexts, ["Delete Everywhere…"])
      let rows = dialog.descendants.filter { $0.typeName == "AdwActionRow" && $0.isMapped }
      let out = try XCTUnwrap(rows.first { $0.shownTexts.contains("Sign Out…") })
      XCTAssertFalse(out.shownTexts.contains("Delete Everywhere…"), "Sign Out has a separate row")
      XCTAssertEqual(rows.last?.shownTexts.contains("Delete Everywhere…"), true)
    }
  }
}
