/**
 * Bold letters within a text. Whether they set something apart is known only at the end of a document, so until then two characters show
 * where they begin and end: noncharacters of Unicode, which no text contains.
 */
const BOLD = '\ufdd0'
const PLAIN = '\ufdd1'
const MARKS = /[\ufdd0\ufdd1]/g
/** Most part of a document's letters that is bold while bold letters set something apart. */
const MOST_BOLD = 0.3
/** Elements that are bold anyway. */
const BOLD_ELEMENTS = /<(h[1-6]|th)>[^]*?<\/\1>/g

export const withoutBoldMarks = (text: string) => text.replace(MARKS, '')

/** Writes the text of a line, whose letters may begin and end to be bold. */
export class BoldMarks {
  #isBold = false

  /** What to write before the next letters. */
  next(isBold: boolean): string {
    if (isBold === this.#isBold) return ''
    this.#isBold = isBold
    return isBold ? BOLD : PLAIN
  }
}

/** The HTML of a line with the mark of its list item in front, where it is recognised. The text behind the mark need not be bold. */
export function markInFront(html: string, mark: string): string {
  const sign = mark.trimEnd()
  if (html.startsWith(BOLD + sign)) {
    const rest = html.slice(BOLD.length + sign.length)
    const end = /^(\s*)\ufdd1/.exec(rest)
    if (end !== null) return sign + end[1]! + rest.slice(end[0].length)
  }
  return html.startsWith(BOLD + mark) ? `${mark}${BOLD}${html.slice(BOLD.length + mark.length)}` : html
}

/** Whether HTML ends with a hyphen, at which a word is divided; and the HTML without it. */
export function withoutHyphen(html: string): string | null {
  const end = /[-\u00ad\u2010](\ufdd1?)$/.exec(html.slice(-2))
  return end === null ? null : html.slice(0, -end[0].length) + end[1]!
}

/** The HTML behind the tag with which it begins, perhaps in bold letters; null when it begins with something else. */
export function behindTag(html: string, tag: string): string | null {
  if (html.startsWith(tag)) return html.slice(tag.length)
  return html.startsWith(BOLD + tag) ? BOLD + html.slice(BOLD.length + tag.length) : null
}

/** The HTML of a document with elements for bold letters, unless much of it is bold: then bold letters set nothing apart. */
export function withBoldElements(html: string): string {
  const joined = html.replace(/\ufdd1(\s*)\ufdd0/g, '$1').replace(/\ufdd0(\s*)\ufdd1/g, '$1')
  const letters = joined.replace(/<[^>]*>/g, '')
  let bold = 0
  for (const [text] of letters.matchAll(/\ufdd0[^\ufdd1]*/g)) bold += text.length
  if (bold === 0) return joined
  if (bold > letters.length * MOST_BOLD) return withoutBoldMarks(joined)
  return joined.replace(BOLD_ELEMENTS, withoutBoldMarks).replaceAll(BOLD, '<b>').replaceAll(PLAIN, '</b>')
}
