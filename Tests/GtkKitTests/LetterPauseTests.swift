import Testing

@testable import GtkKit

@Suite struct LetterPauseTests {
  @Test func aLetterAloneIsACommand() {
    let (parts, pause) = press([("w", 1000), ("s", 1250)])
    #expect(parts == [false, false], "a quarter of a second later")
    #expect(pause.isAlone)
  }

  @Test func theKeysOfASentenceAreNone() {
    let (parts, pause) = press(zip("I did 3", stride(from: 1000, to: 1700, by: 100)).map { ($0, $1) })
    #expect(parts == [false, true, true, true, true, true, true])
    #expect(!pause.isAlone && pause.count == 7)
  }

  @Test func digitsAndSignsAreCommandsAtOnce() {
    let (parts, pause) = press([("1", 1000), ("2", 1001), (" ", 1002), ("/", 1003)])
    #expect(parts == [false, false, false, false])
    #expect(pause.count == 0)
  }

  @Test func anotherKeyEndsASentence() {
    var (_, pause) = press([("w", 1000)])
    pause.end()
    let isPart = pause.press("s", at: 1100)
    #expect(!isPart && pause.isAlone)
  }

  @Test func theTimesMayOverflow() {
    #expect(press([("w", .max - 10), ("a", 10)]).parts == [false, true])
  }

  /// Presses keys at times in milliseconds.
  private func press(_ keys: [(Character, UInt32)]) -> (parts: [Bool], pause: LetterPause) {
    var pause = LetterPause()
    return (keys.map { pause.press($0, at: $1) }, pause)
  }
}
