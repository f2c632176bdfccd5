import GtkKit
import Localization
import TrunkKit

/// The illustrated handbook, web pages that are installed with the program: one for each language.
enum Handbook {
  /// The page in the program's language and, in case it isn't installed, the English one.
  private static var pages: [String] {
    // Translators: the file in docs/handbook in your language. Leave it if there is none.
    [trc("handbook", "index.html"), "index.html"]
  }

  private static var file: String? { pages.lazy.compactMap { Folders.sharedFile("doc/trunk/handbook/" + $0) }.first }

  static var isInstalled: Bool { file != nil }

  /// Opens it in the web browser. If it isn't installed or there is no browser, a short help takes its place.
  static func present(over window: Widget) {
    guard let address = file.flatMap({ address(ofFile: $0) }), window.open(address: address) else {
      return HelpWindow(over: window).present()
    }
  }
}
