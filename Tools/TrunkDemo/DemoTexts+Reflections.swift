extension DemoTexts {
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
      "This song has no purpose. That is what is so restful about it.",
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
}
