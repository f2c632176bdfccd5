import Localization

/// What the garden from before the sign-in has and the account lacks.
public struct LocalContents: Sendable, Equatable {
  /// The number of entries.
  public var entries = 0
  /// The number of unfinished texts.
  public var drafts = 0
  /// The number of earlier pages.
  public var pages = 0

  public init(entries: Int = 0, drafts: Int = 0, pages: Int = 0) {
    (self.entries, self.drafts, self.pages) = (entries, drafts, pages)
  }

  public var isEmpty: Bool { entries == 0 && drafts == 0 && pages == 0 }

  /// The sentence about them in the account dialog.
  public var hint: String {
    guard entries == 0 else {
      return trn(
        "{n} entry was written on this computer before you signed in.",
        "{n} entries were written on this computer before you signed in.", entries)
    }
    guard drafts == 0 else { return draftHint }
    return trn(
      "{n} page of an earlier journal was imported on this computer before you signed in.",
      "{n} pages of earlier journals were imported on this computer before you signed in.", pages)
  }

  private var draftHint: String {
    trn(
      "{n} unfinished text was written on this computer before you signed in.",
      "{n} unfinished texts were written on this computer before you signed in.", drafts)
  }
}
