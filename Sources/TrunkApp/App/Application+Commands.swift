import GtkKit
import TrunkKit

extension Application {
  /// Adds the commands of the application, and the keys of its and the window's commands.
  func addCommands() {
    let object = desktop.object
    object.addAction("quit") { [weak self] in self?.quit() }
    // The desktop entry offers these actions even if no window is open.
    for (name, command) in [("plant", "win.plant"), ("water", "win.water::"), ("shine", "win.shine")] {
      object.addAction(name) { [weak self] in self?.open(command) }
    }
    object.addAction("quick-water") { [weak self] in self?.waterQuickly() }
    for (position, route) in Route.views.enumerated() {
      object.setKeys(["<Control>\(position + 1)"], for: "win.view::\(route.view)")
    }
    for (keys, command) in [
      (["<Control>q"], "app.quit"), (["<Control>f"], "win.search"),
      (["<Control>n"], "win.seedling"), (["<Control>comma"], "win.preferences"),
      (["<Control>question"], "win.shortcuts"), (["F1"], "win.handbook"), (["<Control>b"], "win.last-tended"),
      (["<Control>r", "F5"], "win.sync-now"),
    ] {
      object.setKeys(keys, for: command)
    }
  }

  /// Shows the window and runs a command in it.
  func open(_ command: String) {
    pendingCommand = command
    activate()
  }
}
