import { ElementNode } from '#backend/crawler/html/html-tree.ts'
import { allText, namesHeading } from '#backend/crawler/html/tree-text.ts'

/** Headings at the start of a document among which its title is the largest. */
const MAX_HEADINGS = 5
const MAX_LENGTH = 250
/** Titles that programs write: names of files and of themselves, and of the templates of slides. */
const MADE_BY_PROGRAM =
  /^(?:untitled|document|title|texexec|microsoft (?:word|excel|powerpoint)\b.*|powerpoint.?(?:presentation|präsentation)|présentation powerpoint|(?:slide|folie|diapositiva?|page) ?\d+|[^\s]*\.(?:dvi|docx?|eps|html?|indd|md|odt|pages|pdf|pptx?|ps|qxd|rtf|tex|txt|xlsx?))$/i

/**
 * The title of a document: the one that it states, unless a program wrote it, else the largest heading at its start, since most documents
 * state none.
 *
 * @param root  the content; null when its headings are no titles, as those of sheets
 */
export function documentTitle(stated: string | null, root: ElementNode | null): string | null {
  if (stated !== null && !MADE_BY_PROGRAM.test(stated)) return stated
  let title: string | null = null
  let level = 7
  for (const heading of root === null ? [] : firstHeadings(root)) {
    // Signs behind a title refer to notes.
    const text = allText(heading)
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/[\s∗*†‡]{1,10}$/, '')
    const isTitle = /\p{L}.*\p{L}/u.test(text) && text.length <= MAX_LENGTH && !MADE_BY_PROGRAM.test(text)
    if (!isTitle || Number(heading.name[1]) >= level) continue
    title = text
    level = Number(heading.name[1])
  }
  return title ?? stated
}

function firstHeadings(root: ElementNode): ElementNode[] {
  const found: ElementNode[] = []
  const open: ElementNode[] = [root]
  while (open.length > 0 && found.length < MAX_HEADINGS) {
    const element = open.pop()!
    if (namesHeading(element.name)) found.push(element)
    else for (const child of element.children.toReversed()) if (child instanceof ElementNode) open.push(child)
  }
  return found
}
