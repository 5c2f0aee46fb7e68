/** Reads author and date from lines under a headline that nothing marks: `By Ana Ruiz, 3 March 2024`. */
import { ElementNode, TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import { firstHeading, isInline, namesHeading } from '#backend/crawler/html/tree-text.ts'
import { tidy } from '#backend/crawler/page/page.ts'

/** Most lines under a headline that are read, and most characters of one. */
const MOST_LINES = 4
const MOST_LINE = 120

const WORD = "\\p{Lu}[\\p{L}.'’-]*"
const NAME = `${WORD}(?: (?:(?:de|da|del|dos|la|le|van|von|der|den|di|du) )*${WORD}){1,3}`
const NAMES = `(${NAME}(?:,? (?:and|und|et|y|&) ${NAME})?)`
/** In the languages whose bylines are read: English, German, French, Spanish. */
const BYLINE = new RegExp(
  `^(?:[Bb]y|BY|(?:Written|Posted|Published|Words|Text|Story) by|[Vv]on|VON|[Pp]ar|PAR|[Pp]or|POR|(?:Author|Autora?|Autorin|Auteur|Auteure|Autrice|Texte?|Texto):) ${NAMES}$`,
  'u',
)
const DAY_NAME =
  '(?:(?:mon|tues|wednes|thurs|fri|satur|sun|diens|mitt|donners|frei|sams|sonn)(?:day|tag|woch)|mittwoch|montag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo),? '
const TIME = '(?:,? (?:(?:at|um|à|a las|-|–|\\|) )?\\d{1,2}[:.h]\\d\\d(?: ?(?:[ap]\\.?m\\.?|uhr|h|gmt|utc|bst|ces?t|[ecmp][sd]?t))?)?'
const DATE = `(?:${DAY_NAME})?(?:(?:the|den|der|am|le|el) )?(?:\\d{1,2}(?:st|nd|rd|th|er|\\.)? (?:of |de )?\\p{L}{3,10}\\.?,? (?:de |del )?\\d{4}|\\p{L}{3,10}\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}|\\d{4}-\\d\\d-\\d\\d|\\d{1,2}\\.\\d{1,2}\\.\\d{4})${TIME}`
const DATE_ALONE = new RegExp(`^${DATE}$`, 'iu')
const PUBLISHED = new RegExp(`^(?:published|posted|veröffentlicht|erschienen|publié|publicado)(?: on)?:? ${DATE}$`, 'iu')
const DATE_FIRST = new RegExp(`^(${DATE})[ ,|·•–—/-]+(\\S.*)$`, 'iu')
const DATE_LAST = new RegExp(`^(.*?[^ ,|·•–—/-])[ ,|·•–—/-]+(?:on )?(${DATE})$`, 'iu')

/**
 * Author and date in the lines under the first heading of an article. A name counts only together with a date, and a date only with a name or
 * a word such as "published": a line may say much else.
 */
export function plainByline(root: ElementNode): { author: string | null; date: string | null } {
  const headline = firstHeading(root, (name) => name === 'h1')
  const lines = headline === null ? [] : linesAfter(root, headline)
  for (const [at, line] of lines.entries()) {
    if (PUBLISHED.test(line)) return { author: null, date: line }
    const parts = DATE_FIRST.exec(line)?.slice(1).toReversed() ?? DATE_LAST.exec(line)?.slice(1)
    const author = BYLINE.exec(parts?.[0] ?? line)?.[1]
    if (author === undefined) continue
    const date = parts?.[1] ?? [lines[at + 1], lines[at - 1]].find((other) => other !== undefined && isDate(other))
    if (date !== undefined) return { author, date }
  }
  return { author: null, date: null }
}

const isDate = (line: string): boolean => DATE_ALONE.test(line) || PUBLISHED.test(line)

/** The short lines between a heading and the text or the next heading. */
function linesAfter(root: ElementNode, heading: ElementNode): string[] {
  const lines: string[] = []
  let isBelow = false
  let isBelowLead = false
  let isDone = false
  walk(root)
  return lines

  function walk(parent: ElementNode): void {
    let run: TreeNode[] = []
    for (const child of parent.children) {
      if (isDone) return
      if (child === heading) {
        isBelow = true
        run = []
      } else if (isInline(child)) run.push(child)
      else if (child instanceof ElementNode) {
        endRun(run)
        run = []
        if (isBelow && namesHeading(child.name) && child.textLength > 0) isDone = true
        else if (child.hasBlock) walk(child)
        else if (isBelow) endRun(child.children)
      }
    }
    endRun(run)
  }

  function endRun(nodes: readonly TreeNode[]): void {
    if (!isBelow || isDone) return
    const line = tidy(textOf(nodes))
    if (line === '') return
    // The first longer text may be a lead above the byline.
    isDone = line.length > MOST_LINE ? isBelowLead : lines.push(line) === MOST_LINES
    isBelowLead ||= line.length > MOST_LINE
  }
}

/** The text of inline nodes; a line break separates like a bar. */
function textOf(nodes: readonly TreeNode[]): string {
  let text = ''
  for (const node of nodes) {
    if (text.length > 2 * MOST_LINE) break
    if (node instanceof TextNode) text += node.data
    else if (node.name === 'br') text += ' | '
    else if (!node.tag.silent) text += textOf(node.children)
  }
  return text
}
