import Localization

/// Content that a page can't hold.
public enum LeftOut: Equatable, Hashable, Sendable, CaseIterable {
  case pictures, videos, sounds, documents, moods, weather, stars, coordinates, activities, music, scales, properties
  case links, underlines, tasks

  /// How many, in the user's language: `3 pictures`.
  public func text(_ count: Int) -> String {
    switch self {
    case .pictures: trn("{n} picture", "{n} pictures", count)
    case .videos: trn("{n} video", "{n} videos", count)
    case .sounds: trn("{n} sound recording", "{n} sound recordings", count)
    case .documents: trn("{n} document", "{n} documents", count)
    case .moods: trn("{n} mood", "{n} moods", count)
    case .weather: trn("{n} weather note", "{n} weather notes", count)
    case .stars: trn("{n} star or pin", "{n} stars or pins", count)
    case .coordinates: trn("{n} map position", "{n} map positions", count)
    case .activities: trn("{n} activity", "{n} activities", count)
    case .music: trn("{n} piece of music", "{n} pieces of music", count)
    case .scales: trn("{n} entry with ratings", "{n} entries with ratings", count)
    case .properties: trn("{n} property", "{n} properties", count)
    case .links: trn("{n} link between notes", "{n} links between notes", count)
    case .underlines: trn("{n} underline", "{n} underlines", count)
    case .tasks: trn("{n} task time", "{n} task times", count)
    }
  }
}
