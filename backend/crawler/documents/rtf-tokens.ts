/** What RTF consists of. Text is bytes in the encoding of its font, one character each. */
export type RtfToken =
  | { kind: 'open' | 'close' }
  | { kind: 'word'; name: string; value: number | null }
  | { kind: 'sign'; sign: string }
  | { kind: 'text'; bytes: string }

/**
 * Splits RTF into tokens, in linear time; embedded binary data are skipped.
 *
 * @param rtf  the file, a character for each byte
 * Source: Microsoft, Rich Text Format Specification 1.9.1.
 */
export function* rtfTokens(rtf: string): Generator<RtfToken> {
  const pattern = /[{}]|\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^])|[^{}\\\r\n]+|[\r\n]+/giy
  for (let match = pattern.exec(rtf); match !== null; match = pattern.exec(rtf)) {
    const [all, name, value, code, sign] = match
    if (name !== undefined) {
      const number = value === undefined ? null : Number(value)
      if (name === 'bin' && number !== null && number > 0) pattern.lastIndex += number
      else yield { kind: 'word', name, value: number }
    } else if (code !== undefined) yield { kind: 'text', bytes: String.fromCharCode(parseInt(code, 16)) }
    else if (sign !== undefined) yield { kind: 'sign', sign }
    else if (all === '{') yield { kind: 'open' }
    else if (all === '}') yield { kind: 'close' }
    else if (all[0] !== '\r' && all[0] !== '\n') yield { kind: 'text', bytes: all }
  }
}
