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
  /// What and from where it is: `Earlier page · Day One · Lisbon`. A page without words says how many pictures it had,
  /// because nothing else tells why it is empty.
  /// - Parameter program: the name of the program that wrote it.
  public func about(from program: String) -> String {
    dotted([tr("Earlier page"), program, place].map(\.readableLine) + (hasOnlyPictures ? [picturesLeftOut] : []))
  }

  public var hasOnlyPictures: Bool { wholeText.isEmpty && pictures > 0 }

  private var picturesLeftOut: String {
    trn("{n} picture not imported", "{n} pictures not imported", pictures)
  }

  /// The title and the text.
  public var wholeText: String { [title, text].filter { !$0.isEmpty }.joined(separator: "\n\n") }
}
