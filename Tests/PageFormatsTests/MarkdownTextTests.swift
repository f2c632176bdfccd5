import PageFormats
import Testing
import TrunkModel

/// What stays of Markdown: words, addresses and code, without pictures and invented tags.
struct MarkdownTextTests {
  private func page(_ text: String) throws -> EarlierPage {
    try #require(try Export(["2024-01-09.md": text]).read().pages.first)
  }

  @Test(arguments: [
    ("a ![](x.png){:height 497, :width 716} b", "a  b"), ("a ![](x.png){width=50%} b", "a  b"),
    ("![](x.png){.left #id}\nb", "b"), ("a ![](x.png){now}", "a {now}"), ("a {:height 1} b", "a {:height 1} b"),
  ])
  func attributesGoWithTheirPicture(source: String, text: String) throws {
    #expect(try page(source).text == text)
  }

  @Test(arguments: [
    ("![Our dog at the lake](dog.jpg)", "Our dog at the lake"), ("- ![Our dog](dog.jpg)", "- Our dog"),
    ("![[pic.jpg|Anna and me]]", "Anna and me"), ("![[pic.jpg|Anna and me|300]]", "Anna and me"),
    ("A ![[p.png|300x200]] b", "A  b"), ("A ![dog](img/dog.jpg) b", "A  b"), ("A ![dog.jpg](x.jpg) b", "A  b"),
    ("A ![a photo](x.jpg) b", "A  b"), ("A ![Screenshot 2023-03-01 at 6.12 PM.png](x.png) b", "A  b"),
    ("![Sunset|300](x.jpg)", "Sunset"),
  ])
  func captionsStay(source: String, text: String) throws {
    let page = try page(source)
    #expect(page.text == text && page.pictures == 1)
  }

  @Test(arguments: [
    ("[![badge](badge.png)](https://x.org/a)", "https://x.org/a"),
    ("[![Our dog](dog.png)](https://x.org/a)", "[Our dog](https://x.org/a)"),
    ("a [![](small.jpg)](large.jpg) b", "a  b"),
  ])
  func linkedPicturesKeepTheAddress(source: String, text: String) throws {
    let page = try page(source)
    #expect(page.text == text && page.pictures == 1)
  }

  @Test
  func notesWithAPointAreNoPictures() throws {
    let page = try page("![[Note with v1.2]]")
    #expect(page.text == "Note with v1.2" && page.pictures == 0)
  }

  @Test
  func onlyTagsAreTags() throws {
    let text = """
      [TOC](#my-section) [[#Other heading]] [[Note#part]] [#A] (#inside) #real <a href="#x">y</a>
      ## Heading {#id}
      [ref]: #fragment
      ```c
      #include <x.h>
      ```
      `git log #x` https://x.org/#y
      """
    #expect(try page(text).tags == ["inside", "real"])
  }

  @Test
  func codeStays() throws {
    let text = "a[[0]] + b[[12]] but see[[note]]\n\n    x[[y]] ![](z.png)\n\n~~~\n[[q]]\n```\n[[r]]\n~~~\n[[s]]"
    #expect(
      try page(text).text
        == "a[[0]] + b[[12]] but seenote\n\n    x[[y]] ![](z.png)\n\n~~~\n[[q]]\n```\n[[r]]\n~~~\ns")
    #expect(try page("- a\n\n    - [[b]]").text == "- a\n\n    - b")
  }
}
