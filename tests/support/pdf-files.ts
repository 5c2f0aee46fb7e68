/** Makes small PDFs. */

export const HELVETICA = ['<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>']

/** A font that is not embedded and has no table of its characters. */
export function asianFont(cmap: string, collection: string): string[] {
  return [
    `<</Type/Font/Subtype/Type0/BaseFont/Some/Encoding/${cmap}/DescendantFonts[6 0 R]>>`,
    `<</Type/Font/Subtype/CIDFontType0/BaseFont/Some/CIDSystemInfo<</Registry(Adobe)/Ordering(${collection})/Supplement 2>>/FontDescriptor 7 0 R>>`,
    '<</Type/FontDescriptor/FontName/Some/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>',
    ...HELVETICA,
  ]
}

/**
 * A PDF of one page.
 *
 * @param drawn  what shows its text, in the font F1
 * @param fonts  objects from number 5: F1, what it refers to, and at last F9; F2 is number 6
 */
export function pdf(drawn: string, fonts: readonly string[]): Buffer {
  return pdfOf([`BT /F1 24 Tf 72 700 Td ${drawn} ET`], fonts)
}

/** A text at a place of the page, in points from the left and from the bottom. */
export type Text = [text: string, x: number, y: number, font?: 'F1' | 'F2' | 'F9', size?: number]

/** A PDF with a page for each list of texts; F1 is Helvetica, F2 its bold, F9 Courier. */
export function pages(lists: readonly Text[][]): Buffer {
  const streams = lists.map((texts) =>
    texts
      .map(([text, x, y, font = 'F1', size = 10]) => `BT /${font} ${size} Tf ${x} ${y} Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`)
      .join('\n'),
  )
  return pdfOf(streams, [
    ...HELVETICA,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
  ])
}

function pdfOf(streams: readonly string[], fonts: readonly string[]): Buffer {
  const first = 5 + fonts.length
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${streams.map((_, at) => `${first + at * 2} 0 R`).join(' ')}]/Count ${streams.length}/MediaBox[0 0 612 792]/Resources 3 0 R>>`,
    `<</Font<</F1 5 0 R/F2 6 0 R/F9 ${fonts.length + 4} 0 R>>>>`,
    'null',
    ...fonts,
    ...streams.flatMap((stream, at) => [
      `<</Type/Page/Parent 2 0 R/Contents ${first + at * 2 + 1} 0 R>>`,
      `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    ]),
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj${object}endobj\n`
    return offset
  })
  const start = text.length
  const size = objects.length + 1
  text += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.map((offset) => String(offset).padStart(10, '0') + ' 00000 n \n').join('')}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`
  return Buffer.from(text, 'latin1')
}
