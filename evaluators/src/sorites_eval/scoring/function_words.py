"""Closed classes of words in many languages: what denies, doubts, joins, gives reasons, announces.

Content words are not listed, for there is no end of them; where a text announces its answer by
a separator, or says nothing but its answer, no list is needed in any language. Words are
casefolded and in NFKC. Scripts without spaces are searched for pieces, not words.
"""

from __future__ import annotations

__all__ = [
    "ALTERNATING",
    "ANNOUNCING",
    "ANNOUNCING_PIECES",
    "ARTICLES",
    "ASKING_ENDS",
    "CONCLUDING",
    "CONDITIONS",
    "CONDITION_PIECES",
    "COPULAS",
    "DENYING",
    "DENYING_PIECES",
    "DOUBTING",
    "DOUBTING_PIECES",
    "FINAL_COPULAS",
    "JOINING",
    "OFFERING",
    "PREMISING",
    "QUALIFYING",
    "RANGING",
    "REASONING",
    "REPEATING",
    "REPORTING",
    "WRONG",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DENYING = _words(
    "not never no none nobody nothing cannot neither nor without non hardly far rarely "
    "seldom nicht nie niemals kein keine keinen weder ne pas jamais non aucun aucune ni "
    "sans nunca jamás tampoco ningún ninguna sin não nem nenhum mai nessun nessuna né senza "
    "niet nooit geen noch nu niciodată nici fără δεν δε μη μην ποτέ ούτε не нет ни никогда "
    "без ні nie nigdy ani není ne nikdy değil hayır asla inte ej aldrig ikke ei aldri nem "
    "soha sem tidak bukan jangan không chẳng ليس ليست لا لم لن غير ما לא אינו אינה אין नहीं "
    "ना मत"
)
DENYING_PIECES = (
    *("ない", "ません", "なく", "ず", "不", "没", "沒", "非", "無", "无", "未", "否", "別"),
    *("아니", "아닙", "않", "못", "안 ", "ไม่", "มิ"),
)
WRONG = _words(
    "wrong incorrect mistaken untrue nope nah falsch verkehrt faux fausse incorrecto "
    "incorrecta errado errada incorreto sbagliato errato fout onjuist greșit λάθος неверно "
    "неправильно nie yanlış fel feil forkert väärin hibás salah sai خطأ שגוי ग़लत गलत"
)
DOUBTING = _words(
    "maybe perhaps possibly might may could doubt doubtful unsure uncertain unclear unknown "
    "if whether unless suppose supposing assume assuming guess wonder vielleicht "
    "möglicherweise könnte ob falls wenn zweifle bezweifle unsicher unklar peut "
    "possiblement si doute pourrait quizá quizás posiblemente acaso dudo podría talvez "
    "possivelmente se duvido poderia forse dubito potrebbe misschien mogelijk twijfel poate "
    "dacă îndoiesc ίσως αν εάν μπορεί αμφιβάλλω может возможно если ли сомневаюсь może być "
    "czy jeśli wątpię možná jestli zda belki eğer şüphe şüpheliyim kanske om tvivlar måske "
    "hvis tvivler kanskje ehkä jos epäilen talán ha mungkin jika ragu nếu ربما إذا أشك אולי "
    "אם शायद अगर"
)
DOUBTING_PIECES = (
    "かも",
    "もし",
    "可能",
    "也许",
    "也許",
    "如果",
    "或许",
    "疑",
    "아마",
    "만약",
    "อาจ",
)
CONDITIONS = _words(
    "if wenn falls si se indien jeśli jeżeli если якщо dacă αν εάν hvis om jos ha jika eğer nếu "
    "إذا אם अगर pokud jestliže"
)
"""At the head of a sentence these make what follows hold under a condition alone."""
CONDITION_PIECES = ("如果", "もし", "만약", "假如")
ALTERNATING = _words(
    "else otherwise sonst ansonsten andernfalls sinon autrement sino altrimenti senão anders "
    "inaczej иначе інакше altfel αλλιώς annars ellers muuten különben jinak"
)
"""What these lead to holds where a condition does not."""
REPORTING = _words(
    "says said claims claimed asserts asserted answered replied wrote states argues argued "
    "thinks believes sagt sagte behauptet behauptete glaubt antwortete dit prétend affirme "
    "dice dijo afirma diz disse говорит сказал утверждает"
)
"""Directly before a label these give it as the word of someone else."""
ASKING_ENDS = ("か", "かな", "吗", "嗎", "呢", "인가", "까", "나요", "가요", "หรือ", "ไหม")
OFFERING = _words(
    "or either versus vs oder ou o u of sau ή или либо lub albo nebo veya ya eller tai vagy "
    "atau hoặc أو או या"
)
"""Between two labels, or after one, these offer another."""
JOINING = OFFERING | _words("and & und et y e ed en și και и i a ve och og ja és dan và و ו और")
RANGING = _words("to through thru till until bis à a al até fino tot до do až la έως μέχρι")
REASONING = _words(
    "because since given weil denn parce puisque car porque pues perché poiché siccome pois "
    "omdat aangezien deoarece fiindcă επειδή γιατί διότι αφού потому поскольку ponieważ bo "
    "gdyż protože neboť çünkü eftersom fordi koska mert mivel karena sebab vì bởi لأن כי "
    "क्योंकि"
)
CONCLUDING = _words(
    "so therefore thus hence consequently accordingly ergo but daher deshalb somit folglich "
    "also aber donc ainsi mais luego entonces pero portanto logo assim mas quindi dunque "
    "pertanto ma dus daarom maar deci dar άρα επομένως συνεπώς αλλά следовательно поэтому "
    "значит но więc zatem dlatego ale tedy proto yani dolayısıyla ama alltså därför men "
    "altså derfor siten joten tehát ezért jadi maka إذن לכן इसलिए"
)
ANNOUNCING = _words(
    "answer answers verdict label output result response solution choice option judgment "
    "judgement prediction classification choose chose pick select go antwort ergebnis "
    "urteil lösung wähle réponse reponse résultat choix choisis respuesta resultado "
    "elección elijo escojo opción resposta escolha escolho opção risposta scelta scelgo "
    "opzione antwoord keuze kies răspuns răspunsul alegerea aleg απάντηση επιλογή επιλέγω "
    "αποτέλεσμα ответ ответом выбор выбираю вариант відповідь вибір odpowiedź odpowiedzią "
    "wybór wybieram odpověď volba vybírám cevap cevabı cevabım yanıt yanıtı seçenek svar "
    "svaret val svarer väljer vastaus valitsen válasz válaszom választás jawaban jawabannya "
    "pilihan الجواب الإجابة إجابة جواب תשובה התשובה उत्तर जवाब"
)
ANNOUNCING_PIECES = ("答", "回答", "选", "選", "정답", "답", "คำตอบ", "ตอบ", "正解", "结果", "結果")
COPULAS = _words(
    "is was be it's that's ist wäre lautet est c'est serait es sería é è sarà is este e "
    "είναι является это jest je olan är er ole adalah là هو هي הוא היא"
)
FINAL_COPULAS = _words("है हैं ہے হয় olmalı olmalıdır olur dir dır dur dür tir tır")
REPEATING = _words("that dass daß que che dat că ότι πως что że že at att hogy bahwa rằng أن ש कि")
"""After a label these begin the statement that it is said of."""
QUALIFYING = _words("correct right final best only proper the la el le die das der il o a")
ARTICLES = _words("a an the")
PREMISING = _words(
    "premise premises of from by on based using used uses via per with follows following "
    "through due prémisse prémisses premisa premisas prämisse prämissen premissa premissas "
    "premessa premesse premisse premissen"
)
"""What may stand before a list of premises and takes none of them away."""
