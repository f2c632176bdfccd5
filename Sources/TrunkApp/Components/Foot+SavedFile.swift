import GtkKit
import Localization

extension Foot {
  /// Says where files were saved, with a button that opens one.
  /// - Parameter paths: of the file that the button opens, and of the cover that belongs to it, if there is one.
  func showSaved(_ paths: [String]) {
    guard let path = paths.first else { return }
    let names = ["path": path, "cover": paths.last ?? path]
    let text = paths.count > 1 ? tr("Saved “{path}” and “{cover}”.", names) : tr("Saved “{path}”.", names)
    show(
      text, seconds: 8,
      button: (
        tr("Open"),
        { [weak self] in
          guard let self, let address = address(ofFile: path), !widget.open(address: address) else { return }
          show(tr("No program on this computer opens this file."))
        }
      ))
  }
}
