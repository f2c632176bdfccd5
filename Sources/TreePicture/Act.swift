import Glibc

/// What a person has just done, as a short movement of their own tree. Times are milliseconds since the entry was
/// written.
public enum Act: CaseIterable, Sendable {
  case planting, watering
  /// The day's last watering, after which no drop can fall.
  case dayEnd
  case sun, harvest, uprooting

  /// When the picture and the words stand still: what is shown then is the new state of the tree.
  public var end: Double {
    switch self {
    case .planting: 1200
    case .watering: 700
    case .dayEnd: 1400
    case .sun: 1300
    case .harvest: 1400
    case .uprooting: 900
    }
  }

  /// How visible the person's own words are at a time, 0…1. The words of a watering stay where they were written.
  public func words(at time: Double) -> Double { self == .watering ? 1 : Ease.smooth(time, from: end - 200, to: end) }
}

/// The positions of the marks of an act at one time. Without an argument, those of the still picture.
struct Pose: Equatable {
  /// How far a twig that was bare has grown to the length of one with a life, 0…1.
  var growth = 1.0
  /// How far the other leaflets have moved to make room, 0…1.
  var settling = 1.0

  /// The place of the seed: 0…1 along the limb, 1…2 along the twig.
  var seed: Double?
  /// The size of the bud in which the seed is.
  var bud = 0.0
  /// How far a new shoot has come out of its bud, 0…1.
  var opening = 1.0

  /// The place of the drop: 0…1 up to the shoot, 1…2 along it.
  var drop: Double?
  /// How far the ring has spread that the drop leaves, 0…1.
  var ripple: Double?
  /// The size of the newest small leaf; more than 1 for a moment.
  var newLeaf = 1.0

  /// The light of the sun, 0…1, and how far down it reaches, 0…1.
  var light = 0.0
  var reach = 1.0
  /// The size of the newest lobe of lichen, and how golden the bud of a bare twig is, 0…1.
  var lichen = 1.0
  var gold = 1.0

  /// The milliseconds since the petals of a flower, or the leaves of an uprooted shoot, began to fall.
  var falling: Double?
  /// How far the small leaves have folded to their stem, 0…1.
  var folding = 1.0
  /// The width of the leaflet that comes out of them; more than 1 for a moment.
  var unfolding = 1.0
  /// How far it has taken its own colour, 0…1.
  var colouring = 1.0

  /// What is left of the stem of an uprooted shoot, 0…1.
  var stem = 0.0
  /// The sizes of the mark that it leaves and of the berry of a kept idea.
  var scar = 1.0
  var berry = 1.0

  init() {}

  init(_ act: Act, at time: Double) {
    guard time < act.end else { return }
    switch act {
    case .planting:
      if time < 470 { seed = Ease.inOut(time, from: -80, to: 330) + Ease.inOut(time, from: 280, to: 470) }
      growth = Ease.inOut(time, from: 150, to: 760)
      settling = Ease.inOut(time, from: 0, to: 500)
      bud = Ease.spring(time, from: 430, to: 720) * (1 - Ease.inOut(time, from: 760, to: 980))
      opening = Ease.spring(time, from: 720, to: 1200)
    case .watering, .dayEnd:
      // The last watering of a day plays the same, faster.
      let time = act == .dayEnd ? time * 7 / 4 : time
      guard time < Act.watering.end else { break }
      if time < 440 { drop = Ease.out(time, from: 0, to: 150) + Ease.inOut(time, from: 130, to: 400) }
      if time > 380, time < 660 { ripple = Ease.out(time, from: 380, to: 660) }
      newLeaf = Ease.spring(time, from: 380, to: 700)
    case .sun:
      reach = Ease.out(time, from: 0, to: 300) * (1 - 0.95 * Ease.inOut(time, from: 760, to: 1300))
      light = Ease.smooth(time, from: 0, to: 200) * (1 - Ease.smooth(time, from: 900, to: 1300))
      growth = Ease.inOut(time, from: 300, to: 900)
      lichen = Ease.spring(time, from: 340, to: 800)
      gold = Ease.smooth(time, from: 420, to: 900)
    case .harvest:
      falling = time
      folding = Ease.inOut(time, from: 120, to: 460)
      settling = Ease.inOut(time, from: 380, to: 900)
      unfolding = Ease.spring(time, from: 400, to: 900)
      colouring = Ease.smooth(time, from: 880, to: 1400)
    case .uprooting:
      falling = time
      stem = 1 - Ease.inOut(time, from: 300, to: 660)
      settling = Ease.inOut(time, from: 350, to: 700)
      scar = Ease.spring(time, from: 420, to: 700)
      berry = Ease.spring(time, from: 660, to: 900)
    }
  }
}

/// Movements that begin and end gently. Each returns 0 before and 1 after a span of time.
enum Ease {
  private static func share(_ time: Double, _ from: Double, _ to: Double) -> Double {
    min(max((time - from) / (to - from), 0), 1)
  }

  /// As slow at the end as at the beginning.
  static func smooth(_ time: Double, from: Double, to: Double) -> Double {
    let share = share(time, from, to)
    return share * share * (3 - 2 * share)
  }

  /// The same, with more of the way in the middle.
  static func inOut(_ time: Double, from: Double, to: Double) -> Double {
    let share = share(time, from, to)
    return share * share * share * (share * (share * 6 - 15) + 10)
  }

  /// Fast at first.
  static func out(_ time: Double, from: Double, to: Double) -> Double { 1 - pow(1 - share(time, from, to), 3) }

  /// Goes a twentieth too far before it rests, as what unfolds does.
  static func spring(_ time: Double, from: Double, to: Double) -> Double {
    let rest = 1 - share(time, from, to)
    let tension = 1.1
    return 1 - rest * rest * ((tension + 1) * rest - tension)
  }
}
