import Foundation
import TemporaryFolders
import Testing

/// Tests `scripts/check-translations`.
@Suite struct CheckTranslationsTests {
  @Test func aLostPlaceholderIsFound() throws {
    let home = try TemporaryFolder("check").created()
    defer { withExtendedLifetime(home) {} }
    let check = TranslatedProgram.project.appendingPathComponent("scripts/check-translations").path
    let po = URL(fileURLWithPath: home.path + "/xx.po")
    func problem(_ one: String, _ many: String) throws -> String {
      try """
      msgid ""
      msgstr ""
      "Language: de\\n"
      "Content-Type: text/plain; charset=UTF-8\\n"
      "Plural-Forms: nplurals=2; plural=(n != 1);\\n"

      msgid "{n} leaf on {twig}"
      msgid_plural "{n} leaves on {twig}"
      msgstr[0] "\(one)"
      msgstr[1] "\(many)"

      """.write(to: po, atomically: true, encoding: .utf8)
      let answer = try run(check, [po.path])
      #expect((answer.code == 0) == answer.output.isEmpty)
      return answer.output
    }
    #expect(try problem("{n} Blatt an {twig}", "{n} Blätter an {twig}") == "")
    #expect(try problem("{n} Blatt an {twig}", "{n} Blätter").contains("„") == false)
    #expect(try problem("{n} Blatt an {twig}", "{n} Blätter").contains("“{n} Blätter”"))
    #expect(try problem("{n} Blatt an {zweig}", "{n} Blätter an {twig}").contains("“{n} Blatt an {zweig}”"))
    #expect(try problem("{n} Blatt an {twig}", "{n} Blätter an {twig").contains("“{n} Blätter an {twig”"))
  }
}
