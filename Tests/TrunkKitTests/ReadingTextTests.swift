import Testing
import TrunkKit

@Suite struct ReadingTextTests {
  /// The runs in one line, each with the first letters of its styles.
  private func styled(_ text: String) -> String {
    let names: [(ReadingText.Style, String)] = [
      (.strong, "s"), (.emphasized, "e"), (.struck, "x"), (.code, "c"), (.heading, "h"),
    ]
    return ReadingText(text).runs.map { run in
      let style = names.filter { run.style.contains($0.0) }.map(\.1).joined()
      return style.isEmpty ? run.text : "\(style)<\(run.text)>"
    }.joined()
  }

  @Test(arguments: [
    ("# Lisbon\nThe **last** ferry", "h<Lisbon>\nThe s<last> ferry"),
    ("*slowly*, _slowly_ and ~~fast~~", "e<slowly>, e<slowly> and x<fast>"),
    ("a ==bright **day**== here", "a e<bright >se<day> here"), ("**a *b* c**", "s<a >se<b>s< c>"),
    ("***both***", "***both***"), ("__strong__ words", "s<strong> words"),
    ("- bread\n  * wine\n+ [x] fish\n- [ ] lemons", "• bread\n  • wine\n☑ fish\n☐ lemons"),
    ("> She said so.", "e<She said so.>"), ("a\n---\nb", "a\n———\nb"),
    ("`let x*y*z`", "c<let x*y*z>"), ("```\nif *a*\n```\nend", "c<if *a*>\nend"),
    (
      "[a map](https://example.org/x), [a note](b.md), ![the sea](sea.jpg)",
      "a map (https://example.org/x), a note, the sea"
    ),
    ("<https://a.org>", "<https://a.org>"), (##"\*not\* 3\. \#"##, "*not* 3. #"),
  ])
  func signsBecomeStyles(text: String, styled: String) { #expect(self.styled(text) == styled) }

  /// What most entries have, and what only looks like a sign.
  @Test(arguments: [
    "", "Bar nine held today.", "2 * 3 * 4", "snake_case_name and another_one", "#garden", "-5 degrees", "* ", "**",
    "a ** b", "a == b", "x==1 and y==2", "==", "Title\n=====", "==open",
    "5*3*2", "*open", "`open", "[1] and (2)", "~ten~", "1984. A year", "C:\\Users", ">>", "####### seven", "_",
  ])
  func everythingElseStays(text: String) { #expect(ReadingText(text).plain == (text == "* " ? "• " : text)) }

  @Test func paragraphsKeepTheirStyles() {
    let text = ReadingText("# Lisbon  \nThe **last\nferry**\n \n\n- *slowly*\n```\na\n\nb\n```\n")
    #expect(text.paragraphs.map(\.plain) == ["Lisbon\nThe **last\nferry**", "• slowly\na", "b"])
    #expect(text.paragraphs[1].runs.map(\.style) == [[], .emphasized, [], .code])
    #expect(ReadingText("").paragraphs.isEmpty && ReadingText(" \n").paragraphs.isEmpty)
    // A text of nothing but signs stays, so that no entry seems to be without words.
    #expect(ReadingText("```\n```").paragraphs.map(\.plain) == ["```\n```"])
  }

  /// They are read in one pass, or this would take minutes.
  @Test(arguments: ["*a ", "[", "**a *b ", "`", "\\*", "![](", "_a_ "])
  func longAndNestedTextsKeepTheirLetters(sign: String) {
    let text = String(repeating: sign, count: 20_000)
    #expect(ReadingText(text).plain.filter(\.isLetter) == text.filter(\.isLetter))
  }
}
