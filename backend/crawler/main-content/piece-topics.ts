import { TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import { startOfNodes } from '#backend/crawler/html/tree-text.ts'

/** Words of short pieces that are not part of the text, in the languages of most pages. */
const TOPICS = {
  photo:
    'foto fotos photo photos photographer fotograf photographe fotografía fotografia photographie bild bilder bildquelle bildnachweis titelbild beitragsbild archivbild archivfoto symbolbild symbolfoto image images picture credit credits crédit crédits getty shutterstock istock unsplash reuters afp dpa imago quelle source fuente fonte фото 写真 图片 사진',
  pointer:
    'related also similar recommended popular previous next weiterlesen weitere weiterer vorheriger vorherige nächster nächste empfehlungen lea vea leer también leggi czytaj zobacz leia veja читайте 関連 相关',
  subscription:
    'newsletter newsletters newsletteranmeldung abo abbonati subscribe subscriber subscribers subscription abonnieren abonniere abonnez abonner abonnement suscríbete suscribirse assine inscreva iscriviti inscription anmelden anmeldung registrieren register facebook twitter instagram telegram whatsapp youtube pinterest подписывайтесь подписаться',
  comment:
    'comment comments kommentar kommentare kommentaren kommentieren commentaire commentaires comentario comentarios comentário comentários comentar commenti commento reply replies antworten trackback login einloggen комментарии コメント 评论',
  legal:
    '© copyright licence license lizenz privacy datenschutz datenschutzerklärung cookie cookies impressum disclaimer agb nutzungsbedingungen confidentialité privacidad',
}
/** The topics of each word, as bits in the order of `TOPICS`. */
const TOPIC_OF = new Map<string, number>()
Object.values(TOPICS).forEach((words, topic) =>
  words.split(' ').forEach((word) => TOPIC_OF.set(word, (TOPIC_OF.get(word) ?? 0) | (1 << topic))),
)
export const TOPIC_COUNT = Object.keys(TOPICS).length
const POINTER_BIT = 1 << Object.keys(TOPICS).indexOf('pointer')
const POINTER_PHRASE =
  /^[^\p{L}\p{N}]*(?:read (?:more|also|next)|see (?:also|more)|more (?:on|from|about)|l(?:esen|ies) (?:sie )?auch|mehr (?:zu|zum|lesen)|auch interessant|das könnte|lire aussi|à lire|voir aussi|le(?:er)? más|(?:te|le) puede|lees ook|läs också)/iu
/** Bit for the first words of the phrases: the pattern is tried only where one of them occurs. */
const MAYBE_POINTER = 1 << TOPIC_COUNT
for (const word of 'read see more lesen lies mehr auch das lire à voir le leer te lees läs'.split(' '))
  TOPIC_OF.set(word, (TOPIC_OF.get(word) ?? 0) | MAYBE_POINTER)

/** Is there a topic word with this hash? Saves nearly all lookups. */
const POSSIBLE = new Uint8Array(4096)
const hashed = (hash: number, code: number) => (hash << 5) ^ (code | 32)
const placeOf = (hash: number) => (hash ^ (hash >>> 12) ^ (hash >>> 24)) & 4095
for (const word of TOPIC_OF.keys())
  for (const form of [word, word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1)]) {
    let hash = 0
    for (let at = 0; at < form.length; at++) hash = hashed(hash, form.charCodeAt(at))
    POSSIBLE[placeOf(hash)] = 1
  }
const LETTERS = new Uint8Array(256)
LETTERS.fill(1, 65, 91).fill(1, 97, 123).fill(1, 0xa9)

/** The state of a scan. Shared, because a closure per piece would cost as much as the scan itself. */
const scan = { topics: 0, words: 0, left: 0 }

/** The topics of a short text. One pass over its characters: this runs for many pieces of every page. */
export function topicsOf(nodes: readonly TreeNode[]): number {
  scan.topics = 0
  scan.words = 0
  scan.left = TOPIC_LENGTH
  scanNodes(nodes)
  const { topics } = scan
  return (topics & MAYBE_POINTER) !== 0 && POINTER_PHRASE.test(startOfNodes(nodes, TOPIC_LENGTH)) ? topics | POINTER_BIT : topics
}

function scanNodes(nodes: readonly TreeNode[]): void {
  for (const node of nodes) {
    if (scan.left <= 0) return
    if (node instanceof TextNode) scanText(node.data)
    else if (!node.dropped && !node.tag.silent) scanNodes(node.children)
  }
}

/** A single, rarely taken branch: word ends are too irregular for branch prediction. */
function scanText(text: string): void {
  const end = text.length < scan.left ? text.length : scan.left
  scan.left -= end
  let { words } = scan
  let hash = 0
  let length = 0
  let before = 0
  for (let at = 0; at <= end; at++) {
    const code = at < end ? text.charCodeAt(at) : 32
    const isLetter = code < 256 ? LETTERS[code]! : 1
    const ends = before & (isLetter ^ 1)
    if ((ends & POSSIBLE[placeOf(hash)]!) === 1) {
      const known = TOPIC_OF.get(text.slice(at - length, at).toLowerCase()) ?? 0
      scan.topics |= words === 0 ? known : known & ~MAYBE_POINTER
    }
    words += ends
    hash = hashed(hash, code) & -isLetter
    length = (length + 1) & -isLetter
    before = isLetter
  }
  scan.words = words
}

/** Characters at a piece's start that are read for its topic. Measured on marked pages: more do not improve the choice. */
const TOPIC_LENGTH = 80
