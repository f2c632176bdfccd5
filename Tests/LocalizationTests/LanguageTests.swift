import Testing

/// Tests the catalogues with the built program in the locale of each language.
@Suite struct LanguageTests {
  @Test(
    .enabled(if: !Wording.possible.isEmpty, "locales can’t be made here: install the package locales"),
    arguments: Wording.possible)
  func theProgramSpeaksTheLanguage(wording: Wording) throws {
    let program = try TranslatedProgram(locale: wording.locale)
    for (count, message) in [(1, wording.oneEvent), (2, wording.twoEvents)] {
      #expect(try program.trunkctl("import", "--dry-run", program.events(count)).output == message + "\n")
    }
    let planted = try program.trunkctl("plant", "Üben & Hören", "--twig", "voice/practice")
    #expect(planted.output.contains(wording.planted))
    // Names of months and the decimal comma come from the locale.
    #expect(planted.matches(wording.from), "\(planted.output)")
    #expect(try program.trunkctl("status").matches(wording.free))
  }

  @Test(
    .enabled(if: !Wording.possible.isEmpty, "locales can’t be made here: install the package locales"),
    arguments: Wording.possible)
  func acceptsTranslatedEnglishAndOwnNames(wording: Wording) throws {
    let program = try TranslatedProgram(locale: wording.locale)
    let (branch, twig) = wording.names
    for place in [branch + "/" + twig, "voice/practice", branch.uppercased() + "/practice", twig] {
      #expect(try program.trunkctl("seed", "Bach", "--twig", place).code == 0, "\(place)")
    }
    let misspelled = try program.trunkctl("seed", "Bach", "--twig", branch + "/x" + twig)
    #expect(misspelled.output.contains("voice/practice"), "\(misspelled.output)")
    #expect(try program.trunkctl("node", "rename", branch, "Klang").code == 0)
    #expect(try program.trunkctl("seed", "Bach", "--twig", "klang/" + twig).output.contains("Klang · " + twig))
    #expect(try program.trunkctl("seed", "Bach", "--twig", branch + "/" + twig).code == 0)
  }
}

/// What the program says in a language.
struct Wording: Sendable, CustomTestStringConvertible {
  let locale: String
  let oneEvent: String
  let twoEvents: String
  let planted: String
  /// A branch and a twig of it.
  let names: (branch: String, twig: String)
  /// The day of the harvest, as a regular expression.
  let from: String
  /// The soil of a garden with one sprout, as a regular expression.
  let free: String

  var testDescription: String { locale }

  static let possible = all.filter { TranslatedProgram.isPossible($0.locale) }
  static let all = [
    Wording(
      locale: "de_DE", oneEvent: "1 Ereignis wäre neu.", twoEvents: "2 Ereignisse wären neu.",
      planted: "„Üben & Hören“ an Stimme · Üben gepflanzt.",
      names: ("Stimme", "Üben"),
      from: #"ab [1-9][0-9]?\. "#
        + #"(Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)"#
        + #" 20[0-9]{2}\."#, free: "[0-9](,[0-9])? von 10 frei"),
    Wording(
      locale: "es_ES", oneEvent: "Habría 1 evento nuevo.", twoEvents: "Habría 2 eventos nuevos.",
      planted: "«Üben & Hören» plantado en «Voz · práctica».",
      names: ("Voz", "práctica"),
      from: "a partir del [1-9][0-9]? de "
        + "(enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
        + #" de 20[0-9]{2}\."#, free: "[0-9](,[0-9])? de 10 libres"),
    Wording(
      locale: "fr_FR", oneEvent: "1 événement serait nouveau.", twoEvents: "2 événements seraient nouveaux.",
      planted: "Pousse «\u{a0}Üben & Hören\u{a0}» plantée sur Voix · pratique.",
      names: ("Voix", "pratique"),
      from: "dès le (1er|[2-9]|[1-3][0-9]) "
        + "(janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)"
        + #" 20[0-9]{2}\."#, free: "[0-9](,[0-9])? libres sur 10"),
  ]
}
