import CGtk

/// Tells the letters that are commands from those of a sentence that is typed where there is no field.
struct LetterPause {
  /// How soon after a letter the next one makes it part of a sentence, in milliseconds.
  static let length: guint32 = 250

  /// The time of the last key of a sentence.
  private var last: guint32?
  /// The number of keys that followed each other so closely.
  private(set) var count = 0

  /// Whether the latest letter may be a command.
  var isAlone: Bool { count == 1 }

  /// - Parameter time: of the key event, in milliseconds, which may overflow.
  /// - Returns: whether the key is part of a sentence.
  mutating func press(_ character: Character, at time: guint32) -> Bool {
    let follows = last.map { time &- $0 < LetterPause.length } ?? false
    // Digits and signs are commands at once, except within a sentence.
    guard follows || character.isLetter else {
      end()
      return false
    }
    last = time
    count = follows ? count + 1 : 1
    return follows
  }

  /// Call it when something else was pressed.
  mutating func end() { (last, count) = (nil, 0) }
}

@MainActor extension Widget {
  /// Lets a letter be a command of this window only if no other key follows it at once.
  /// - Parameter onSentence: called once for each sentence that is typed although no field has the focus, with its
  ///   beginning. It returns what takes the rest, as far as that is still typed here, and says whether it does.
  public func pauseLetters(onSentence: @escaping @MainActor (String) -> (@MainActor (String) -> Bool)?) {
    let commands = LetterCommands()
    keeps(commands)
    g_object_set_data(cast(), LetterCommands.key, Unmanaged.passUnretained(commands).toOpaque())
    let controller = addKeyController(capture: true)
    controller.onKeySignal("key-pressed") { value, held in
      let press = KeyPress(value, held, gtk_event_controller_get_current_event(controller.cast()))
      // A Shift within a sentence doesn't end it. Where digits need Shift, their keys type letters.
      let digit = press.characters.first(where: \.isNumber)
      // A letter and a digit choose a limb and its twig.
      if press.key.isMove || digit != nil && commands.pause.count < 2 {
        commands.runPending()
        commands.pause.end()
        return false
      }
      guard let character = press.key == .space ? " " : digit ?? press.characters.first else { return false }
      guard press.modifiers.isDisjoint(with: [.control, .alt]), focusedWidget?.takesLetters != true else {
        commands.pause.end()
        return false
      }
      let time = gtk_event_controller_get_current_event_time(controller.cast())
      let isSentence = commands.pause.press(character, at: time)
      if isSentence { commands.pending = nil }
      if let takeRest = commands.add(press.typed, at: time) {
        if takeRest(press.typed) { return true }
        commands.takeRest = nil
      }
      if commands.pause.count == LetterCommands.sentence { commands.takeRest = onSentence(commands.text) }
      // Letters that aren't commands, such as the first ones of names, may follow each other.
      return commands.takeRest != nil || isSentence && !character.isLetter
    }
  }

  /// Runs the command of the letter that was just pressed, unless it is a part of a sentence. Call it in the handler of
  /// the key. In a window without `pauseLetters`, runs it at once.
  public func runLetter(_ command: @escaping @MainActor () -> Void) {
    guard let window = gtk_widget_get_root(self), let data = g_object_get_data(window.cast(), LetterCommands.key) else {
      return command()
    }
    let commands = Unmanaged<LetterCommands>.fromOpaque(data).takeUnretainedValue()
    guard commands.pause.isAlone else { return }
    commands.wait(toRun: command, in: WeakReference(window))
  }
}

/// The command of a letter that waits for the next key.
@MainActor private final class LetterCommands {
  nonisolated static let key = "trunk-letters"
  /// From this number of keys on, what is typed is a sentence.
  static let sentence = 3

  var pause = LetterPause()
  /// What was typed so far without a pause.
  private(set) var text = ""
  var takeRest: (@MainActor (String) -> Bool)?
  var pending: Timeout?
  private var run: () -> Void = {}

  /// A digit or a sign, with which a sentence may begin, and its time.
  private var lead: (text: String, time: guint32)?

  /// Adds what a key has typed.
  /// - Returns: what takes it, if the sentence has a place.
  func add(_ letters: String, at time: guint32) -> (@MainActor (String) -> Bool)? {
    if pause.count <= 1 {
      let isBegun = lead.map { time &- $0.time < LetterPause.length } ?? false
      (text, takeRest) = (isBegun ? lead?.text ?? "" : "", nil)
    }
    text += letters
    lead = pause.count == 0 ? (text, time) : nil
    return takeRest
  }

  func wait(toRun command: @escaping @MainActor () -> Void, in window: WeakReference) {
    run = {
      if let window = window.widget, window.isMapped, window.openDialog == nil { command() }
    }
    pending = Timeout.after(milliseconds: Int(LetterPause.length)) { [weak self] in
      guard let timeout = self?.pending else { return }
      Task { [weak self] in
        // Keys that were pressed in time, but not handled yet, come first.
        await Timeout.untilIdle()
        if let self, pending === timeout { runPending() }
      }
    }
  }

  /// Runs the command that waits: the next key is about what it shows.
  func runPending() {
    guard pending != nil else { return }
    pending = nil
    run()
  }
}
