extension StopWords {
  /// Numerals, dates, units and common verbs in English, French, German and Spanish. They may tell where a sprout
  /// belongs, but not what a year was about.
  static let common = [
    """
    i ll ve re lets
    zero four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty hundred thousand half
    quarter second third fourth fifth sixth except monday tuesday wednesday thursday friday saturday sunday january february march
    april june july august september october november december spring summer autumn fall winter morning evening
    afternoon night noon midnight tonight minute minutes hour hours seconds month months weekend metre metres kilometre
    kilometres mile miles gram grams litre litres euro euros page pages
    able added asked asks became begin begins began begun believe belongs bring brings brought called calls carried
    change changed closed counts counting cut decided drew drive drove easier easy embarrassing ends expected fell felt
    finished forgot found full gave give gives given happened happens hard heard held help helped home hour hung kind
    laid laughed learned learnt leave left let light lived looking looks lost measured met moved noticed opened ought
    paid pair passed past planned played put quickly quietly ran read recorded remember run sat says seen sees sent seven
    short show showed side simply sits slowly slept small spent spoke stand stands started stayed stood stopped swept
    takes taken taking talk talked thought tried turned turns understood usual waited walked walking wants went whatever
    wish wore works worked write writes written wrote yet
    """,
    """
    zéro quatre cinq six sept huit neuf dix onze douze quinze vingt trente quarante cinquante cent mille demi quart lundi
    mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août septembre octobre novembre
    décembre printemps été automne hiver midi minuit soirée minute minutes seconde secondes mètre mètres kilomètre
    kilomètres page pages euros week-end
    acheté allée allés appelé appris arrivé arrive attendu changé cherché commencé compris continue couru cru demandé
    devenu devient donné dormi entendu essayé fini gardé joué laissé lu lus mangé marché monté oublié ouvert parlé parti
    passe perdu pense pensé porté posé raconté regardé resté reste retrouvé revenu ri savais semble senti servi sorti
    suivi tenu terminé tombé tourné travaillé trouve trouvé vécu venu viens vient voulais écoute écouté écrit
    """,
    """
    null vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig hundert tausend halb halbe
    halben viertel drei dritte zweite montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar
    februar märz april mai juni juli august september oktober november dezember frühling frühjahr sommer herbst winter
    vormittag nachmittag abend abends mittag nacht nachts minute minuten stunde stunden sekunde sekunden monat monate
    wochenende meter kilometer gramm liter euro seite seiten
    angefangen angerufen bekam bekommen bekommt blieb bleiben bleibt brachte bringen bringt brauche brauchen braucht
    dachte denke denken denkt fand finde finden findet fing fragte fragt fühlte fühlt gab gebe geben gefragt gefunden
    gegessen gehabt gehe gehört gekauft gekommen gelacht gelassen gelaufen gelegt gelernt gelesen genommen gesagt
    geschafft geschlafen geschrieben gesehen gesessen gespielt gesprochen gestanden gewartet geworden gingen
    glaube half helfen hielt holte hörte ließ lernen lief laufen läuft legte lese lesen liest las lag lachte mache
    machte merkte mochte nahm nehme nehmen nimmt rief sagt sagte saß sehe sehen sah schlief schreiben schrieb sitzt
    spielt spielte sprach stand stehe stehen steht stellte suchte trage tragen trug traf versuche versucht vergessen
    wartete weiß wissen wusste wollte worin zeigte zog
    """,
    """
    cero cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta cuarenta cincuenta cien mil medio media
    cuarto lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto
    septiembre octubre noviembre diciembre primavera verano otoño invierno mediodía medianoche minuto minutos segundo
    segundos metro metros kilómetro kilómetros página páginas euros
    acabé aprendí buscar busqué cambió comí compré contó corrí creo creí dejé dejar dijeron di dio dormí empecé encontré
    entendí escribí escribir escuché escuchar esperé espera fuimos gusta gustó habla hablé hablar leí leer llamé llamó
    llegó llegué llevo llevé miré mirar olvidé oí paré pasé pasó pedí pensé pensar perdí preguntó probé puse puso quedé
    quedó quería reí recordé sabía salí salió seguí sentí sentir supe toqué tomé trabajé traje veo vimos vino viví volví
    volvió vuelve
    """,
  ]
}
