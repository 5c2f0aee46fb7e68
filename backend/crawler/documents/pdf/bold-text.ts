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

/** The HTML of a line with the mark of its list item in front, where it is recognised. */
export function markInFront(html: string, mark: string): string {
  return html.startsWith(BOLD + mark) ? `${mark}${BOLD}${html.slice(BOLD.length + mark.length)}` : html
}

/** Whether HTML ends with a hyphen, at which a word is divided; and the HTML without it. */
export const withoutHyphen = (html: string): string | null =>
  /[-\u00ad\u2010]\ufdd1?$/.test(html) ? html.replace(/.(\ufdd1?)$/u, '$1') : null

/** The HTML of a document with elements for bold letters, unless much of it is bold: then bold letters set nothing apart. */
export function withBoldElements(html: string): string {
  const joined = html.replace(/\ufdd1(\s*)\ufdd0/g, '$1').replace(/\ufdd0(\s*)\ufdd1/g, '$1')
  let bold = 0
  for (const [text] of joined.matchAll(/\ufdd0[^\ufdd1]*/g)) bold += text.length
  if (bold === 0) return joined
  if (bold > joined.length * MOST_BOLD) return withoutBoldMarks(joined)
  return joined.replace(BOLD_ELEMENTS, withoutBoldMarks).replaceAll(BOLD, '<b>').replaceAll(PLAIN, '</b>')
}
