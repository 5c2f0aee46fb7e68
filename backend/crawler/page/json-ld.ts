/** Parses one JSON-LD script of a page. Source: JSON-LD 1.1, section 7.3 (JSON-LD in HTML), and common mistakes of sites. */

/**
 * Parses the text of one script, even inside a comment or CDATA, with line breaks inside of strings or a semicolon at its end.
 *
 * @returns  undefined when it is not JSON
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
