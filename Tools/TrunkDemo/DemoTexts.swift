import TrunkModel

/// The texts of the demo person. They are content, not interface, and stay in English.
enum DemoTexts {
  /// Sprouts that succeed each other on one leaf.
  struct Saga: Sendable {
    let branch: Int
    let twig: Int
    let leaf: String
    let stages: [Stage]
    let entries: [String]
    var blooms: [String] = []

    var node: Node { .twig(branch: branch, twig: twig) }
  }

  struct Stage: Sendable {
    let title: String
    let season: Season
    let ground: Ground

    init(_ title: String, _ season: Season, _ ground: Ground = .fertile) {
      self.title = title
      self.season = season
      self.ground = ground
    }
  }

  struct Idea: Sendable {
    let branch: Int
    let twig: Int
    let title: String
    var notes: String?

    init(_ branch: Int, _ twig: Int, _ title: String, _ notes: String? = nil) {
      self.branch = branch
      self.twig = twig
      self.title = title
      self.notes = notes
    }

    var node: Node { .twig(branch: branch, twig: twig) }
  }

  /// The sagas whose last chapters grow at the end.
  static let running = 0
  static let cello = 1
  static let letters = 2
  static let balcony = 3

  /// The entry of one year ago.
  static let aYearAgo = "Slept badly, ran anyway. The river was high and brown and somehow that helped."

  /// Sentences that can precede any entry.
  static let openings: [String] = [
    "Did not feel like it at all.", "Began later than I wanted.", "A short one.", "Between two trains.",
    "After a long day at the desk.", "Easier than last time.", "With a cold.", "In a good mood for once.",
    "Only because it was written down here.", "Nearly forgot.", "First thing, before anything else could happen.",
    "Unwillingly, then gladly.", "On my own today.", "With the window open.", "A quarter of an hour, not more.",
    "Twice as long as planned.", "Tired, but awake enough.", "A visitor in the house, so quietly.",
  ]

  /// Opening sentences by season: winter, spring, summer, autumn.
  static let weather: [[String]] = [
    [
      "Frost on the inside of the shed window.", "Dark before five.", "Snow, and the whole street talking softly.",
      "Grey all day.",
    ],
    [
      "The first warm wind.", "Blackbirds from five o'clock on.", "April, all of it, in one afternoon.",
      "Light in the kitchen again.",
    ],
    ["Too hot to hurry.", "Swifts over the roofs.", "Thunder, but elsewhere.", "Light until ten."],
    [
      "Fog up to the gate.", "The first evening with the lamp on.", "Leaves in the hallway.", "Rain against the glass.",
    ],
  ]

  /// Sentences that can follow any entry.
  static let closings: [String] = [
    "Enough for today.", "More of that.", "It adds up.", "Not much, but not nothing.", "I want to remember this one.",
    "Tomorrow again.", "Proud, a little.", "No idea why it went so well.", "I had expected less.",
    "Slower would have been better.", "Something has shifted.", "It is becoming a habit, I think.",
    "The resistance is always at the door, never inside.", "Good to have begun.", "That was the best hour of the day.",
    "I will try it the other way round next time.", "Half of it was waiting.", "It need not be more than this.",
    "Left it there while it was still going well.", "Told no one.", "Thought of Father while I was at it.",
    "A year ago I could not have done that.", "Still not easy, but familiar.", "And then tea.",
  ]

  static let ideas: [Idea] = [
    Idea(0, 2, "Table tennis with the neighbours"), Idea(0, 3, "Learn the front crawl", "Ask about the Tuesday course"),
    Idea(0, 4, "See the dentist before it hurts"), Idea(0, 7, "One good winter coat"),
    Idea(1, 4, "A poem by heart for every season"), Idea(1, 5, "Understand where the power bill comes from"),
    Idea(1, 2, "Learn to read a balance sheet"), Idea(1, 6, "A reading circle with three people"),
    Idea(2, 3, "Play at the old people's home", "Frau Lindner asked twice"), Idea(2, 5, "Hang the pictures at last"),
    Idea(2, 6, "Finish the photo book of the islands"), Idea(2, 7, "Put the songs where others can hear them"),
    Idea(3, 0, "Draw the shelf for the crooked wall"), Idea(3, 2, "Build a bird table"),
    Idea(3, 4, "Sand the chairs down"), Idea(3, 5, "Make a case for the chisels"),
    Idea(3, 7, "Stock the cellar before the frost", "Apples from the Hofmanns"), Idea(4, 1, "Take Mother to the sea"),
    Idea(4, 3, "An evening a week just for us"), Idea(4, 5, "Light the first lamp together"),
    Idea(4, 6, "The night train to Trieste", "Leaves at 21:23; two window seats"),
    Idea(5, 0, "Keep a weather diary"), Idea(5, 2, "Skate on the canal when it freezes"),
    Idea(5, 3, "A nap without guilt"), Idea(5, 4, "Sit on a bench for an hour"),
    Idea(5, 5, "Swim in the river until October"), Idea(6, 1, "Drive Karl to his appointments"),
    Idea(6, 3, "Join the choir on Wednesdays"), Idea(6, 4, "Look after the street's plane tree"),
    Idea(6, 5, "Write to the council about the crossing"), Idea(6, 7, "Learn Grandmother's dumplings"),
    Idea(7, 2, "A page that says what I do"), Idea(7, 3, "Sell the stools at the summer market"),
    Idea(7, 5, "One drawer for all the cables"), Idea(7, 7, "Make a will, simply"),
  ]

  /// Notes that are added to a seedling later.
  static let notes: [String] = [
    "Not before spring", "Ask Hanne, she has done it", "Needs one free weekend", "Smaller: only the first step",
    "Came up again at dinner", "Costs less than I thought", "Together with Tom?", "The book is in the library",
    "Begin with an afternoon", "Still a good idea",
  ]

  /// Bloom lines that fit any sprout.
  static let blooms: [[String]] = [
    ["It stays on the list", "I forget it by Wednesday", "Started once, then abandoned", "I avoid the subject"],
    ["Most weeks it happens", "I know what the next step is", "It no longer costs me anything", "Half of it is done"],
    ["I would miss it", "Others notice", "It goes by itself", "I can show it to someone", "It is simply what I do"],
  ]

  /// Labels and notes of nodes that this user changed.
  static let nodes: [(branch: Int, twig: Int, label: String?, note: String?)] = [
    (1, 7, "languages", "Portuguese for now. Later perhaps the piano in words: Italian."),
    (3, 1, "woodwork", nil), (5, 1, nil, "The river, the woods behind the station, the beech."),
    (4, 2, nil, "Wednesdays are Mila's."), (7, 4, "money", nil), (6, 2, "the long table", nil),
  ]
}
