/**
 * Detects the language of a text: by its script, and within a script by the most frequent words and by letters that only some languages
 * have. Reads only the start of the text; used for pages that do not declare a language.
 */

const MAX_SAMPLE = 4000
/** A text with fewer letters is a name or a label. */
const LEAST_LETTERS = 20
const LEAST_WORDS = 8
/** Least share of function words: a third in running text; in lists and code much less. */
const LEAST_SHARE = 0.08

/** Scripts with (nearly) one language: range of code points, the end exclusive, and the language. */
const SCRIPTS: readonly [from: number, to: number, language: string][] = [
  [0x0041, 0x024f, 'Latin'],
  [0x0370, 0x03ff, 'el'],
  [0x0400, 0x052f, 'Cyrillic'],
  [0x0531, 0x058f, 'hy'],
  [0x0591, 0x05f4, 'he'],
  [0x0620, 0x077f, 'Arabic'],
  [0x0900, 0x097f, 'Devanagari'],
  [0x0980, 0x09ff, 'bn'],
  [0x0a00, 0x0a7f, 'pa'],
  [0x0a80, 0x0aff, 'gu'],
  [0x0b00, 0x0b7f, 'or'],
  [0x0b80, 0x0bff, 'ta'],
  [0x0c00, 0x0c7f, 'te'],
  [0x0c80, 0x0cff, 'kn'],
  [0x0d00, 0x0d7f, 'ml'],
  [0x0d80, 0x0dff, 'si'],
  [0x0e00, 0x0e7f, 'th'],
  [0x0e80, 0x0eff, 'lo'],
  [0x0f00, 0x0fff, 'bo'],
  [0x1000, 0x109f, 'my'],
  [0x10a0, 0x10ff, 'ka'],
  [0x1100, 0x11ff, 'ko'],
  [0x1200, 0x137f, 'am'],
  [0x1780, 0x17ff, 'km'],
  [0x1e00, 0x1eff, 'Latin'],
  [0x3041, 0x30ff, 'ja'],
  [0x3400, 0x9fff, 'Han'],
  [0xac00, 0xd7af, 'ko'],
]

/** The most frequent words of each language, by script; words that many languages share count less. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Latin: {
    en: 'the and of to in is that for it with was on are be this as by at from have or not you which an were has will their its can but they his',
    de: 'der die und das den von zu mit ist sich des auf für nicht ein eine dem im auch als es an werden aus er hat dass sie nach wird bei einer um sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch wir ich kann',
    fr: 'le la les de des et un une du en dans que qui est pour pas sur au par plus avec ce il se ne sont cette ou ont être aux mais comme son sa elle nous vous fait leur été aussi ses',
    es: 'el la los las de y en que un una por con para del se no es su al lo como más pero sus este ha sobre fue son también entre está cuando muy sin hay ser desde esta o años todo',
    pt: 'o a os as de e que em um uma do da para com não no na por dos das se mais é ao foi como mas são seu sua pelo pela ou também já entre ser está quando muito até isso você há nos',
    it: 'il lo la i gli le di e che un una in per con non del della è si da sono come anche al ha più dei nel alla delle ma su questo dal gli degli suo essere nella stato cui tra',
    nl: 'de het een en van in is dat op te zijn met voor niet aan er om ook als bij door maar naar uit nog over worden wordt heeft hij dit deze was ze kan hebben werd wat dan meer zich tot je',
    sv: 'och i att det som en på är av för med den till inte ett har de om var men från kan så vi ska jag man eller när ut sig efter vid hade nu över också mot där mer bara under',
    da: 'og i at det er en til af på de den for med der ikke et som har han var om jeg fra men kan vi skal sig eller så også ved efter blev hun havde nu over bliver ud være meget mange',
    nb: 'og i det er på en til av som for med at de ikke den et har han var om fra men kan vi skal seg eller så også ved etter ble hun hadde nå over blir ut være mye mange jeg',
    fi: 'ja on ei että se oli ovat kun mutta hän myös ole joka tai olla niin sen mukaan kuin vain jos voi sitä jo ne vuonna jotka kanssa mitä nyt sekä siitä minä tämä ollut eivät',
    et: 'ja on ei et see ka oli kui oma ning aga mis selle või siis kes mida tema seda nii ma veel ta olla ole pärast välja juba mille üle ainult kuid peale',
    pl: 'i w na z się nie do to że jest o jak od po za przez co dla ale są tym oraz może był tak już jego czy być tylko które który która było ich jej także przed ze by we',
    cs: 'a se v na je že s z do o to i ve by pro jsou jako ale po byl jeho bylo také který nebo už která které má být podle tak od při však jen byla za pak ještě',
    sk: 'a sa v na je že s z do o to aj vo by pre sú ako ale po bol jeho bolo tiež ktorý alebo už ktorá ktoré má byť podľa tak od pri však len bola za so keď ešte',
    sl: 'in je se v na da za so ki pa z s ne tudi ni bi kot po ali pri bo od še do bil sem ker iz ko biti le če kaj te ter lahko bila',
    hr: 'i je u se na da su za od s a o koji će što kao ne to iz bi ili nije ali samo te po sve koja koje kako bio do prije nakon biti još bila može',
    hu: 'a az és hogy nem is egy van meg de volt csak ez azt el még már mint fel ki ha vagy kell aki ami nincs után között amely minden ezt lesz',
    ro: 'de și în a la cu pe nu care este din o să un mai că se pentru au fi sau ce fost prin după dar acest sunt ca am această lui fără către sa',
    tr: 've bir bu da de için ile çok olarak daha olan gibi kadar ne en sonra ama var ise her o mi değil oldu göre şey ben iki olduğu diye tarafından yok',
    vi: 'và của là có trong được cho không với các một người những đã này để khi từ đến ra về năm cũng như tại theo sẽ nhiều nhưng hay ở vào',
    id: 'yang dan di dari untuk dengan ini itu pada dalam tidak akan adalah ke juga oleh sebagai mereka ada bisa karena atau telah saya lebih kami anda dapat saat tersebut menjadi seperti',
    ca: 'de la i el que a en per les els del un una amb no és al es va com més són dels o ha aquest seva però també ser seu entre aquesta fins pel molt hi',
    sq: 'të e në dhe për me një që nga i se është më ka nuk si do u kjo ky por janë pas edhe kanë duke këtë ishte çdo',
    lt: 'ir kad yra į iš su tai kaip bet buvo jis ne nuo jo po už tik ar per apie dėl dar prie taip gali labai jau metų kuris savo',
    lv: 'un ir ka ar no par uz tas kas bet gan vai lai pie bija arī kā to ne pēc tikai jau gada var tiek ļoti šo savu',
    is: 'og að í er á það sem til um með var ekki við en af hann fyrir ég eru því hafa frá þetta verið eða eftir þess ',
    af: 'die en van het is in nie te dat vir met op wat om ook sy hy was word deur kan aan maar as sal uit nog by my ons oor',
    sw: 'na ya wa kwa ni katika za la cha kuwa hii hiyo kama yake watu lakini pia huo sana baada moja wake',
    tl: 'ang ng sa na mga at ay si ni para hindi ito siya ko mo niya kung may pa nang rin lang sila isang ',
    eu: 'eta da bat ez du ere dira izan zen baina egin den dute zuen hau baino edo dela beste ondoren arte',
    gl: 'o a os as de e que en un unha do da para con non no na por dos das se máis é ao foi como pero son seu súa tamén ou polo pola á xa moi',
  },
  Cyrillic: {
    ru: 'и в не на что с по как это из но за от для он к все так его до также мы вы или она только уже был при если чтобы может быть была были году когда',
    uk: 'і в не на що з та до як за у є це від для про але він його також були бути було чи після або ще який які була вже якщо може так',
    be: 'і ў не на што з да як за гэта але ад для ён яго таксама былі быць было ці пасля або яшчэ які якія была ужо калі можа',
    bg: 'и на в да за се от е с че не са по като това до но ще при след което беше който има която които или още само си той бе',
    sr: 'и је у се на да су за од са а о који ће што као не то из би или није али само по све која које како био до пре након бити још',
    mk: 'и на во да се за од е со не што го ги по како но ќе ја кој или ова при до има кои која само беше уште',
    kk: 'және мен бұл бір үшін да де деп емес болып осы керек бар ол жылы қазақстан туралы немесе дейін кейін',
    mn: 'нь байна юм болон энэ гэж бол ба ийн оны дээр гэсэн тухай хийх байсан',
  },
  Arabic: {
    ar: 'في من على إلى أن التي عن هذا مع هذه الذي ما كان لا أو كما قد بعد بين كل ذلك لم وقد حيث كانت عند وهو غير وفي ومن',
    fa: 'و در به از که این را با است برای آن یک خود تا کرد بر هم نیز می شد شده اما های بود شود یا وی باید',
    ur: 'کے کی میں ہے اور سے کا کو اس یہ ہیں نے پر کہ بھی ایک نہیں تھا کر ہو جو ان گیا تو لیے',
    ps: 'د په او چې دی له ته کې یې سره نه هم دا شي کړي وي پر',
    ckb: 'لە بە و کە بۆ ئەو ئەم لەگەڵ دەکات کرد بوو دەبێت هەموو',
  },
  Devanagari: {
    hi: 'के में की है और से का को पर ने कि यह हैं इस भी एक नहीं था कर हो लिए तो जो गया वह थी किया अपने',
    mr: 'आहे आणि या हे तर व ते की एक आहेत होते मध्ये करून होता साठी झाली म्हणून नाही त्या केली असे काही',
    ne: 'र छ को मा हो यो पनि एक भने गर्न गरेको थियो छन् तर लागि हुन गर्ने नेपाल भएको उनले यस',
  },
}

/** Letters that only few languages of a script use: each counts like a word. */
const LETTERS: Readonly<Record<string, string>> = {
  de: 'ß',
  pl: 'łąęśżźćń',
  cs: 'řůě',
  sk: 'ľĺŕô',
  hu: 'őű',
  ro: 'țșţăâ',
  tr: 'ğışİ',
  vi: 'ơưạảấầẩậắằặẹẻếềểệịọỏốồổộớờởợụủứừửựỳỹ',
  lv: 'āēīūģķļņ',
  lt: 'ėįųūč',
  is: 'ðþ',
  da: 'æø',
  nb: 'æø',
  et: 'õ',
  uk: 'іїєґ',
  be: 'ўі',
  ru: 'ыэё',
  sr: 'ђћљњџј',
  mk: 'ѓќѕљњџј',
  bg: 'ъщ',
  kk: 'әғқңөұүһі',
  mn: 'өү',
  fa: 'پچژگی',
  ur: 'ٹڈڑںےہ',
  ckb: 'ەێۆڵڕ',
  ps: 'ټډړږښڼې',
  sl: 'čšž',
  hr: 'đć',
  es: 'ñ¿¡',
  pt: 'ãõ',
}

type Script = { words: Map<string, [language: string, weight: number][]>; letters: Map<string, string[]> }

/** Built when the first page needs it: most pages declare their language. */
let scripts: Map<string, Script> | null = null

function scriptsOf(): Map<string, Script> {
  if (scripts !== null) return scripts
  scripts = new Map()
  for (const [name, languages] of Object.entries(WORDS)) {
    const words: Script['words'] = new Map()
    const letters: Script['letters'] = new Map()
    for (const [language, list] of Object.entries(languages)) {
      for (const word of new Set(list.trim().split(' '))) words.set(word, [...(words.get(word) ?? []), [language, 1]])
      for (const letter of LETTERS[language] ?? '') letters.set(letter, [...(letters.get(letter) ?? []), language])
    }
    // A word of several languages counts less for each of them.
    for (const shared of words.values()) for (const entry of shared) entry[1] = 1 / Math.sqrt(shared.length)
    scripts.set(name, { words, letters })
  }
  return scripts
}

/**
 * Returns the language of a text as an ISO 639 code of two letters (or three, where there is no shorter one).
 *
 * @param text  Markdown or plain text
 * @returns  null when the text is too short or too mixed to tell
 */
export function detectLanguage(text: string): string | null {
  const sample = text
    .slice(0, 2 * MAX_SAMPLE)
    .replace(/```[^]*?(?:```|$)|\]\([^()\s]*\)?|<?https?:\S*|`[^`\n]*`/g, ' ')
    .slice(0, MAX_SAMPLE)
  const counts = new Map<string, number>()
  let letters = 0
  for (let at = 0; at < sample.length; at++) {
    const script = scriptOf(sample.charCodeAt(at))
    if (script === null) continue
    letters++
    counts.set(script, (counts.get(script) ?? 0) + 1)
  }
  // A character of Han, Hangul or kana counts like two or three letters.
  const weighed = letters + ((counts.get('Han') ?? 0) + (counts.get('ja') ?? 0) + (counts.get('ko') ?? 0)) * 2
  if (weighed < LEAST_LETTERS) return null
  const kana = counts.get('ja') ?? 0
  const han = counts.get('Han') ?? 0
  if (kana + han > 0.3 * letters) return kana > 0.05 * (kana + han) ? 'ja' : 'zh'
  const [script, count] = [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most))
  if (count < 0.4 * letters) return null
  return WORDS[script] === undefined ? script : byWords(sample, script)
}

function scriptOf(code: number): string | null {
  if (code < 0x80) return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ? 'Latin' : null
  if (code === 0xd7 || code === 0xf7 || (code < 0xc0 && code >= 0x80)) return null
  for (const [from, to, script] of SCRIPTS) if (code <= to) return code >= from ? script : null
  return null
}

function byWords(sample: string, name: string): string | null {
  const script = scriptsOf().get(name)!
  const scores = new Map<string, number>()
  const add = (language: string, weight: number) => scores.set(language, (scores.get(language) ?? 0) + weight)
  const words = sample.toLowerCase().match(/[\p{L}\p{M}\u200c]+/gu) ?? []
  if (words.length < LEAST_WORDS) return null
  for (const word of words) {
    for (const [language, weight] of script.words.get(word) ?? []) add(language, weight)
    for (const letter of word) {
      if (letter.charCodeAt(0) < 128) continue
      const languages = script.letters.get(letter)
      if (languages !== undefined) for (const language of languages) add(language, 0.3 / languages.length)
    }
  }
  const [best, second] = [...scores].sort((a, b) => b[1] - a[1])
  if (best === undefined || best[1] < LEAST_SHARE * words.length || best[1] < 2) return null
  // Similar languages such as Danish and Norwegian score close together, so a small lead is enough.
  return second !== undefined && best[1] < 1.02 * second[1] ? null : best[0]
}
