/// Words that say nothing about a text, because every text in its language has them, folded like the words of a search.
enum StopWords {
  private static let codes = ["en", "fr", "de", "es"]
  private static let languages = [english, french, german, spanish].map { Set(Words($0).words.map(\.folded)) }
  private static let allLanguages = zip(languages, common).map { $0.union(Words($1).words.map(\.folded)) }

  /// The stop words of the language that has most of these words; of several languages if they have as many.
  ///
  /// Other languages are left out, because their stop words may matter here: “war” does in English, but not in German.
  /// - Parameter withCommon: whether numerals, dates, units and common verbs are among them.
  static func of(_ words: [Words.Word], withCommon: Bool = false) -> Set<String> {
    let languages = withCommon ? StopWords.allLanguages : StopWords.languages
    let counts = StopWords.languages.map { language in words.count { language.contains($0.folded) } }
    let most = counts.max() ?? 0
    return zip(languages, counts).reduce(into: []) { found, next in
      if next.1 == most { found.formUnion(next.0) }
    }
  }

  /// The code of the language that has most of these words, such as `de`; `nil` if there is no single one.
  static func language(of words: [Words.Word]) -> String? {
    let counts = languages.map { language in words.count { language.contains($0.folded) } }
    guard let most = counts.max(), most > 0, counts.count(where: { $0 == most }) == 1 else { return nil }
    return counts.firstIndex(of: most).map { codes[$0] }
  }

  private static let english = """
    a about above after again against ain all almost also although always am an and another any anything are aren around
    as at away back be became because been before began behind being below between both but by came can cannot come
    could couldn did didn didnt do does doesn doesnt doing don done dont down during each either else enough even ever
    every everything few finally first for from further get gets getting go goes going gone good got had hadn has hasn
    have haven having he her here hers herself him himself his how however if in into is isn isnt it its itself just
    keep kept knew know last later least less let like little long look looked lot made make makes many may maybe me
    mine more most much must my myself near need never new next no nor not nothing now of off often on once one only onto
    or other others our ours ourselves out over own perhaps put quite rather really said same saw say see seemed shall
    she should shouldn since so some something sometimes soon still such take than that the their theirs them themselves
    then there these they thing things think this those though thought three through till to today together told tomorrow
    too took toward towards two under until up upon us very want wanted was wasn way we well went were weren what when
    where whether which while who whole whom whose why will with within without won would wouldn yes yesterday yet you
    your yours yourself yourselves day days time times week weeks year years
    """

  private static let german = """
    ab aber alle allem allen aller alles allein als also am an andere anderem anderen anderer anderes anders auch auf aus
    außer außerdem bald bei beide beiden beim bereits besser bevor bin bis bisher bist da dabei dadurch dafür dagegen
    daher dahin damals damit danach daneben dann daran darauf daraus darf darin darüber darum das dass davon davor dazu
    dein deine deinem deinen deiner dem den denen denn dennoch der deren des deshalb dessen desto dich die dies diese
    diesem diesen dieser dieses dir doch dort du durch dürfen eben ebenso eher eigentlich ein eine einem einen einer eines
    einfach einige einigen einmal endlich er es erst erste ersten etwa etwas euch euer eure fast für gab ganz ganze ganzen
    gar gegen gehen geht gemacht genau genug gerade gern gestern getan gewesen gibt ging gleich gut gute guten habe haben
    halt hat hatte hatten hätte hätten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in indem ins
    ist ja jede jedem jeden jeder jedes jedoch jemand jene jetzt kam kann kaum kein keine keinem keinen keiner komme
    kommen kommt könnte konnte können lang lange lassen letzte letzten liegt machen macht mal man manche manchmal mehr
    mein meine meinem meinen meiner meist mich mir mit möchte morgen muss müssen musste nach nachdem nah neben nein neu
    neue neuen nicht nichts nie niemand noch nun nur ob oben oder oft ohne paar schon sehr sei sein seine seinem seinen
    seiner seit seitdem selbst sich sicher sie sieht sind so sogar solche soll sollen sollte sondern sonst soweit sowie
    später statt stets trotzdem tun über überhaupt um und uns unser unsere unserem unseren unter viel viele vielen
    vielleicht vom von vor vorher wann war waren wäre warum was weg wegen weil weiter welche welchem welchen welcher
    welches wenig wenige weniger wenn wer werde werden wie wieder will wir wird wirklich wo wollen wollte worden wurde
    wurden würde würden zu zuerst zum zur zurück zusammen zwar zwei zwischen tag tage tagen heute jahr jahre mal woche
    wochen zeit
    """
}
