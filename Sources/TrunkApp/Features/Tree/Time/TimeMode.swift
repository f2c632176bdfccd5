import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel
import TrunkPrint

/// The tree through time: the picture of the whole tree with a strip below it that moves through its days, and beside
/// it or below the words of the day.
final class TimeMode {
  let widget: Widget
  /// Whether the tree of a day is shown that the strip chooses.
  private(set) var isOpen = false
  /// Whether the picture shows the day of the strip.
  var isPainted: Bool { canvas.past != nil && canvas.pastPainter.painted?.order.tree == canvas.past }

  private let context: WindowContext
  private let canvas: TreeCanvas
  let strip: TimeStrip
  private let words, shortWords: DayWords
  private let button = iconButton("trunk-time-symbolic", name: trc("tree", "Time")) {}
  /// The day and the age of the tree: over the picture, in a narrow window above it, or above the words beside it.
  private let heading = Heading(), headingAbove = Heading(), headingBeside = Heading()
  /// What passes while time plays, in the place of the words of a day.
  private let passing = paragraph("", "passing-words")
  private let passingBeside = bin(), passingBelow = bin()
  private let passingKept: Reference
  private let playIcon = icon("media-playback-start-symbolic", size: 20)
  private let playButton: Widget
  private let todayButton = GtkKit.button(tr("Back to Today")) {}
  private let wordsCheck = checkBox(tr("With my words"))
  private let film: FilmAction
  /// What is chosen for playing, beside the tree or below it.
  private let options = line(spacing: 12)
  private let optionsKept: Reference
  private let optionsBeside = bin(), optionsBelow = bin()
  private let beside: Widget
  private let below: Widget
  private let panel: Widget
  private var isWide = false, isNarrow = false
  /// Made when the mode opens, and again when the log changes; `nil` until it is made.
  private var past: Past?
  private lazy var loader = Loader(context, for: widget)
  /// What waits for the past.
  private var next: (() -> Void)?
  private var playing: (animation: Animation, play: LifePlay)?
  /// 150 ms after the last step, what a moving picture leaves out is shown.
  private var rest: Timeout?
  private var year: Int32?

  /// In milliseconds.
  private static let slideTime = 200, restTime = 150
  /// While the picture moves, the colours of the seasons change every four days.
  private static let colorDays: Int32 = 4
  /// How long words stay while time plays, in seconds.
  private static let wordsTime = 2.5

  init(_ context: WindowContext, _ canvas: TreeCanvas) {
    (self.context, self.canvas) = (context, canvas)
    strip = TimeStrip(context)
    film = FilmAction(context)
    playButton = contentButton(playIcon).css("circular", "time-play").valign(.center)
    (words, shortWords) = (DayWords(context, isShort: false), DayWords(context, isShort: true))
    heading.widget.halign(.start).valign(.start).margin(top: 10, start: 18, end: 18).targetable(false)
    headingAbove.widget.css("above").margin(top: 6, start: 18, end: 18)
    wordsCheck.isChecked = true
    passing.valign(.start).targetable(false)
    passingKept = Reference(retaining: passing)
    button.halign(.end).valign(.start).margin(12)
    let tree = overlay(canvas.widget.hexpand().vexpand(), button, heading.widget)
    optionsKept = Reference(retaining: options)
    // The words of another day have another height, and must not move the options.
    beside = column(
      overlay(
        scrolled(column(spacing: 14, headingBeside.widget.css("medium"), words.widget).margin(18)),
        passingBeside.margin(18).targetable(false)
      ).vexpand(),
      optionsBeside.margin(top: 6, bottom: 14, start: 18, end: 18)
    ).size(width: 396).hexpand(false)
    below = column(spacing: 4, overlay(shortWords.widget, passingBelow.targetable(false)), optionsBelow).margin(
      bottom: 10, start: 18, end: 18)
    options.append(wordsCheck.hexpand(), film.widget)
    let controls = line(
      spacing: 14, playButton, strip.widget, todayButton.valign(.center)
    ).margin(start: 18, end: 18)
    panel = revealer(column(controls, below).css("time-panel"), milliseconds: TimeMode.slideTime)
    widget = column(headingAbove.widget, line(tree, beside), panel)
    tree.onClick { [weak self] _, _, _ in self?.stop() }
    connect()
    present()
    widget.keeps(self)
    context.followShown(widget) { [weak self] in self?.render() }
  }

  private func connect() {
    button.on("clicked") { [weak self] in self?.open() }
    canvas.onBranch = { [weak self] in self?.presentButton() }
    strip.onMove = { [weak self] day, isMoving in
      guard let self else { return }
      stop()
      // Of a key that is held, only the last step is exact.
      show(day, isMoving: isMoving || rest?.isPending == true)
    }
    words.onDay = { [weak self] in self?.strip.move(to: $0) }
    shortWords.onDay = { [weak self] in self?.strip.move(to: $0) }
    strip.widget.onKey { [weak self] in self?.take($0) ?? false }
    playButton.on("clicked") { [weak self] in self?.play() }
    todayButton.on("clicked") { [weak self] in self?.leave() }
    widget.onKey { [weak self] press in
      guard let self, isOpen, press.modifiers.isEmpty else { return false }
      if press.characters.contains("t") {
        widget.runLetter { [weak self] in self?.leave() }
        return true
      }
      guard press.key == .escape else { return false }
      leave()
      return true
    }
    widget.on("unmap") { [weak self] in self?.stop() }
  }

  /// Whether the tree had a day before today.
  static func hasPast(_ context: WindowContext) -> Bool {
    Life.firstDay(of: context.model.garden).map { $0 < context.today } ?? false
  }

  func focus() { strip.widget.focus() }

  /// Opens the strip on today, unless this is the first day.
  func open() {
    guard !isOpen, canvas.branch == nil, TimeMode.hasPast(context) else { return }
    isOpen = true
    canvas.hover(nil)
    canvas.choose(nil)
    present()
    strip.show(context.today, nil, isMoving: false)
    load()
    focus()
  }

  /// Shows today without the strip.
  func close() {
    guard isOpen else { return }
    stop()
    isOpen = false
    (past, next, rest, canvas.past, context.foot.pointed) = (nil, nil, nil, nil, nil)
    present()
  }

  /// - Parameter isWide: whether there is room for the words beside the tree.
  func fit(isWide: Bool, isNarrow: Bool) {
    let isChanged = isWide != self.isWide
    (self.isWide, self.isNarrow) = (isWide, isNarrow)
    (isWide ? optionsBelow : optionsBeside).setChild(nil)
    (isWide ? optionsBeside : optionsBelow).setChild(options)
    (isWide ? passingBelow : passingBeside).setChild(nil)
    (isWide ? passingBeside : passingBelow).setChild(passing)
    options.visible(!isNarrow)
    strip.widget.size(height: isNarrow ? TimeStrip.narrowHeight : TimeStrip.height)
    todayButton.visible(!isNarrow)
    present()
    if isChanged, isOpen, playing == nil { show(strip.day) }
  }

  private func leave() {
    close()
    canvas.focus()
  }
}

// MARK: - Days

extension TimeMode {
  private func render() {
    if isOpen, !TimeMode.hasPast(context) { close() }
    presentButton()
    if isOpen { load() }
  }

  /// Makes the past on another thread, then shows the day of the strip.
  private func load() {
    let (garden, today) = (context.model.garden, context.today)
    guard let first = Life.firstDay(of: garden) else { return }
    strip.show(garden, from: first, through: today)
    loader.load {
      await Past.made(of: garden, LifePlay(from: first, through: today))
    } show: { [weak self] past in
      guard let self, isOpen else { return }
      self.past = past
      let next = next ?? { [weak self] in self.map { $0.show(min($0.strip.day, today)) } }
      self.next = nil
      next()
    }
  }

  private func presentButton() { button.visible(!isOpen && canvas.branch == nil && TimeMode.hasPast(context)) }

  private func present() {
    presentButton()
    panel.isRevealed(isOpen)
    beside.visible(isOpen && isWide)
    below.visible(!isWide)
    passing.visible(false)
    canvas.widget.targetable(!isOpen)
    canvas.picture.focusable(!isOpen)
    showPlaying()
  }

  /// - Parameter isMoving: whether more days are about to follow.
  private func show(_ day: Day, isMoving: Bool = false) {
    guard let past else { return strip.show(day, nil, isMoving: isMoving) }
    let colors = isMoving ? Day(number: day.number - day.number % TimeMode.colorDays) : day
    let content = TreeScene.Content(past.life, on: day)
    let staysSummer = !context.settings.hasSeasons || playing?.play.staysSummer == true
    canvas.past = PastTree(
      content: content,
      yearShare: staysSummer ? nil : colors.seasonShare(isSouthern: canvas.isSouthern), isMoving: isMoving)
    let sentence = Formats.treeAge(days: past.play.first.distance(to: day), isToday: day == context.today)
    for heading in [heading, headingAbove] {
      heading.show(playing?.play.heading(of: day) ?? Formats.day(day), playing == nil ? sentence : "")
    }
    if playing == nil { headingBeside.show(Formats.day(day), sentence) }
    tell(day, sentence, isMoving: isMoving)
    // Hide the words of the previous day until those of this day are loaded.
    if isMoving { hideWords() }
    if playing != nil { return }
    rest = Timeout.after(milliseconds: TimeMode.restTime) { [weak self] in
      guard let self else { return }
      if isMoving { return show(day) }
      // The trees of the days before took megabytes each.
      Memory.returnFreed()
      for words in [words, shortWords] { words.widget.isAway(false) }
      context.foot.pointed = (isWide ? words : shortWords).show(
        day, past.days, growing: content.state.growing().count)
    }
  }

  private func hideWords() {
    context.foot.pointed = ""
    for words in [words, shortWords] { words.widget.isAway(true) }
  }

  /// Tells screen readers about the day; while time plays, only about each year.
  private func tell(_ day: Day, _ age: String, isMoving: Bool) {
    guard let past else { return }
    if playing != nil {
      let isNew = day.year != year
      year = day.year
      return strip.show(day, isNew ? "\(day.year)" : nil, isMoving: false)
    }
    let count = past.days.items(on: day).count
    let entries = count == 0 ? tr("No entries.") : trn("{n} entry.", "{n} entries.", count)
    strip.show(day, [Formats.day(day) + ".", age, entries].joined(separator: " "), isMoving: isMoving)
  }

  private func take(_ press: KeyPress) -> Bool {
    switch (press.key, press.modifiers) {
    case (.left, []): strip.step(days: -1)
    case (.right, []): strip.step(days: 1)
    case (.left, .control): strip.step(months: -1)
    case (.right, .control): strip.step(months: 1)
    case (.pageUp, []): strip.step(months: -12)
    case (.pageDown, []): strip.step(months: 12)
    case (.home, []): strip.moveToStart()
    case (.end, []): strip.move(to: context.today)
    case (.space, []): play()
    case (.enter, []): (isWide ? words : shortWords).open()
    case (.escape, []) where playing != nil: stop()
    case (_, []) where press.characters.contains("0"):
      stop()
      context.window.activate("win.year", target: "\(strip.day.year)")
    default: return false
    }
    return true
  }
}

// MARK: - Playing

extension TimeMode {
  /// Plays from the day that is shown, or from the first day if it is today; stops if it plays. With reduced motion it
  /// shows the same day of the next year.
  private func play() {
    if playing != nil { return stop() }
    guard let past else { return next = { [weak self] in self?.play() } }
    let isAtEnd = strip.day >= context.today
    guard widget.mayMove else {
      return isAtEnd ? strip.moveToStart() : strip.step(months: 12)
    }
    start(past.play, at: isAtEnd ? 0 : past.play.share(of: strip.day))
  }

  /// Plays a year from its first day to its last one. With reduced motion it shows the first one.
  func play(_ year: Int32) {
    open()
    guard isOpen, let begin = Day(year: year, month: 1, day: 1), let end = Day(year: year, month: 12, day: 31) else {
      return
    }
    guard let past else { return next = { [weak self] in self?.play(year) } }
    stop()
    let play = LifePlay(from: max(begin, past.play.first), through: min(end, context.today))
    show(play.first)
    if widget.mayMove, play.first < play.last { start(play, at: 0) }
  }

  private func start(_ play: LifePlay, at begin: Double) {
    guard let words = past?.days.passingWords(without: context.model.hidden) else { return }
    let animation = Animation(
      on: widget, milliseconds: Int(play.seconds * 1000 * (1 - begin)), isEven: true,
      onValue: { [weak self] in self?.show(play, at: $0, words) }, onEnd: { [weak self] in self?.stop() })
    (playing, rest, year) = ((animation, play), nil, nil)
    showPlaying()
    animation.start(from: begin, to: 1)
  }

  private func show(_ play: LifePlay, at share: Double, _ words: [(day: Day, text: String)]) {
    guard playing != nil else { return }
    let day = play.day(at: share)
    if day != strip.day { show(day, isMoving: true) }
    let earliest = play.day(at: max(share - TimeMode.wordsTime / play.seconds, 0))
    let text = wordsCheck.isChecked ? words.last { $0.day <= day && $0.day > earliest }?.text : nil
    passing.visible(text != nil)
    if let text { passing.setText(text) }
  }

  /// Stops on the day that is shown.
  private func stop() {
    guard let playing else { return }
    playing.animation.stop()
    self.playing = nil
    passing.visible(false)
    showPlaying()
    if isOpen { show(strip.day) }
  }

  private func showPlaying() {
    let name = playing != nil ? tr("Stop") : widget.mayMove ? tr("Play") : tr("Next Year")
    playButton.accessibleName(name).tooltip(name)
    let icon = playing != nil ? "pause" : widget.mayMove ? "start" : ""
    playIcon.setIcon(icon.isEmpty ? "go-next-symbolic" : "media-playback-\(icon)-symbolic")
    heading.widget.visible(isOpen && !isNarrow && (!isWide || playing != nil))
    headingAbove.widget.visible(isOpen && isNarrow)
    heading.widget.css("medium", when: !isWide)
    headingBeside.widget.isAway(playing != nil)
  }
}

/// What the days of a garden show.
private nonisolated struct Past: Sendable {
  var life: Life
  var days: LifeDays
  var play: LifePlay

  @concurrent static func made(of garden: Garden, _ play: LifePlay) async -> Past {
    Past(life: Life(garden), days: LifeDays(garden), play: play)
  }
}

/// A day and how old the tree was.
private struct Heading {
  let widget: Widget
  private let date = label("", "time-date")
  private let age = label("", "second")

  @MainActor init() { widget = column(date, age) }

  @MainActor func show(_ date: String, _ age: String) {
    self.date.setText(date)
    self.age.setText(age)
  }
}
