import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage } from '#backend/crawler/page/read-page.ts'

const test = suite('PDF')

const HELVETICA = ['<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>']

test('the text of a PDF is read', async () => {
  assert.is(await markdown(pdf('(Hello from a PDF) Tj', HELVETICA)), 'Hello from a PDF\n')
})

test('codes of Chinese, Japanese and Korean fonts are read by the predefined CMap that the font names', async () => {
  const cases: [cmap: string, collection: string, codes: string, expected: string][] = [
    ['90ms-RKSJ-H', 'Japan1', '93fa967b8cea', '日本語'],
    ['UniJIS-UTF16-H', 'Japan1', '65e5672c8a9e', '日本語'],
    ['GBK-EUC-H', 'GB1', 'd6d0cec4', '中文'],
    ['ETen-B5-H', 'CNS1', 'a4a4a4e5', '中文'],
    ['KSCms-UHC-H', 'Korea1', 'c7d1b1b9beee', '한국어'],
    // Codes are glyphs of the collection here.
    ['Identity-H', 'Japan1', '0e6a', '房'],
  ]
  for (const [cmap, collection, codes, expected] of cases)
    assert.is(await markdown(pdf(`<${codes}> Tj`, asianFont(cmap, collection))), `${expected}\n`, cmap)
})

test('a font that names an unknown CMap, or a path, costs its own text alone', async () => {
  for (const cmap of ['No-Such-H', '..#2f..#2fpackage.json', 'Adobe-Japan1-99'])
    assert.is(await markdown(pdf('<93fa> Tj /F9 24 Tf 0 -40 Td (and more) Tj', asianFont(cmap, 'Japan1'))), 'and more\n', cmap)
})

test('accents that are drawn over letters become accented letters', async () => {
  const cases: [drawn: string, expected: string][] = [
    ['[(fortifi\\264) 333 (ee)] TJ', 'fortifiée'],
    ['[(kilom`) 333 (etres)] TJ', 'kilomètres'],
    ['[(f\\250) 333 (ur Zoe)] TJ', 'für Zoe'],
    ['[(avan\\270) 333 (cos)] TJ', 'avanços'],
    ['[(`) 333 (a Paris)] TJ', 'à Paris'],
    // No letter has this accent.
    ['[(\\264) 333 (q)] TJ', '´q'],
  ]
  for (const [drawn, expected] of cases) assert.is(await markdown(pdf(drawn, HELVETICA)), `${expected}\n`, drawn)
})

test('an accent beside a letter stays as it is', async () => {
  for (const [drawn, expected] of [
    ['(it\\264s) Tj', 'it´s'],
    ['[(d\\264) 80 (une)] TJ', 'd´une'],
    ['(echo `uname`) Tj', 'echo \\`uname\\`'],
  ] as const)
    assert.is(await markdown(pdf(drawn, HELVETICA)), `${expected}\n`, drawn)
})

test.run()

async function markdown(bytes: Uint8Array): Promise<string> {
  const answer = await readPage(
    { bytes, contentType: 'application/pdf', status: 200, url: 'https://site.example/' },
    { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] },
  )
  return answer.kind === 'page' ? answer.markdown : answer.reason
}

/** A font that is not embedded and has no table of its characters. */
function asianFont(cmap: string, collection: string): string[] {
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
 * @param fonts  objects from number 5: F1, what it refers to, and at last F9
 */
function pdf(drawn: string, fonts: readonly string[]): Buffer {
  const stream = `BT /F1 24 Tf 72 700 Td ${drawn} ET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F9 ${fonts.length + 4} 0 R>>>>>>`,
    `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    ...fonts,
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
