/**
 * The characters of fonts that have signs in the places of letters. Documents store them as U+F020 to U+F0FF.
 *
 * Source: Unicode, mapping tables of vendors, Adobe Symbol; Unicode 7, Wingdings.
 */
const SYMBOL = ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼'
const SYMBOL_FROM_A0 = '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭'
const WINGDINGS: Record<number, string> = {
  0x22: '✂',
  0x28: '☎',
  0x2a: '✉',
  0x4a: '☺',
  0x4c: '☹',
  0x6c: '●',
  0x6e: '■',
  0x6f: '□',
  0x71: '❑',
  0x76: '❖',
  0x9f: '•',
  0xa7: '▪',
  0xa8: '◻',
  0xab: '★',
  0xd8: '➢',
  0xdf: '←',
  0xe0: '→',
  0xe1: '↑',
  0xe2: '↓',
  0xe8: '➔',
  0xf0: '⇨',
  0xfb: '✗',
  0xfc: '✓',
  0xfd: '☒',
  0xfe: '☑',
}

/** Replaces the characters of the fonts Symbol and Wingdings by those that they show; other texts stay as they are. */
export function shownText(text: string, font: string): string {
  if (!/[\uf020-\uf0ff]/.test(text)) return text
  const isWingdings = /^wingdings/i.test(font)
  return text.replace(/[\uf020-\uf0ff]/g, (character) => {
    const code = character.charCodeAt(0) - 0xf000
    const shown = isWingdings
      ? font.length === 9
        ? WINGDINGS[code]
        : undefined
      : code < 0x80
        ? SYMBOL[code - 0x20]
        : SYMBOL_FROM_A0[code - 0xa0]
    return shown === undefined || shown === '\0' ? character : shown
  })
}

/** The character of a sign by its hexadecimal code, which has the F000 or not; empty when it is unknown. */
export function signOf(font: string, code: string): string {
  const character = String.fromCharCode(0xf000 | (parseInt(code, 16) & 0xff))
  const shown = shownText(character, font)
  return shown === character ? '' : shown
}
