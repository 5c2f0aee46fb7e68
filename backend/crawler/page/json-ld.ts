/** One JSON-LD script of a page as a value. Source: JSON-LD 1.1, section 7.3 (JSON-LD in HTML), and what sites write in its place. */

/**
 * Parses the text of one script, also inside of a comment or CDATA, with line breaks in the middle of a text or a semicolon at its end.
 *
 * @returns  undefined when it is no JSON
 */
export function parseJsonLd(text: string): { value: unknown } | undefined {
  const whole = parsed(text)
  if (whole !== undefined) return whole
  const bare = text
    .trim()
    .replace(/^(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|\/\/\s*<!\[CDATA\[|<!\[CDATA\[)/, '')
    .replace(/(?:-->|\/\*\s*\]\]>\s*\*\/|\/\/\s*\]\]>|\]\]>|;)$/, '')
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  return parsed(bare) ?? parsed(bare.replace(/[\u0000-\u001f]+/g, ' '))
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
