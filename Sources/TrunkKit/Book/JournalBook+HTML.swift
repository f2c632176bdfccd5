import Localization
import TreePicture
import VectorGraphics

extension JournalBook {
  /// The book as one web page without scripts, fonts or pictures from elsewhere. It follows light and dark mode, and
  /// can be printed.
  public var html: String {
    // Translators: the code of the language of this translation, for web pages.
    let language = trc("language", "en")
    let contents = contents
    return """
      <!DOCTYPE html>
      <html lang="\(language.htmlText)">
      <head>
      <meta charset="utf-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <meta name="referrer" content="no-referrer"/>
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
      <title>\(title.htmlText)</title>
      <style>
      \(JournalBook.style)
      </style>
      </head>
      <body>
      <header class="title">
      \(line("p", "subtitle", subtitle))\(line("h1", nil, title))\(line("p", "dates", dates))\(line("p", "author", author))\(picture(whole?.coverTree, "cover"))</header>
      \(dedication)\(contents)<main>
      \(main)\(back)</main>
      </body>
      </html>

      """
  }

  /// Links to the sections, if there are several.
  private var contents: String {
    var (text, number) = ("", 0)
    for part in parts {
      if let title = part.title { text += "<li class=\"part\">\(title.htmlText)</li>\n" }
      for section in part.sections {
        number += 1
        text += link("s\(number)", section.title)
        for entry in section.entries {
          if let chapter = entry.chapter { text += link("e\(entry.seq)", chapter.title, " class=\"chapter\"") }
        }
      }
    }
    guard number > 1 else { return "" }
    if whole != nil { text += link("ring", ringTitle) + link("sprouts", tr("Sprouts")) }
    let name = tr("Contents")
    return "<nav aria-label=\"\(name.htmlText)\">\n<ul>\n\(text)</ul>\n</nav>\n"
  }

  private func link(_ place: String, _ title: String, _ attributes: String = "") -> String {
    "<li\(attributes)><a href=\"#\(place)\"><bdi>\(title.htmlText)</bdi></a></li>\n"
  }

  private var dedication: String {
    let lines = whole?.dedication ?? []
    return lines.isEmpty ? "" : "<p class=\"dedication\">\(lines.map(\.htmlText).joined(separator: "<br/>"))</p>\n"
  }

  private var main: String {
    var (text, number) = ("", 0)
    for part in parts {
      if let title = part.title { text += line("h2", "part", title) }
      let heading = part.title == nil ? "h2" : "h3"
      for section in part.sections {
        number += 1
        text += "<section id=\"s\(number)\">\n" + line(heading, nil, section.title)
        if let month = section.month {
          text += picture(month.tree, "t\(number)") + month.lines.map(runIn).joined()
        }
        let silence = line("p", "silence", section.silence)
        if section.month != nil { text += silence }
        let notes = Dictionary(grouping: section.month?.earlier ?? [], by: \.day)
        var noted = Set<Int32>()
        for entry in section.entries {
          let day = entry.day.day
          if section.month != nil, let earlier = notes[day], noted.insert(day).inserted {
            text += earlier.map { line("aside", "earlier", "\($0.year) · \($0.text)") }.joined()
          }
          text += entry.html
        }
        text += (section.month == nil ? silence : "") + "</section>\n"
      }
    }
    return text
  }

  private var back: String {
    guard let whole else { return "" }
    var text = "<section id=\"ring\">\n" + line("h2", nil, ringTitle)
    for list in wordLists { text += line("h3", nil, list.label) + line("p", "words", list.text) }
    text += "</section>\n<section id=\"sprouts\">\n" + line("h2", nil, tr("Sprouts"))
    for sprout in whole.index {
      let links = sprout.seqs.enumerated().map { "<a href=\"#e\($1)\">\($0 + 1)</a>" }.joined(separator: " ")
      let place = "<span>\(sprout.place.htmlText)</span>"
      text += "<p class=\"index\"><bdi>\(sprout.title.htmlText)</bdi> \(place) \(links)</p>\n"
    }
    return text + "</section>\n" + colophon.map { line("p", "colophon", $0) }.joined()
  }

  private func picture(_ tree: Tree?, _ id: String) -> String {
    guard let tree else { return "" }
    let size = 640.0
    let palette = Palette(.light, yearShare: tree.season)
    let drawing = TreePicture(tree.state, width: size, height: size, palette: palette, fontSize: nil).drawing
    return "<figure>\(drawing.svg(width: size, height: size, id: id))</figure>\n"
  }

  private func runIn(_ line: RunIn) -> String {
    "<p class=\"runin\"><i>\(line.label.htmlText)</i> <bdi>\(line.text.htmlText)</bdi></p>\n"
  }
}

extension JournalBook.Entry {
  fileprivate var html: String {
    let mark = "<time datetime=\"\(stamp)\" title=\"\(dateAndTime.htmlText)\">\(date.htmlText)</time>"
    guard isWritten else {
      return "<p class=\"milestone\">\(mark) <bdi>\(about.htmlText)</bdi></p>\n"
    }
    let paragraphs = paragraphs.map { "<p dir=\"auto\">" + $0.html + "</p>\n" }
    var body = line("p", "question", question ?? "") + paragraphs.joined()
    if let chapter {
      let lines = chapter.lines.map { line("p", "question", $0.label) + line("p", "quoted", $0.text) }
      body =
        line("h4", nil, chapter.title) + line("p", "about", chapter.span) + lines.joined() + body
        + line("p", "about", chapter.result)
    } else {
      body += isSilent ? "<p class=\"drop\">○</p>\n" : line("p", "about", about)
    }
    let style = chapter != nil ? " class=\"chapter\"" : kind == .reflection ? " class=\"sun\"" : ""
    return "<article id=\"e\(seq)\"\(style)>\n<p class=\"when\">\(mark)</p>\n\(body)</article>\n"
  }
}

extension ReadingText {
  private static let elements: [(style: Style, start: String, end: String)] = [
    (.heading, "<strong class=\"heading\">", "</strong>"), (.strong, "<strong>", "</strong>"),
    (.emphasized, "<em>", "</em>"), (.struck, "<s>", "</s>"), (.code, "<code>", "</code>"),
  ]

  fileprivate var html: String {
    runs.reduce(into: "") { html, run in
      let words = run.text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).htmlText }
      let elements = ReadingText.elements.filter { run.style.contains($0.style) }
      html += elements.map(\.start).joined() + words.joined(separator: "<br/>\n")
      html += elements.reversed().map(\.end).joined()
    }
  }
}

/// An element with one line of text, whose direction follows from its letters; nothing for an empty text.
private func line(_ element: String, _ style: String?, _ text: String) -> String {
  if text.isEmpty { return "" }
  let style = style.map { " class=\"\($0)\"" } ?? ""
  return "<\(element)\(style) dir=\"auto\">\(text.htmlText)</\(element)>\n"
}

extension String {
  /// The text with all characters escaped that have a meaning in HTML, also within quotation marks.
  fileprivate var htmlText: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
