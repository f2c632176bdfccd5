import GtkKit
import Localization

/// The entries of the window's menu.
@MainActor func mainMenu() -> [MenuEntry] {
  [
    .section([
      .item(tr("Plant a Sprout…"), action: "win.plant", key: "n"),
      .item(tr("Note an Idea…"), action: "win.seedling"),
      .item(tr("Water…"), action: "win.water::", key: "w"),
      .item(tr("Shine…"), action: "win.shine", key: "s"),
      .item(tr("Harvest…"), action: "win.harvest::", key: "h"),
      .item(tr("Undo"), action: "win.undo", key: "<Control>z"),
    ]),
    .section([
      .item(tr("Import…"), action: "win.import"),
      .item(tr("Export…"), action: "win.export"),
      .item(tr("Export or Print the Journal…"), action: "win.export-journal"),
      .item(tr("Save the Tree as a Poster…"), action: "win.save-poster"),
    ]),
    .section([
      .item(tr("A Year in Growth"), action: "win.year::"),
      .item(tr("Show the Balance of the Branches"), action: "win.radar"),
    ]),
    .section([
      .item(tr("Account"), action: "win.account"),
      .item(tr("Sync Now"), action: "win.sync-now"),
    ]),
    .section([
      .item(tr("Preferences"), action: "win.preferences"),
      .item(tr("Keyboard Shortcuts"), action: "win.shortcuts"),
      .item(tr("How It Works"), action: "win.help"),
      .item(tr("Handbook"), action: "win.handbook"),
      .item(tr("About Trunk"), action: "win.about"),
      .item(tr("Quit"), action: "app.quit"),
    ]),
  ]
}
