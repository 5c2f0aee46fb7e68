/** Splits a long text into slices that can be laid out, coloured and skipped separately. Pure. */

export type TextSlice = {
  text: string
  /** True for a slice of whole lines; false for a piece of a line that is longer than a slice. */
  isWhole: boolean
  lines: number
}

/** @param size  characters per slice, approximately; only a line longer than that is split, and never inside a surrogate pair */
export function textSlices(text: string, size: number): TextSlice[] {
  const slices: TextSlice[] = []
  for (let from = 0, atLineStart = true; from < text.length;) {
    const to = endOf(text, from, size)
    const atLineEnd = to === text.length || text[to - 1] === '\n'
    const piece = text.slice(from, to)
    slices.push({ text: piece, isWhole: atLineStart && atLineEnd, lines: piece.split('\n').length - (piece.endsWith('\n') ? 1 : 0) })
    from = to
    atLineStart = text[to - 1] === '\n'
  }
  return slices
}

/** The end of the slice that starts at `from`: after the last line that fits, or inside a line that is too long. */
function endOf(text: string, from: number, size: number): number {
  const most = from + size
  if (most >= text.length) return text.length
  const lineEnd = text.lastIndexOf('\n', most - 1)
  if (lineEnd >= from) return lineEnd + 1
  return isLowSurrogate(text.charCodeAt(most)) ? most + 1 : most
}

const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** The beginning of a text, at most `size` characters, cut after a paragraph or a line if one ends in its second half. */
export function beginningOf(text: string, size: number): string {
  if (text.length <= size) return text
  for (const [end, length] of [
    ['\n\n', 2],
    ['\n', 1],
  ] as const) {
    const at = text.lastIndexOf(end, size - length)
    if (at > size / 2) return text.slice(0, at + length)
  }
  return text.slice(0, isLowSurrogate(text.charCodeAt(size)) ? size - 1 : size)
}
