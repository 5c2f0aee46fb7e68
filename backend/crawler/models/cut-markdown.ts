/** Splits a long page into parts that fit into a model's context. Pure. */

/**
 * Parts of at most `most` characters, split before headings if possible, else between paragraphs, lines, words. Each part after the first
 * starts with the headings above it, so that it can be understood alone.
 */
export function cutMarkdown(markdown: string, most: number): string[] {
  if (markdown.length <= most) return [markdown]
  const parts: string[] = []
  let open = ''
  for (const section of sections(markdown, most)) {
    if (open !== '' && open.length + section.text.length > most) {
      parts.push(open)
      open = ''
    }
    // The headings above, unless the section is so long that they would not fit.
    const above = open === '' && parts.length > 0 ? section.above : ''
    open += above.length + section.text.length <= most ? above + section.text : section.text
  }
  return open.trim() === '' ? parts : [...parts, open]
}

type Section = { above: string; text: string }

/** Sections from one heading to the next, each at most `most` characters. */
function sections(markdown: string, most: number): Section[] {
  const found: Section[] = []
  let above: string[] = []
  let lines = ''
  let inFence = false
  for (const line of markdown.split(/(?<=\n)/)) {
    if (/^\s{0,3}(?:```|~~~)/.test(line)) inFence = !inFence
    const level = inFence ? undefined : /^(#{1,6})\s/.exec(line)?.[1]?.length
    if (level !== undefined) {
      close()
      lines = ''
      above = above.slice(0, level - 1)
      found.push({ above: above.filter(Boolean).join(''), text: '' })
      above[level - 1] = line.slice(0, most / 8)
    }
    lines += line
  }
  close()
  return found.filter(({ text }) => text !== '')

  function close() {
    const last = found.at(-1)
    const over = last?.above ?? ''
    if (last?.text === '') found.pop()
    for (const text of pieces(lines, most)) found.push({ above: over, text })
  }
}

/** Splits a text into pieces of at most `most` characters, at the last blank line, line end or space that is not too near the start. */
function pieces(text: string, most: number): string[] {
  const cut: string[] = []
  let from = 0
  while (text.length - from > most) {
    const window = text.slice(from, from + most)
    const place = ['\n\n', '\n', ' '].map((mark) => window.lastIndexOf(mark) + mark.length).find((at) => at > most / 2) ?? most
    // Never between the halves of a surrogate pair.
    const end = /[\uD800-\uDBFF]/.test(window[place - 1] ?? '') ? place - 1 : place
    cut.push(text.slice(from, from + end))
    from += end
  }
  if (from < text.length) cut.push(text.slice(from))
  return cut
}
