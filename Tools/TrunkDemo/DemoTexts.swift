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

  static let sagas: [Saga] = [
    Saga(
      branch: 0, twig: 0, leaf: "Running by the river",
      stages: [
        Stage("Run to the footbridge and back", .oneMonth), Stage("Three runs a week", .oneMonth),
        Stage("Five kilometres at a talking pace", .oneMonth, .firm),
        Stage("Run the hill behind the mill", .threeMonths),
        Stage("Run through the dark months", .threeMonths, .firm), Stage("A half marathon, slowly", .sixMonths, .firm),
      ],
      entries: [
        "Ran to the second bridge before I noticed I was running.",
        "The first kilometre was an argument, the rest was quiet.",
        "Counted herons instead of minutes: three.",
        "Walked the hill. Walking counts when it is steep.",
        "New shoes. They still sound like someone else.",
        "A dog ran along for two hundred metres and then had other plans.",
        "Breathing found its step by itself somewhere past the weir.",
        "Shorter than planned, and no less a run for that.",
      ],
      blooms: ["The shoes stay in the hall", "Twice a week, whatever the pace", "I come home wanting the next one"]),
    Saga(
      branch: 2, twig: 0, leaf: "The cello",
      stages: [
        Stage("Hold the bow without thinking", .oneMonth), Stage("Open strings, ten minutes a day", .twoWeeks),
        Stage("First position, in tune", .threeMonths), Stage("A minuet for my mother", .threeMonths, .firm),
        Stage("Shift to fourth position", .threeMonths, .firm), Stage("Play with another cello", .oneMonth),
      ],
      entries: [
        "Twenty minutes, and the shift at bar nine held.",
        "Recorded it and listened: slower is not the same as dragging.",
        "The left hand knew the way before I did.",
        "Only long notes. The room answered on the G.",
        "Bar twelve again and again, until it stopped being bar twelve.",
        "The bow wants less of me than I give it.",
        "Played it through for nobody, with all the mistakes left in.",
        "Tuned for longer than I played, and heard the difference.",
      ],
      blooms: ["The case stays closed", "I can play it slowly from the page", "By heart, and it breathes"]),
    Saga(
      branch: 6, twig: 0, leaf: "Letters",
      stages: [
        Stage("Answer every letter on the desk", .twoWeeks), Stage("Write to Aunt Marthe by hand", .oneMonth),
        Stage("Call an old friend every fortnight", .threeMonths), Stage("A postcard from every trip", .sixMonths),
      ],
      entries: [
        "Wrote two pages to Jonas and did not apologise for the silence once.",
        "Found the old address book; four of the streets I could still walk blindfolded.",
        "A letter came back from Ines, with a pressed leaf in it.",
        "Told Ruth what I had only ever thought about her.",
        "Half a page; finding a stamp was the hardest part.",
        "Read last year's letter before answering it. We were both more worried then.",
        "Asked one real question instead of five polite ones.",
      ],
      blooms: ["It stays at “we really should”", "A letter leaves most weeks", "Someone waits for the next one"]),
    Saga(
      branch: 3, twig: 6, leaf: "The balcony",
      stages: [
        Stage("Keep the lemon tree alive", .threeMonths), Stage("Tomatoes from seed", .threeMonths, .firm),
        Stage("Repot everything that needs it", .twoWeeks), Stage("Something in flower every month", .oneYear),
      ],
      entries: [
        "The thyme has taken; the basil is still thinking about it.",
        "Turned every pot by a quarter. They had all been leaning towards the street.",
        "Found the first new leaf, so small that I showed it to nobody.",
        "Watered in the evening and stayed out there until it was dark.",
        "Cut the chives and they were back to the same height by the weekend.",
        "Lost one to the wind. The others stand closer together now.",
        "Soil under my nails all through the meeting.",
      ],
      blooms: ["Dry pots by July", "Enough for the kitchen", "Neighbours take cuttings"]),
    Saga(
      branch: 0, twig: 6, leaf: "Sleep",
      stages: [
        Stage("Lights out before eleven", .twoWeeks), Stage("A bedroom without screens", .oneMonth),
        Stage("Wake at the same time on Sundays", .oneMonth, .firm), Stage("Find out what wakes me at four", .oneMonth),
      ],
      entries: [
        "The phone slept in the kitchen and nothing happened to either of us.",
        "Read eleven pages and forgot the last three, as intended.",
        "Awake at four, but only as long as it takes to hear the first tram.",
        "In bed on time, with the window open and the street for company.",
        "Dreamt of the old flat. It had one more room than it used to.",
        "Too late again, and for nothing I can remember.",
      ]),
    Saga(
      branch: 0, twig: 1, leaf: "Pulling my own weight",
      stages: [
        Stage("Hang from the bar every day", .twoWeeks), Stage("Carry the shopping up four floors", .oneMonth),
        Stage("One honest pull-up", .threeMonths, .firm), Stage("Five honest pull-ups", .threeMonths, .barren),
      ],
      entries: [
        "Hung there for forty seconds and studied the ceiling.",
        "Halfway up, which is further than half.",
        "My grip gives out first, then my good intentions.",
        "Both bags in one go, all four floors, and the key still in my right hand.",
        "Sore in a place I had no name for.",
        "Strength is made on the way down, so: down slowly, eight times.",
      ]),
    Saga(
      branch: 0, twig: 5, leaf: "The kitchen table",
      stages: [
        Stage("A month without sugar", .oneMonth, .firm), Stage("Bread every Saturday", .threeMonths),
        Stage("Cook the whole of one cookbook chapter", .threeMonths, .firm), Stage("Eat sitting down", .twoWeeks),
      ],
      entries: [
        "The dough was alive this time; it pushed the cloth up by itself.",
        "Lentils, and nobody at the table missed anything.",
        "Black coffee is a different drink, and not a worse one.",
        "Ate slowly enough to notice when I was full.",
        "Burnt the onions and started over; the second batch made the dish.",
        "Leftovers with an egg on top: the best meal of the week.",
      ]),
    Saga(
      branch: 1, twig: 0, leaf: "The long novels",
      stages: [
        Stage("Twenty pages before the news", .oneMonth), Stage("Middlemarch, all of it", .threeMonths, .firm),
        Stage("Read a book I would never buy", .twoWeeks), Stage("Read aloud once a week", .oneMonth),
        Stage("The Magic Mountain, at its own pace", .sixMonths, .firm),
      ],
      entries: [
        "Thirty pages. Dorothea is making a mistake and I would have made it too.",
        "One sentence so good that I read it to the empty room.",
        "Left the phone in the hall, and the chapter was suddenly short.",
        "Did not understand the middle part. Read on all the same.",
        "Copied out a paragraph by hand to see how it was built.",
        "Finished the chapter standing in the kitchen.",
        "Read on the train and went one stop too far.",
      ],
      blooms: ["A bookmark that does not move", "A few pages most evenings", "I miss the people in it"]),
    Saga(
      branch: 1, twig: 7, leaf: "Portuguese",
      stages: [
        Stage("A hundred words of Portuguese", .twoWeeks), Stage("Order a coffee without English", .oneMonth),
        Stage("Read a children's book in Portuguese", .threeMonths, .firm),
        Stage("Ten minutes with Luísa every week", .threeMonths),
      ],
      entries: [
        "Fifteen new words, and “saudade” was not one of them.",
        "Understood a whole joke on the radio, half a second too late.",
        "The nasal vowels make me laugh, which may be the right way to make them.",
        "Luísa corrected the same ending four times with unbroken patience.",
        "Thought the shopping list in Portuguese. Bought the wrong beans.",
        "Read one page aloud and only looked up what I could not guess.",
      ]),
    Saga(
      branch: 1, twig: 1, leaf: "Morning pages",
      stages: [
        Stage("One page every morning", .oneMonth), Stage("Write down what my grandmother told me", .threeMonths),
        Stage("Finish the story about the ferry", .oneMonth, .firm), Stage("Three drafts, no more", .twoWeeks),
      ],
      entries: [
        "A page about the noise of the heating. Better than it sounds.",
        "Crossed out the first paragraph and the second one turned out to be the beginning.",
        "Grandmother's sentence about the potato winter, word for word.",
        "Nothing to say, and it took a page to say so.",
        "The ferry captain has a name now. He had been waiting for it.",
        "Wrote by hand; the mistakes look more like mine.",
      ]),
    Saga(
      branch: 1, twig: 3, leaf: "One thing at a time",
      stages: [
        Stage("An hour without a screen each day", .twoWeeks), Stage("Email twice a day, no more", .oneMonth, .firm),
        Stage("Two deep hours before lunch", .threeMonths, .firm),
      ],
      entries: [
        "Fifty minutes on one page. I wanted to look something up nine times; I counted.",
        "Closed everything except the one window, and it was almost embarrassing how fast it went.",
        "Interrupted twice, once by someone else.",
        "The two hours became one and a half, but without a break.",
        "Let the phone ring in another room. It stopped.",
      ]),
    Saga(
      branch: 2, twig: 4, leaf: "Listening",
      stages: [
        Stage("One record a week, start to end", .oneMonth), Stage("All the late quartets", .threeMonths),
        Stage("Go to four concerts alone", .sixMonths),
      ],
      entries: [
        "Side two only, lying on the floor.",
        "The slow movement again. The viola had been saying it all along.",
        "A small hall, eleven people, and the pianist played as if for one.",
        "Heard it for the first time without doing anything else.",
        "Did not like it, and stayed to find out why.",
      ]),
    Saga(
      branch: 2, twig: 1, leaf: "Songs for the children",
      stages: [
        Stage("Four chords and a melody", .twoWeeks), Stage("A song for Mila's birthday", .oneMonth),
        Stage("Three songs that rhyme badly", .threeMonths),
      ],
      entries: [
        "The second verse fell into place on the stairs.",
        "Mila sang it back with other words. Hers are better.",
        "Too many chords; took two away and it began to move.",
        "Hummed it into the phone so as not to lose it.",
        "The rhyme with “giraffe” is still missing.",
      ]),
    Saga(
      branch: 3, twig: 1, leaf: "The workbench",
      stages: [
        Stage("A box with straight corners", .oneMonth), Stage("Cut dovetails that close", .threeMonths, .firm),
        Stage("A stool from the old beech", .threeMonths, .firm), Stage("A bench for the hallway", .sixMonths, .barren),
      ],
      entries: [
        "Sawed to the line and not over it, four times out of six.",
        "The joint closed with a sound like a full stop.",
        "Sharpened for half an hour; after that the wood was a different wood.",
        "Measured twice and still cut the wrong side of the mark.",
        "Oiled the first side and the grain came up like a map.",
        "Swept the floor, put every tool back, and called that the work.",
        "One corner gapes. I know exactly why.",
      ],
      blooms: [
        "A pile of good intentions and sawdust", "It stands, with a folded paper under it",
        "I would give it away with pride",
      ]),
    Saga(
      branch: 3, twig: 3, leaf: "Mending",
      stages: [
        Stage("Mend everything in the basket", .twoWeeks), Stage("Bring the old bicycle back", .oneMonth, .firm),
        Stage("Learn to darn so that it shows", .oneMonth),
      ],
      entries: [
        "The drawer slides again. It only needed a little soap.",
        "Took the hub apart and laid the pieces out in the order they came out.",
        "A red patch on the blue elbow, on purpose.",
        "Nine bearings, and the tenth under the cupboard.",
        "The lamp works. It was the switch, and it is always the switch.",
      ]),
    Saga(
      branch: 4, twig: 0, leaf: "The flat",
      stages: [
        Stage("One drawer a day", .twoWeeks), Stage("Paint the hallway", .oneMonth, .firm),
        Stage("A table that seats six", .threeMonths), Stage("Give away a hundred things", .threeMonths),
      ],
      entries: [
        "Found three tin openers and no reason.",
        "The first coat dried the colour of weak tea. The second will know better.",
        "Carried two boxes down and did not look inside again.",
        "The kitchen window is so clean that it looks open.",
        "Moved the lamp a metre and the whole room changed.",
      ]),
    Saga(
      branch: 4, twig: 2, leaf: "Evenings with Mila",
      stages: [
        Stage("Read to Mila every Wednesday", .threeMonths),
        Stage("Build the tree house with her", .threeMonths, .firm),
        Stage("One afternoon a week without plans", .oneMonth),
      ],
      entries: [
        "She explained the moon to me, and I let her.",
        "We read the same chapter twice because the wolf has to come twice.",
        "An hour on the floor with the marbles. My knees were there too.",
        "She asked why I had been sad on Monday. I had not known that it showed.",
        "Two planks up. She held the spirit level like a chalice.",
        "She fell asleep before the end and I read on for myself.",
      ],
      blooms: [
        "I am there but look at the clock", "She asks when it is Wednesday", "Neither of us wants to be anywhere else",
      ]),
    Saga(
      branch: 4, twig: 4, leaf: "Saying things",
      stages: [
        Stage("Mention small annoyances right away", .twoWeeks),
        Stage("Talk to my brother about the house", .oneMonth, .barren),
        Stage("Ask before advising", .oneMonth, .firm),
      ],
      entries: [
        "Said it the same day, when it was still much smaller than on the third.",
        "Bit back two pieces of advice. The story went on and became a different one.",
        "My brother was silent for a while and then told me about the cellar.",
        "Asked “do you want an answer?” and the answer was no.",
        "Too sharp at first; went back and said it again.",
      ]),
    Saga(
      branch: 4, twig: 7, leaf: "Small joys",
      stages: [
        Stage("Dance in the kitchen", .twoWeeks), Stage("Swim in every lake around here", .threeMonths),
        Stage("Something silly every weekend", .oneMonth),
      ],
      entries: [
        "Four songs, socks, no witnesses.",
        "The lake was so cold that we swore in three languages.",
        "Bought the kite. It flies upside down just as well.",
        "Laughed until the people at the next table moved nearer.",
        "An ice cream for no reason, in a cone, walking.",
      ]),
    Saga(
      branch: 5, twig: 7, leaf: "Sitting",
      stages: [
        Stage("Five minutes of sitting still", .twoWeeks), Stage("Ten breaths before every meal", .oneMonth),
        Stage("Sit twenty minutes a day", .threeMonths, .firm), Stage("A silent Sunday each month", .sixMonths, .firm),
      ],
      entries: [
        "Mostly plans, and between the plans two breaths.",
        "The neighbour's piano came through the wall and was part of it.",
        "Sat badly and got up better.",
        "Seven minutes in, the shoulders let go by themselves.",
        "Counted to ten once without arriving at fourteen.",
        "Noticed that I was waiting for it to be over, and what that was like.",
      ],
      blooms: ["The cushion gathers dust", "Most mornings, however short", "The quiet stays with me through the day"]),
    Saga(
      branch: 5, twig: 1, leaf: "The woods behind the station",
      stages: [
        Stage("Learn ten birds by their song", .oneMonth), Stage("The same walk every month", .oneYear),
        Stage("A night outside", .oneMonth, .firm), Stage("Name every tree on my street", .twoWeeks),
      ],
      entries: [
        "The robin, the wren, and one I shall call the squeaking gate.",
        "The big beech has a new scar, as long as my arm.",
        "Stood still until the wood forgot me.",
        "Two deer at the edge of the clearing, as if they had an appointment.",
        "Learnt to tell hornbeam from beech with my eyes shut: the bark has muscles.",
        "Came home with wet feet and a feather.",
      ]),
    Saga(
      branch: 5, twig: 6, leaf: "Doing without",
      stages: [
        Stage("Two weeks without the news", .twoWeeks), Stage("No wine on weekdays", .oneMonth),
        Stage("Buy nothing but food", .oneMonth, .firm),
      ],
      entries: [
        "The urge lasted as long as the kettle takes to boil.",
        "Whatever happened today happened without me, and well.",
        "Left the shop with empty hands and a light step.",
        "Sparkling water in the good glass. It is about the glass, it seems.",
        "Gave in once, wrote it down, went on.",
      ]),
    Saga(
      branch: 6, twig: 6, leaf: "The repair café",
      stages: [
        Stage("Help out at the repair café once", .twoWeeks),
        Stage("Every second Saturday at the repair café", .threeMonths),
        Stage("Teach someone to solder", .oneMonth, .firm),
      ],
      entries: [
        "A radio from 1962 said good evening to its owner.",
        "Could not save the toaster. We gave it a decent funeral.",
        "The man with the clock came back to show that it still runs.",
        "Ayla soldered her first joint and would not let anyone touch it.",
        "Made coffee for eleven and fixed nothing. That was needed too.",
      ]),
    Saga(
      branch: 6, twig: 2, leaf: "The long table",
      stages: [
        Stage("Have the neighbours in for soup", .twoWeeks), Stage("A dinner every month", .sixMonths),
        Stage("Introduce two people who should meet", .oneMonth),
      ],
      entries: [
        "Seven around a table for five; nobody noticed until the salt had to travel.",
        "The woman from the third floor brought plums, and a story about the house.",
        "Introduced Tom to Hanne. They talked about bees until midnight.",
        "Wrote the invitations by hand, and four answered at once.",
        "The soup was too thin, the evening was not.",
      ]),
    Saga(
      branch: 7, twig: 0, leaf: "The workshop day",
      stages: [
        Stage("Prepare the April workshop", .oneMonth, .firm), Stage("Leave at five on Thursdays", .oneMonth),
        Stage("Hand the archive over to Nadia", .threeMonths, .firm),
      ],
      entries: [
        "The second part of the day stands; the first still leans on it.",
        "Said no to a meeting and gave the hour to the outline.",
        "Nadia asked the question I had been avoiding for a year.",
        "Five past five on the stairs. It counts.",
        "Threw out half the slides and could suddenly hear the talk.",
        "Labelled forty folders. Found the drawing we had been looking for since spring.",
      ]),
    Saga(
      branch: 7, twig: 4, leaf: "Money in order",
      stages: [
        Stage("Write down every expense", .oneMonth), Stage("Six months of savings", .sixMonths, .firm),
        Stage("File the taxes before May", .twoWeeks, .firm), Stage("Cancel what I do not use", .twoWeeks),
      ],
      entries: [
        "Eleven entries, nine of them coffee.",
        "Cancelled two things that I had forgotten I was paying for.",
        "The number is smaller than feared and larger than hoped.",
        "One folder, one evening, done; the dread took longer than the work.",
        "Moved the savings before I could spend them.",
      ]),
    Saga(
      branch: 7, twig: 6, leaf: "A year with room in it",
      stages: [
        Stage("Plan the week on Sunday evening", .oneMonth), Stage("Keep one evening a week empty", .threeMonths),
        Stage("Write the ten-year letter", .twoWeeks),
      ],
      entries: [
        "Three things on the list instead of nine; two got done.",
        "The empty evening stayed empty, though it was wanted twice.",
        "Moved the heavy task to Tuesday, when I am awake.",
        "Looked back over the week before looking forward. It had been kinder than I thought.",
        "Crossed out a whole month of maybe.",
      ]),
    Saga(
      branch: 7, twig: 1, leaf: "Drawing",
      stages: [
        Stage("A drawing a day, however small", .oneMonth), Stage("Hands, fifty of them", .threeMonths, .firm),
        Stage("Draw people on the tram", .oneMonth, .firm),
      ],
      entries: [
        "Drew the kettle for the sixth time; it is beginning to look back.",
        "A man with a cello case, three lines, and the tram was there.",
        "Looked more than I drew, which is the whole trick.",
        "The thumb is too long. It looks like my father's.",
        "Filled the page so as not to be able to ruin it.",
      ]),
  ]

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

  /// Weekly reflections, by branch.
  static let reflections: [[String]] = [
    [
      """
      I treat my body like a good tool that someone lent me: I notice it when it fails. This week it carried \
      me up the hill without being asked, and I did not say thank you.
      """,
      "The mornings decide. When I move before I read anything, the whole day stands more upright.",
      "I used to think strength was what you show. Lately it is what is left over at eight in the evening.",
      "My back has become a fairly honest adviser. It complains about the chair, and it means the meetings.",
      "Ate well, slept badly, walked a lot. The walking seems to have paid for the rest.",
    ],
    [
      "I read less than I say and more than I think. The good hour is the one before the house wakes up.",
      "There is a kind of tired that comes from thinking one thing for a long time, and it is a clean tired.",
      "What I learnt this week fits on a stamp, but I learnt it by making the mistake myself.",
      "I notice how quickly I look things up that I could have wondered about for an afternoon.",
      "A conversation with Ruth changed my mind, and I could watch it happen.",
    ],
    [
      "For years I only wanted to be able to play. Now I like the practising, the scratch before the note.",
      "Nobody needs this song. That is what is so restful about it.",
      "I took in a great deal and let very little of it touch me. One film, two days later, is still here.",
      "I keep waiting until it is good enough to show. Who would be harmed if I stopped waiting?",
      "The old recordings of myself: less embarrassing than feared. Someone there was trying hard.",
    ],
    [
      "My hands knew the joint this week, without the drawing. I stood beside them like a guest.",
      "The workshop is the only room where I do not argue with anyone, not even with myself.",
      "Mending takes longer than buying and leaves more behind.",
      "The balcony teaches the same lesson every year and I am glad to hear it: not all at once.",
      "I bought a tool instead of using the one I have. It lies there and knows.",
    ],
    [
      "We laughed on the stairs, about nothing. If I could choose one minute of the week it would be that one.",
      "I was in the room for most of it, and really there for about half.",
      "Home is less the flat than the order in which the lights go on.",
      "I wanted to be right, and was, and it was of no use to anyone.",
      "Mila holds my sleeve and not my hand when she is unsure. I would not have seen it two years ago.",
    ],
    [
      "An hour in the wood put more in order than the whole list did.",
      "I noticed that I only rest when I have earned it. Who keeps those books?",
      "The quiet was not empty. There was a tap in it, a tram, and a great deal of me.",
      "Three evenings without a screen, and time was suddenly as wide as in childhood holidays.",
      "I looked at the same tree every day. On Thursday it had decided.",
    ],
    [
      "I thought I was helping out, and came home having been helped.",
      "There are people I think of every week who do not know it. Two of them know now.",
      "The neighbours have become names, and the names have become knocking at the door.",
      "It is easier for me to give than to ask. This week I asked for the ladder, and for an hour of listening.",
      "Tradition turns out to be someone who remembers to buy the candles.",
    ],
    [
      "Work took what I gave it and asked for seconds. On Thursday I said that the kitchen was closed.",
      "Money was a kind of weather I lived in. Now that I write it down, it is only a number.",
      "I plan as if I were three people, and then blame the one who turns up.",
      "Nadia does it differently from me, and it is better. I am learning to see that as good news.",
      "If I am honest, the thing I call urgent is mostly the thing that is loud.",
    ],
  ]

  /// Sentences that can follow a reflection.
  static let afterthoughts: [String] = [
    "I would like to keep that for the winter.", "Next week: less of it, but properly.", "I have not told anyone yet.",
    "It is good to have it in words.", "That is a beginning.",
    "I wonder what I will think of this in a year.", "There is no need to do anything about it.",
    "It surprised me to see it written here.",
  ]

  /// Reflections on a harvest, by result 1…5.
  static let harvests: [[String]] = [
    [
      "It was someone else's wish. Good to know, and good to put down.", "Life came in between, all of it at once.",
      "I began too large. The next one will fit in a pocket.",
    ],
    [
      "Less than I hoped, more than if I had not planted it.",
      "The first weeks were good; then the evenings went elsewhere.",
      "I know now what stood in the way: it was mostly Tuesday.", "Half done, and the half is real.",
    ],
    [
      "Not what I had pictured, but it is alive.", "Somewhere in the middle it stopped being a plan and became mine.",
      "It needs another season, and I want to give it one.", "Fewer times than I wanted, and each of them counted.",
      "I can do it. Not well, but without fear.",
    ],
    [
      "It has become a part of the week, like the market.", "Nearly all of it. What is missing does not hurt.",
      "I would not have believed it when I began.", "Better than planned, in a place where I had not looked.",
      "The best of it was the ordinary days.", "Someone noticed. I had not told anyone.",
    ],
    [
      "It went by itself in the end, and I came along.", "I want to remember how small this was when it began.",
      "Everything I hoped, and then a little that I could not have known to hope.",
      "I have become someone who does this. That is all I wanted.",
    ],
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
