import GtkKit
import TrunkKit

/// The illustrated handbook, a web page that is installed with the program.
enum Handbook {
  private static let place = "doc/trunk/handbook/index.html"

  /// Opens it in the web browser. If it isn't installed or there is no browser, a short help takes its place.
  static func present(over window: Widget) {
    let file = Folders.sharedFile(place)
    guard let address = file.flatMap({ address(ofFile: $0) }), window.open(address: address) else {
      return HelpWindow(over: window).present()
    }
  }
}
