/** Combining marks of the accents that fonts draw as characters of their own. */
const MARKS: Record<string, string> = {
  '`': '\u0300',
  '´': '\u0301',
  ˆ: '\u0302',
  '^': '\u0302',
  '˜': '\u0303',
  '~': '\u0303',
  '¯': '\u0304',
  '˘': '\u0306',
  '˙': '\u0307',
  '¨': '\u0308',
  '˚': '\u030a',
  '˝': '\u030b',
  ˇ: '\u030c',
  '¸': '\u0327',
  '˛': '\u0328',
}
const DOTLESS: Record<string, string> = { ı: 'i', ȷ: 'j' }

/**
 * The letter that an accent and a letter drawn over it show: TeX's older fonts have no accented letters.
 *
 * @returns null when there is no such letter
 */
export function accentedLetter(accent: string, letter: string): string | null {
  const mark = MARKS[accent]
  if (mark === undefined) return null
  const accented = ((DOTLESS[letter] ?? letter) + mark).normalize('NFC')
  return accented.length === 1 ? accented : null
}
