import Foundation
import Localization
import TemporaryFolders
import Testing

@Suite struct LocalizationTests {
  @Test func textsWithoutACatalogueStayAsWritten() {
    #expect(tr("Water") == "Water")
    #expect(tr("Hello {name}, {day}", ["name": "Ada", "day": "Monday"]) == "Hello Ada, Monday")
    #expect(trn("{n} day", "{n} days", 1) == "1 day")
    #expect(trn("{n} day", "{n} days", 0) == "0 days")
    #expect(trc("view", "Tree") == "Tree")
    #expect(translated("") == "")
  }

  @Test func valuesAreNotFilledAgain() {
    #expect(tr("{a} and {b}", ["a": "{b}", "b": "{a}"]) == "{b} and {a}")
    #expect(tr("{unknown} {a", ["a": "x"]) == "{unknown} {a")
    #expect(tr("{{a}}", ["a": "x"]) == "{x}")
  }

  @Test func aCatalogueTranslates() async {
    // In a separate process, because all tests share the environment and the locale.
    await #expect(processExitsWith: .success) {
      let temporary = TemporaryFolder("locale")
      defer { withExtendedLifetime(temporary) {} }
      let folder = URL(fileURLWithPath: temporary.path)
      let messages = folder.appendingPathComponent("de/LC_MESSAGES")
      try FileManager.default.createDirectory(at: messages, withIntermediateDirectories: true)
      for (domain, catalogue) in [("trunk", catalogue), ("trunk-questions", questions)] {
        let source = messages.appendingPathComponent(domain + ".po")
        try catalogue.write(to: source, atomically: true, encoding: .utf8)
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/msgfmt")
        compiler.arguments = ["-o", messages.appendingPathComponent(domain + ".mo").path, source.path]
        try compiler.run()
        compiler.waitUntilExit()
        #expect(compiler.terminationStatus == 0)
      }

      setenv("TRUNK_LOCALEDIR", folder.path, 1)
      setenv("LC_ALL", "C.UTF-8", 1)
      setenv("LANGUAGE", "de", 1)
      setUpLocalization()
      #expect(tr("Hello {name}", ["name": "Ada"]) == "Grüß dich, Ada")
      #expect(trn("{n} day", "{n} days", 1) == "1 Tag")
      #expect(trn("{n} day", "{n} days", 5) == "5 Tage")
      #expect(trc("view", "Tree") == "Baum")
      #expect(trc("data structure", "Tree") == "Tree")
      #expect(translated("Water") == "Gießen")
      #expect(translated("What grew today?", in: .questions) == "Was ist heute gewachsen?")
      #expect(translated("What grew today?") == "What grew today?")
      #expect(translated("Water", in: .questions) == "Water")
    }
  }
}

private let catalogue = """
  msgid ""
  msgstr ""
  "Content-Type: text/plain; charset=UTF-8\\n"
  "Plural-Forms: nplurals=2; plural=(n != 1);\\n"

  msgid "Hello {name}"
  msgstr "Grüß dich, {name}"

  msgid "{n} day"
  msgid_plural "{n} days"
  msgstr[0] "{n} Tag"
  msgstr[1] "{n} Tage"

  msgctxt "view"
  msgid "Tree"
  msgstr "Baum"

  msgid "Water"
  msgstr "Gießen"
  """

private let questions = """
  msgid ""
  msgstr ""
  "Content-Type: text/plain; charset=UTF-8\\n"

  msgid "What grew today?"
  msgstr "Was ist heute gewachsen?"
  """
