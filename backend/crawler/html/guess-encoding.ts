/**
 * Guesses the encoding of a text that declares none and is not UTF-8, as browsers do: from the letters that the languages of an encoding use.
 * Plain texts and tables in Shift_JIS, GBK or windows-1251 are mostly served without a charset.
 */
import { isAscii } from 'node:buffer'

/** Bytes beyond ASCII decide, and some thousand of them are enough. */
const SAMPLE_BYTES = 4096
/** Fewer letters beyond ASCII tell nothing. */
const LEAST_LETTERS = 4
/** Wrong guesses stay below. */
const LEAST_SCORE = 0.4
/** The same between encodings of Latin letters: 0.8 is one foreign letter in ten. Names of several western languages reach 0.7 as Czech. */
const LEAST_LATIN_SCORE = 0.8
/** By how much a later encoding must be better. */
const MARGIN = 0.02
/** Nothing can be better. */
const CERTAIN = 0.95
/** A text is UTF-8 with errors if it has this many valid characters for each invalid one. */
const MANY = 4
/** A text in one byte for each letter is rarely valid in an encoding with two. */
const FOR_VALID_PAIRS = 0.25
/** A letter that is used, but not among the frequent ones, and one that is not used at all. */
const RARE = 0.3
const FOREIGN = -1

/** Encodings of Latin letters, and the letters of their languages. Of equal ones the first counts. */
const LATIN: readonly [encoding: string, letters: string][] = [
  ...['äöüßåæøéà', 'éèàêçâîôùûœëïüæÿ', 'áéíóúñüàèòïç¿¡', 'ãõçáéíóúâêôàü', 'àèéìòùî', 'áéíóúýþæöð'].map((letters): [string, string] => [
    'windows-1252',
    letters,
  ]),
  ...['windows-1250', 'ISO-8859-2'].flatMap((encoding) =>
    ['ąćęłńóśźż', 'áčďéěíňóřšťúůýžľĺŕôä', 'áéíóöőúüű', 'ăâîşţ', 'čćđšž'].map((letters): [string, string] => [encoding, letters]),
  ),
  ['windows-1254', 'ğışçöüâîûİ'],
]

const CYRILLIC = 'оеаинтсрвлкмдпуябгзьчійжєї'
const CYRILLIC_LETTER = /[а-яёіїєґўђјљњћџѓќѕ]/iu
const JAPANESE =
  'のにはをたがでてとしれさるいもなかあこりおくまうっそンスルトリラアーイクシレドテ日一人年大本中国出学時行月分会社市県区町村所業事者名電話番号場東書合部内方新上下地発表同高体用作開金理'
const JAPANESE_LETTER = /[\u3041-\u30ff\u4e00-\u9fa0々]/u

/** Encodings of other scripts: their most frequent letters in this order, a pattern of all of them, and whether a letter has two bytes. */
const OTHERS: readonly [encoding: string, frequent: string, all: RegExp, isWide: boolean][] = [
  ['windows-1251', CYRILLIC, CYRILLIC_LETTER, false],
  ['KOI8-U', CYRILLIC, CYRILLIC_LETTER, false],
  ['windows-1253', 'αειοτνςσρπκλμυηόίάέδγή', /[α-ωάέήίόύώϊϋΐΰ]/iu, false],
  ['windows-1255', 'יוהלאמרתבשנםדקעפחטכגצזסן', /[א-ת\u05b0-\u05c2]/u, false],
  ['windows-1256', 'اليمونرتبسدعكفهقحجشصطةأ', /[\u0621-\u0652پچژگٹڈڑںھہےک]/u, false],
  ['windows-874', 'านรอกเงมยลวดทสตะปบคหแจพชขใไ่้ัี็ิ์ื', /[\u0e01-\u0e5b]/u, false],
  ['Shift_JIS', JAPANESE, JAPANESE_LETTER, true],
  ['EUC-JP', JAPANESE, JAPANESE_LETTER, true],
  [
    'GBK',
    '的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手用主行方如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市',
    /[\u4e00-\u9fa5]/u,
    true,
  ],
  [
    'Big5',
    '的一是不了人我在有他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可里後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手用主行方如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種聲全工己話兒者向情部正名定女問力機給等幾很業最間新什打便位因重被走電四第門相次東政海口使教西再平真聽世氣信北少關並內加化由卻代軍產入先山五太水萬市',
    /[\u4e00-\u9fa5]/u,
    true,
  ],
  [
    'EUC-KR',
    '이다는의에가을로하고사지기를한인은대도자시나어리서정아해보스일그수들있과부전것제라니게장주상지성면구여까원만오년동용신공우문제국생비',
    /[가-힣]/u,
    true,
  ],
]

/** @returns an encoding as the standard names it; null if the letters are too few, or of no language known here */
export function guessEncoding(bytes: Uint8Array, decodeAs: (encoding: string, bytes: Uint8Array) => string): string | null {
  const sample = sampleOf(bytes)
  let best: string | null = null
  let bestScore = LEAST_SCORE
  let counts: Counts = { encoding: '', letters: new Map(), all: 0 }
  const countsOf = (encoding: string) => {
    if (counts.encoding !== encoding) counts = countLetters(encoding, decodeAs(encoding, sample))
    return counts
  }
  const take = (encoding: string, score: number) => {
    if (score <= bestScore) return
    best = encoding
    bestScore = score + MARGIN
  }
  if (isBrokenUtf8(decodeAs('UTF-8', sample))) return 'UTF-8'
  if (countsOf('windows-1252').all < LEAST_LETTERS) return null
  for (const [encoding, letters] of LATIN) {
    const score = scoreOf(countsOf(encoding), (letter) =>
      letters.includes(letter) || letters.includes(letter.toLowerCase()) ? 1 : FOREIGN,
    )
    if (encoding === 'windows-1252' || score >= LEAST_LATIN_SCORE) take(encoding, score)
  }
  if (bestScore > CERTAIN) return best
  for (const [encoding, frequent, all, isWide] of OTHERS) {
    const score = scoreOf(countsOf(encoding), (letter) => {
      const rank = frequent.indexOf(letter)
      return rank >= 0 ? 1 - ((1 - RARE) * rank) / frequent.length : all.test(letter) ? RARE : FOREIGN
    })
    take(encoding, isWide && score >= RARE && !counts.letters.has(STRANGE) ? score + FOR_VALID_PAIRS : score)
  }
  return best
}

/** Was the text cut within a character, or has it a few wrong ones? */
function isBrokenUtf8(text: string): boolean {
  let invalid = 0
  let valid = 0
  for (const letter of text)
    if (letter === STRANGE) invalid += 1
    else if (letter > '\u007f') valid += 1
  return valid > MANY * invalid
}

/** The pieces of a text between tags and lines that have bytes beyond ASCII. No encoding uses `<`, `>` or a line feed within a character. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(SAMPLE_BYTES)
  let length = 0
  let start = 0
  let isPlain = true
  for (let at = 0; at <= bytes.length && length < SAMPLE_BYTES; at++) {
    const byte = at === bytes.length ? LINE_FEED : bytes[at]!
    if (byte > 127) isPlain = false
    if (byte !== LINE_FEED && byte !== LESS && byte !== GREATER) continue
    if (!isPlain) {
      const piece = bytes.subarray(start, Math.min(at, start + SAMPLE_BYTES - length - 1))
      sample.set(piece, length)
      length += piece.length
      sample[length++] = LINE_FEED
    }
    start = at + 1
    isPlain = true
  }
  return sample.subarray(0, length)
}

const [LINE_FEED, LESS, GREATER] = [10, 60, 62]

type Counts = { encoding: string; letters: Map<string, number>; all: number }

/**
 * How often each letter beyond ASCII occurs. What no text has counts as U+FFFD: undefined bytes, symbols within words, and words of two
 * scripts.
 */
function countLetters(encoding: string, text: string): Counts {
  const letters = new Map<string, number>()
  let all = 0
  for (const [found, strange] of text.matchAll(LETTER)) {
    const letter = strange === undefined ? found : STRANGE
    letters.set(letter, (letters.get(letter) ?? 0) + 1)
    all += 1
  }
  return { encoding, letters, all }
}

const STRANGE = '\ufffd'
const LETTER =
  /([\ufffd\x80-\x9f\p{Co}]|(?<=\p{L})[[\p{S}\p{No}«»]--[\0-\x7f]](?=\p{L})|(?<=[a-z])[\p{Script=Han}\p{Script=Hangul}](?=[a-z])|(?<=[a-z])[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}]|[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}](?=[a-z]))|[[\p{L}\p{M}¿¡]--[\0-\x7f]]/giv

function scoreOf({ all, letters }: Counts, weightOf: (letter: string) => number): number {
  if (all < LEAST_LETTERS) return 0
  let score = 0
  for (const [letter, count] of letters) score += count * weightOf(letter)
  return score / all
}

/** Old Japanese mail and pages of its archives: seven bits, switched by escapes. */
export function isJapaneseMail(bytes: Uint8Array): boolean {
  const escape = bytes.indexOf(0x1b)
  return escape >= 0 && bytes[escape + 1] === 0x24 && (bytes[escape + 2] === 0x42 || bytes[escape + 2] === 0x40) && isAscii(bytes)
}
