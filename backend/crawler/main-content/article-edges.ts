import { attributeOf, ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { endsLine, lineStart, textOfLine, startsLine } from '#backend/crawler/html/loose-lines.ts'
import { isEmphasised } from './page-pieces.ts'
import { endOf, namesHeading, holds, plainWords, startOf, startOfNodes } from '#backend/crawler/html/tree-text.ts'

/** A piece with so many characters outside links is a paragraph. */
const PARAGRAPH = 80
/** So many characters outside elements at the end of a text belong to it. */
const LINE = 20
/** A piece of this length between headline and text is the lead, not a label, a date or a name. */
const LEAD = 50

/**
 * Drops everything above the first paragraph of an article that is not part of its text: breadcrumbs, section, headline, the line under it,
 * date and author.
 *
 * @param title          of the page in plain words
 * @param keepsHeadline  keeps the first heading with the title
 * @param parts          belong to the text
 * @returns  that heading, if it is kept
 */
export function dropOpening(root: ElementNode, title: string, keepsHeadline: boolean, parts: ReadonlySet<ElementNode>): ElementNode | null {
  const titleWords = new Set(title.split(' '))
  let isBelowHeadline = false
  let headline: ElementNode | null = null
  const headings = new Map<ElementNode, Map<string, number>>()
  walk(root, false)
  return headline

  /** @returns has the text begun? */
  function walk(element: ElementNode, inHeader: boolean): boolean {
    for (let at = 0; at < element.children.length; at++) {
      const child = element.children[at]!
      if (element.hasBlock && startsLine(element, at) && textOfLine(element, at) > PARAGRAPH) return true
      if (child instanceof TextNode) continue
      if (child.dropped || child.textLength === 0) continue
      if (parts.has(child)) return true
      const isInside = inHeader || child.name === 'header' || isIntroduction(child)
      if (isWhole(child) ? judge(child, isInside) : walk(child, isInside)) return true
    }
    return false
  }

  function judge(piece: ElementNode, inHeader: boolean): boolean {
    const { textLength, linkLength, name } = piece
    const plain = textLength - linkLength
    if (namesHeading(name)) {
      if (saysTitle(piece)) {
        if (keepsHeadline && headline === null) headline = piece
        else piece.dropped = true
        isBelowHeadline = true
      } else if (name === 'h1') isBelowHeadline = true
      else if (linkLength * 2 > textLength) piece.dropped = true
      else return isBelowHeadline && (textLength < 40 || isOneOfSeveral(piece))
      return false
    }
    if (name === 'figure') return false
    if (linkLength * 2 > textLength && textLength < 200 && !SENTENCE_END.test(endOf(piece))) {
      piece.dropped = true
      return false
    }
    if ((name === 'ul' || name === 'dl') && textLength < 100 && plain < LEAD && saysWhenOrWho(startOf(piece, 100))) {
      piece.dropped = true
      return false
    }
    if (piece.tag.pre || name === 'table' || name === 'blockquote' || name === 'dl' || name === 'ul' || name === 'ol') return true
    if (textLength < 400 && ((inHeader && plain < LEAD) || (textLength < 100 && saysWhenOrWho(startOf(piece, 100))))) {
      piece.dropped = true
      return false
    }
    if (textLength < MOST_COUNT && isSeparatorOrCount(startOf(piece, 2 * MOST_COUNT))) {
      piece.dropped = true
      return false
    }
    // Date and author may stand below a lead.
    if (inHeader && textLength < 400) return false
    isBelowHeadline = false
    return plain >= PARAGRAPH || name === 'p'
  }

  /** Does its parent contain more headings of this level? Then it is the heading of a chapter. */
  function isOneOfSeveral({ name, parent }: ElementNode): boolean {
    let counts = headings.get(parent!)
    if (counts === undefined) headings.set(parent!, (counts = countHeadings(parent!)))
    return counts.get(name)! > 1
  }

  function saysTitle(heading: ElementNode): boolean {
    if (heading.textLength > 300) return false
    const words = plainWords(startOf(heading, 300)).split(' ')
    let known = 0
    for (const word of words) if (titleWords.has(word)) known++
    return known * 2 >= words.length && words[0] !== ''
  }
}

/**
 * Drops what follows the last paragraph: headings of removed parts, labels, tags, contributors.
 *
 * @param parts  belong to the text
 */
export function dropEnding(root: ElementNode, parts: ReadonlySet<ElementNode>): void {
  let isBelowPicture = false
  let notes = 0
  walk(root)

  /** @returns has the text been reached? */
  function walk(element: ElementNode): boolean {
    for (let at = element.children.length - 1; at >= 0; at--) {
      const child = element.children[at]!
      if (element.hasBlock && endsLine(element, at) && textOfLine(element, lineStart(element, at)) > LINE) return true
      if (child instanceof TextNode || child.dropped) continue
      if (parts.has(child)) return true
      if (child.textLength === 0) {
        // Pictures in links are icons of social networks and the like.
        if (holds(child, 'img') && !holds(child, 'a')) isBelowPicture = true
      } else if (isWhole(child) ? judge(child, at) : walk(child)) return true
    }
    return false
  }

  /** @param at  its index among its siblings */
  function judge(piece: ElementNode, at: number): boolean {
    const { textLength, linkLength, name } = piece
    if (name === 'figure') {
      isBelowPicture = true
      return false
    }
    if (namesHeading(name)) piece.dropped = CREDITS.test(startOf(piece)) || !(isBelowPicture || isParagraph(piece))
    else if (name === 'ul' || name === 'ol') piece.dropped = isTagList(piece, at)
    else if (piece.tag.pre || name === 'table' || name === 'blockquote' || name === 'dl') return true
    else if (textLength < 300 && CREDITS.test(startOf(piece))) piece.dropped = true
    else if (textLength < 500 && isNote(piece) && notes < MOST_NOTES) {
      notes++
      piece.dropped = true
    } else if (textLength < 200 && linkLength > 0.6 * textLength && (name !== 'p' || !SENTENCE_END.test(endOf(piece)))) piece.dropped = true
    else if (textLength < 40 && name !== 'p' && name !== 'li' && !SENTENCE_END.test(endOf(piece))) piece.dropped = true
    return !piece.dropped
  }
}

/** Some sites use headings for paragraphs in large letters. */
function isParagraph(heading: ElementNode): boolean {
  return heading.textLength >= 120 && heading.linkLength * 2 < heading.textLength && SENTENCE_END.test(endOf(heading))
}

/** A note of the editors below a text, in italics and with a link: who wrote it, where it was first published, what else to read. */
function isNote({ children, name, textLength, linkLength }: ElementNode): boolean {
  return (linkLength > 0 && isEmphasised(children, name, textLength)) || CONTACT.test(startOfNodes(children, 500))
}

/** With more such notes, the whole text is in italics. */
const MOST_NOTES = 3

/** Counts the headings of each level among the children. */
function countHeadings(parent: ElementNode): Map<string, number> {
  const counts = new Map<string, number>()
  for (const child of parent.children)
    if (child instanceof ElementNode && namesHeading(child.name)) counts.set(child.name, (counts.get(child.name) ?? 0) + 1)
  return counts
}

/** A list of short links without a heading of its own. */
function isTagList(list: ElementNode, place: number): boolean {
  if (list.linkLength < 0.9 * list.textLength) return false
  const entries = list.children.filter((child) => child instanceof ElementNode).length
  if (list.textLength > 25 * entries) return false
  const siblings = list.parent!.children
  for (let at = place - 1; at >= 0; at--) {
    const before = siblings[at]!
    if (before instanceof ElementNode && !before.dropped && before.textLength > 0) return !namesHeading(before.name)
  }
  return true
}

/** Is it the line between headline and text, by its class or by the page's metadata? */
function isIntroduction(element: ElementNode): boolean {
  return (
    element.attributes !== null &&
    element.textLength < 400 &&
    (attributeOf(element, 'itemprop') === 'description' || INTRODUCTION.test(attributeOf(element, 'class') ?? ''))
  )
}

/** A dot between date and author, or a number of readers or comments; not the number of a first chapter, and not a formula. */
function isSeparatorOrCount(text: string): boolean {
  return WITHOUT_WORDS.test(text) && !FIRST.test(text)
}
const MOST_COUNT = 20
const WITHOUT_WORDS = /^[\p{P}\p{N}|~\s]+$/u
const FIRST = /^\W*[01]\W*$/

function saysWhenOrWho(text: string): boolean {
  return DATE_OR_AUTHOR.test(text) || (((YEAR.test(text) && TIME.test(text)) || DATED.test(text)) && !SENTENCE_END.test(text))
}

/** Is an element judged as a whole (a line, a paragraph, a list, a table), or are its children judged? */
function isWhole(element: ElementNode): boolean {
  return !element.hasBlock || WHOLE.has(element.name)
}

const WHOLE = new Set(['ul', 'ol', 'dl', 'table', 'blockquote', 'pre', 'figure', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const SENTENCE_END = /[.!?…。！？:][^\p{L}\p{N}]{0,3}$/u
/** Class names of the line between headline and text. */
const INTRODUCTION = /(?:^|[\s_-])(?:dek|standfirst|sub-?head(?:line|ing)?|sub-?title|strapline)(?:[\s_-]|$)/i
const DATE_OR_AUTHOR =
  /^[^\p{L}\p{N}]*(?:reading time|read time|tempo (?:de|di) (?:leitura|lettura)|lese(?:zeit|dauer)|temps de lecture|tiempo de lectura|leestijd|czas czytania|время чтения|\d+ min(?:ute)?s? read|(?:first |last )?(?:published|posted|updated|modified|written|reviewed)(?![\p{L}\p{N}])|by:? \p{L}|(?:mon|tues|wednes|thurs|fri|satur|sun)day,? |(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)\w*\.? \d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}\.? \p{L}+\.? \d{4}|\d+ (?:min|minutes?|hours?|days?) )/iu
/** Dates as other languages than English write them, and `Published …` before a date. A sentence may begin like that, too. */
const DATED = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:\\d{4} ?[年년.] ?\\d{1,2} ?[月월.]|(?:\\p{L}{2,12}, )?\\d{1,2}\\.? (?:de )?\\p{L}+\\.? (?:de )?\\d{4}|(?:${[
    'veröffentlicht|(?:zuletzt )?(?:aktualisiert|geändert)|publié|mis à jour|publicado|actualizado|atualizado|pubblicato|aggiornato',
    'gepubliceerd|bijgewerkt|publicerad|uppdaterad|opublikowano|aktualizacja|publikováno|aktualizováno|yayınlanma|güncelleme',
    'опубликовано|обновлено|опубліковано|оновлено|публикувано|δημοσιεύ|تاريخ النشر|نشر|آخر تحديث|منتشر شده|פורסם|עודכן',
    '公開|最終更新|更新|投稿|掲載|发布|發布|입력|수정|등록|đăng|cập nhật|diterbitkan|प्रकाशित|เผยแพร่',
  ].join('|')})[^.!?。]{0,24}\\d)`,
  'iu',
)
const YEAR = /(?:^|\D)(?:19|20)\d\d(?:\D|$)/
const TIME = /(?:^|\D)\d{1,2}[:.h]\d\d(?:\D|$)/
/** Contact details of the author, and names of contributors. */
const CONTACT =
  /(?:contributed to this (?:report|story|article|post)|(?:can|may) be (?:reached|contacted) (?:at|by|on|via)|follow (?:him|her|them|me|us|\S+ \S+) on (?:twitter|facebook|instagram|x)\b)/i
const CREDITS =
  /^[^\p{L}\p{N}]*(?:(?:additional |with )?(?:reporting|writing|editing|edited|written|compiled) by |.{0,60} contributed to this|(?:last )?(?:updated|published|posted|modified)(?![\p{L}\p{N}]).{0,20}\d|filed under|posted in|tags?(?![\p{L}\p{N}])|topics?(?![\p{L}\p{N}])|categor(?:y|ies)(?![\p{L}\p{N}])|copyright(?![\p{L}\p{N}])|©|all rights reserved|join the conversation|leave a (?:comment|reply)|comments?[^\p{L}\p{N}]*$|share(?![\p{L}\p{N}])|follow \S+ on |sign up|subscribe)/iu
