import GtkKit
import Localization

/// The entries of the window's menu.
@MainActor func mainMenu() -> [MenuEntry] {
  [
    .section([
      .item(tr("Plant a Sprout…"), action: "win.plant", key: "n"),
      .item(tr("Note an Idea…"), action: "win.seedling"),
      .item(tr("Undo"), action: "win.undo", key: "<Control>z"),
    ]),
    .section([
      .item(tr("Export, Print and Import…"), action: "win.transfer"),
      .item(tr("Account and Sync…"), action: "win.account-and-sync"),
    ]),
    .section([
      .item(tr("Preferences"), action: "win.preferences"),
      .item(tr("Keyboard Shortcuts"), action: "win.shortcuts"),
      .item(tr("Handbook"), action: "win.handbook"),
      .item(tr("About Trunk"), action: "win.about"),
      .item(tr("Quit"), action: "app.quit"),
    ]),
  ]
}
