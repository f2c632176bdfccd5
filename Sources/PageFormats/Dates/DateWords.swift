/// Names of months and zones, in the languages in which programs write dates.
enum DateWords {
  /// - Parameter word: in lower case: a name or its first three letters or more.
  static func month(_ word: String) -> Int32? {
    if let month = irregular[word] { return month }
    guard word.unicodeScalars.count >= 3 else { return nil }
    for names in months {
      if let index = names.firstIndex(where: { $0.hasPrefix(word) }) { return Int32(index) + 1 }
    }
    return nil
  }

  /// - Parameter word: in lower case: a name or its first two letters or more.
  static func isWeekday(_ word: String) -> Bool {
    word.unicodeScalars.count >= 2 && weekdays.contains { $0.hasPrefix(word) }
  }

  /// Words around a date that say nothing about it.
  static func isFiller(_ word: String) -> Bool { fillers.contains(word) }

  /// Whether the time before or after this word is in the first half of the day; `nil` for other words.
  static func isMorning(_ word: String) -> Bool? {
    switch word {
    case "am", "上午", "午前", "오전": true
    case "pm", "下午", "午後", "오후": false
    default: nil
    }
  }

  /// Minutes east of UTC. Only abbreviations that mean one offset wherever computers write them.
  static func offset(_ word: String) -> Int16? { offsets[word] }

  private static let months = [
    "january february march april may june july august september october november december",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "januar februar marts april maj juni juli august september oktober november desember",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
  ].map { $0.split(separator: " ").map(String.init) }
  private static let irregular: [String: Int32] = ["mrz": 3, "mrt": 3, "jän": 1, "jänner": 1, "fevr": 2, "aout": 8]
  private static let weekdays = """
    monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag \
    sonnabend sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado \
    domingo lunedì martedì mercoledì giovedì venerdì sabato domenica segunda terça quarta quinta sexta feira maandag \
    dinsdag woensdag donderdag vrijdag zaterdag zondag
    """.split(separator: " ")
  private static let fillers: Set<String> = [
    "at", "um", "à", "de", "del", "of", "den", "the", "le", "el", "il", "a", "las", "às", "alle", "ore", "kl", "om",
    "uhr", "h", "st", "nd", "rd", "th", "er", "t",
  ]
  private static let offsets: [String: Int16] = [
    "gmt": 0, "utc": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "mez": 60, "cest": 120, "mesz": 120, "eet": 120,
    "eest": 180, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480,
    "pdt": -420, "akst": -540, "akdt": -480, "hst": -600, "jst": 540, "kst": 540, "aest": 600, "aedt": 660,
    "acst": 570, "acdt": 630, "awst": 480, "nzst": 720, "nzdt": 780,
  ]
}
