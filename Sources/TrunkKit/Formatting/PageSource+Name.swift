import EventStore
import Localization
import PageFormats
import TrunkModel

extension PageSource {
  /// The name of the program that wrote it: `Day One`.
  public var program: String { PageFormat(rawValue: format)?.name ?? format }
}

extension StoredPage {
  /// What and from where it is: `Earlier page · Day One · Lisbon`.
  public var about: String { page.about(from: source.program) }
}

extension EarlierPage {
  /// What and from where it is: `Earlier page · Day One · Lisbon`.
  /// - Parameter program: the name of the program that wrote it.
  public func about(from program: String) -> String {
    dotted([tr("Earlier page"), program, place].map(\.readableLine))
  }

  /// The title and the text.
  public var wholeText: String { [title, text].filter { !$0.isEmpty }.joined(separator: "\n\n") }
}
