/** Finds the title of a Markdown document. */

/** Headings at the start of a document among which its title is the largest, as in other documents. */
const MAX_HEADINGS = 5
const MAX_LENGTH = 250
/** Only the start is searched. */
const MAX_SEARCHED = 100_000

const FRONT_MATTER = /^---[ \t]*\n([\s\S]{0,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/
const STATED = /^title:[ \t]*(.+)$/m
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/
/** The line below a heading (CommonMark, 4.3). */
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/
/** Lines that are no paragraph, so that `---` below them is a rule. */
const OTHER_BLOCK = /^(?: {4}|\t|\s*(?:[>|]|[-*+][ \t]|\d{1,9}[.)][ \t]|$))/

/** @returns the title of the front matter, else the largest heading at the start of the text; null without either */
export function markdownTitle(markdown: string): string | null {
  const front = FRONT_MATTER.exec(markdown)
  const stated = unquoted(STATED.exec(front?.[1] ?? '')?.[1]?.trim() ?? '')
  if (stated !== '') return stated
  let title: string | null = null
  let level = 7
  let count = 0
  for (const heading of headings(markdown.slice(front?.[0].length ?? 0, MAX_SEARCHED))) {
    if (heading.level < level) {
      const text = plainText(heading.text)
      // Changelogs begin with a version: no heading below it is the title.
      title = text.length <= MAX_LENGTH && /\p{L}/u.test(text) ? text : null
      level = heading.level
    }
    if (++count === MAX_HEADINGS || level === 1) break
  }
  return title
}

/** Headings outside of fenced code. */
function* headings(markdown: string): Generator<{ level: number; text: string }> {
  let fence = ''
  let before = ''
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1] ?? ''
    if (fence !== '') {
      if (mark.startsWith(fence) && line.trim() === mark) fence = ''
      continue
    }
    fence = mark
    const [, signs, text] = HEADING.exec(line) ?? []
    const underline = UNDERLINE.exec(line)?.[1]
    if (signs !== undefined && text !== undefined) yield { level: signs.length, text: text.replace(/[ \t]#{1,100}[ \t]*$/, '') }
    else if (underline !== undefined && !OTHER_BLOCK.test(before)) yield { level: underline.startsWith('=') ? 1 : 2, text: before }
    before = signs === undefined && fence === '' ? line : ''
  }
}

/** The words of a heading: links are their text, pictures and tags are left out. */
function plainText(heading: string): string {
  return heading
    .slice(0, 2000)
    .replace(/!\[[^[\]]{0,300}\](?:\([^()]{0,1000}\)|\[[^[\]]{0,300}\])/g, '')
    .replace(/\[([^[\]]{0,300})\](?:\([^()]{0,1000}\)|\[[^[\]]{0,300}\])/g, '$1')
    .replace(/<\/?[a-z!][^<>]{0,1000}>|\{#[^{}]{0,100}\}\s*$/gi, '')
    .replace(/\\([!-/:-@[-`{-~])|[*`]|(?<!\w)_|_(?!\w)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The text of a value of YAML. Lists and texts of several lines have none. */
function unquoted(value: string): string {
  const [quote, quoted] = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(value)?.slice(1) ?? []
  if (quoted !== undefined) return quote === "'" ? quoted.replaceAll("''", "'") : quoted.replace(/\\(["\\])/g, '$1')
  return /^[|>&*!{[]/.test(value) ? '' : value.replace(/\s+#.*$/, '')
}
