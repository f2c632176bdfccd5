extension DemoTexts {
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
        "Played it through alone, with all the mistakes left in.",
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
        "Found the first new leaf, so small that I kept it to myself.",
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
        "Lentils, and we missed nothing.",
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
        "Seven around a table for five. We noticed only when the salt had to travel.",
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
}
