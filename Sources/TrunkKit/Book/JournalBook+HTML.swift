import Localization

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
      \(line("p", "subtitle", subtitle))\(line("h1", nil, title))\(line("p", "dates", dates))\(line("p", "author", author))</header>
      \(contents)<main>
      \(main)</main>
      </body>
      </html>

      """
  }

  /// Links to the sections, if there are several.
  private var contents: String {
    let count = parts.reduce(0) { $0 + $1.sections.count }
    guard count > 1 else { return "" }
    var (text, number) = ("", 0)
    for part in parts {
      if let title = part.title { text += "<li class=\"part\">\(title.htmlText)</li>\n" }
      for section in part.sections {
        number += 1
        text += "<li><a href=\"#s\(number)\"><bdi>\(section.title.htmlText)</bdi></a></li>\n"
      }
    }
    let name = tr("Contents")
    return "<nav aria-label=\"\(name.htmlText)\">\n<ul>\n\(text)</ul>\n</nav>\n"
  }

  private var main: String {
    var (text, number) = ("", 0)
    for part in parts {
      if let title = part.title { text += line("h2", "part", title) }
      let heading = part.title == nil ? "h2" : "h3"
      for section in part.sections {
        number += 1
        text +=
          "<section id=\"s\(number)\">\n" + line(heading, nil, section.title)
          + line("p", nil, section.text)
        for entry in section.entries { text += entry.html }
        text += "</section>\n"
      }
    }
    return text
  }
}

extension JournalBook.Entry {
  fileprivate var html: String {
    let mark = "<time datetime=\"\(stamp)\" title=\"\(dateAndTime.htmlText)\">\(date.htmlText)</time>"
    guard isWritten else {
      return "<p class=\"milestone\">\(mark) <bdi>\(about.htmlText)</bdi></p>\n"
    }
    let paragraphs = text.paragraphs.map { lines in
      "<p dir=\"auto\">" + lines.map(\.htmlText).joined(separator: "<br/>\n") + "</p>\n"
    }
    return "<article>\n<p class=\"when\">\(mark)</p>\n" + line("p", "question", question ?? "")
      + (paragraphs.isEmpty ? line("p", "silent", tr("Without words")) : paragraphs.joined())
      + line("p", "about", about) + "</article>\n"
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
