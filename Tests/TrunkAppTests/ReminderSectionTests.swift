import CGtk
import GtkKit
import TrunkKit
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class ReminderSectionTests: WidgetTestCase {
  /// These tests run without an application, so there is no session bus to find systemd on.
  func testWithoutABusRemindersStayOffAndTheReasonIsShown() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      garden.present(label(""))
      PreferencesDialog(garden.context, page: .reminders).present()
      let dialog = try garden.dialog("Preferences")
      let frequency = try XCTUnwrap(dialog.pick("Remind me to water"))
      XCTAssertEqual(gtk_widget_get_visible(frequency), 0)
      let toggle = try XCTUnwrap(dialog.switchRow("Show reminders on this computer"))
      toggle.isSwitchOn = true
      waitFor("the reason") {
        dialog.shownTexts.contains("Reminders need systemd, which doesn’t manage this desktop session.")
      }
      waitFor("the switch") { !toggle.isSwitchOn }
      XCTAssertFalse(garden.context.settings.reminders.isOn)
    }
  }

  func testChoicesAreSavedImmediately() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      var reminders = ReminderSettings()
      (reminders.isOn, reminders.time) = (true, .evening)
      try garden.context.settings.set(reminders: reminders)
      garden.present(label(""))
      PreferencesDialog(garden.context, page: .reminders).present()
      let dialog = try garden.dialog("Preferences")
      let time = try XCTUnwrap(dialog.pick("Time of day"))
      XCTAssertEqual(adw_combo_row_get_selected(time.cast()), 2)
      adw_combo_row_set_selected(time.cast(), 0)
      waitFor("the time") { garden.context.settings.reminders.time == .morning }
      let switches = dialog.descendants.filter { $0.typeName == "GtkSwitch" }
      for toggle in switches { gtk_switch_set_active(toggle.cast(), gtk_switch_get_active(toggle.cast()) == 0 ? 1 : 0) }
      waitFor("the privacy") { garden.context.settings.reminders.hidesText }
      let saved = Settings(folder: garden.folder.path + "/config").reminders
      XCTAssertEqual(saved.frequency, .weekly)
      XCTAssertFalse(saved.isOn || saved.includesHarvest || saved.includesSun)
    }
  }
}
