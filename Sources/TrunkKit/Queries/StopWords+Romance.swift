extension StopWords {
  // French elisions are two words: `l’arbre`, `qu’il`, `aujourd’hui`.
  static let french = """
    afin ai aie ainsi ait aller alors an annee annees année années ans apres après assez au aucun aucune aujourd
    auquel aura aurai aurait aussi autant autre autres aux auxquels avaient avais avait avant avec avez avoir avons
    ayant bah bas beaucoup bien bon bonne bout but ca car ce ceci cela celle celles celui cent cependant certain
    certaine certaines certains ces cet cette ceux chaque chez chose choses ci combien comme comment contre dans de
    dedans dehors deja demain depuis dernier derniere dernière des dessous dessus deux devant dire dit dois doit
    donc dont du durant déjà elle elles en encore enfin ensuite entre envers est et etaient etais etait etant ete
    etes etre eu eux faire fais fait faites faut fois font fut grand grande grandes grands heure heures hier hors
    hui ici il ils jamais je jour journee journée jours jusqu jusque la laquelle le lequel les lesquelles lesquels
    leur leurs loin long lors lorsque lui là ma mais mal matin me meme merci mes met mettre mieux moi moins mois
    moment mon même mêmes ne ni nos notre nous nouveau nouvel nouvelle nuit on ont ou ouais oui où par parce parfois
    parmi partout pas passé pendant personne petit petite petites petits peu peut peux plus plusieurs plutot plutôt
    point pour pourquoi pourtant premier premiere première presque pris puis puisque qu quand quant que quel quelle
    quelles quelqu quelque quelques quels qui quoi quoique rien sa sans se semaine semaines sera serai serait ses
    seul seule seulement si sinon soi soir sois soit sommes son sont sous souvent suffit suis suivant sur surtout ta
    tandis tant te tel telle tellement tels temps tes toi ton tot toujours tous tout toute toutes travers tres trois
    trop très tu tôt un une va vais vas vers veut veux voici voila voilà voir vois voit vont vos votre vous vrai
    vraiment vu ça étaient étais était étant été êtes être
    """

  static let spanish = """
    a actualmente acá adelante además ahora ahí al algo alguien alguna algunas alguno algunos algún allá allí ambos
    ante antes apenas aquel aquella aquellas aquello aquellos aquí así aun aunque año años aún bajo bastante bien
    buen buena buenas bueno buenos cada casi cerca como con conmigo contigo contra cosa cosas cual cuales cualquier
    cuando cuanto cuál cuándo cuánto cómo da dar de debajo decir del demasiado dentro desde después detrás dice
    dicho dijo donde dos durante día días dónde el ella ellas ello ellos en encima entonces entre era eran eras eres
    es esa esas ese eso esos esta estaba estaban estado estamos estar estas este esto estos estoy estuve estuvo está
    están estás fin fue fuera fueron fui gran grande grandes ha haber había habían hace hacer hacia haciendo hago
    han hasta hay haya he hecho hemos hizo hora horas hoy iba igual ir jamás junto la las le lejos les lo los luego
    mal mañana me mediante mejor menos mes meses mi mientras mis misma mismas mismo mismos momento mucha muchas
    mucho muchos muy más mí mía mío nada nadie ni ninguna ninguno ningún no noche nos nosotras nosotros nuestra
    nuestras nuestro nuestros nueva nuevas nuevo nuevos nunca o os otra otras otro otros para parece parte pasado
    peor pequeña pequeñas pequeño pequeños pero poca pocas poco pocos poder podía por porque primer primera primero
    pronto pude puede pueden puedo pues que quedar querer quien quienes quiere quiero quise quizá quizás quién qué
    sabe saber se sea seguro según semana semanas ser será si sido siempre siendo sigo sigue sin sino sobre sois
    solamente solo somos son soy su suele sus suya suyo sí sólo tal también tampoco tan tanta tanto tarde te tenemos
    tener tenga tengo tenía ti tiempo tiene tienen toda todas todavía todo todos tras tres tu tus tuve tuvo tuyo tú
    un una unas uno unos usted ustedes va vamos van varias varios ve veces ver vez vi vosotros voy vuestra vuestro y
    ya yo él último
    """
}
