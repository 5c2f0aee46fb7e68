import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { BoldFonts } from '#backend/crawler/documents/pdf/bold-fonts.ts'
import { assertLinear, filled } from '#tests/support/linear.ts'

const test = suite('bold fonts of PDFs')

/** A page with fonts, whose drawing has a number of steps. */
function page(names: Record<string, string>, steps = 100) {
  return {
    readings: 0,
    getOperatorList() {
      this.readings++
      return Promise.resolve({ fnArray: Array.from({ length: steps }) })
    },
    commonObjs: { has: (font: string) => font in names, get: (font: string) => ({ name: names[font] }) },
  }
}

const stream = (dictionary: string, length: number) =>
  `1 0 obj<<${dictionary}/Length ${length}>>stream\n${'x'.repeat(length)}\nendstream endobj\n`

test('the names of fonts say which are bold', async () => {
  const names: [name: string, isBold: boolean][] = [
    ['ABCDEF+LiberationSans-Bold', true],
    ['TimesNewRomanPS-BoldMT', true],
    ['ABCDEF+CMBX12', true],
    ['SFBX1000', true],
    ['NimbusRomNo9L-Medi', true],
    ['Inter-SemiBold', true],
    ['ABCDEF+CMB10', true],
    ['ABCDEF+CMR10', false],
    ['NimbusRomNo9L-Regu', false],
    ['Helvetica', false],
    ['CMSY10', false],
  ]
  const fonts = new BoldFonts(Buffer.from(''))
  await fonts.learn(
    page(Object.fromEntries(names.map(([name], at) => [`f${at}`, name]))),
    [...names.keys()].map((at) => `f${at}`),
  )
  for (const [at, [name, isBold]] of names.entries()) assert.is(fonts.has(`f${at}`), isBold, name)
})

test('a page is read for its fonts only while some are unknown, and not after too many steps', async () => {
  const fonts = new BoldFonts(Buffer.from(''))
  const first = page({ f1: 'A-Bold' }, 30_000)
  await fonts.learn(first, ['f1'])
  await fonts.learn(first, ['f1'])
  assert.is(first.readings, 1)
  await fonts.learn(page({ f2: 'B-Bold' }, 30_000), ['f2'])
  const last = page({ f3: 'C-Bold' })
  await fonts.learn(last, ['f3'])
  assert.equal([fonts.has('f1'), fonts.has('f2'), fonts.has('f3'), last.readings], [true, true, false, 0])
})

test('no page of a document with a large drawing is read for its fonts; large pictures and fonts are no drawings', async () => {
  for (const [bytes, readings] of [
    [stream('/Filter/FlateDecode', 200_000), 0],
    [stream('', 1000) + stream('/Filter/FlateDecode', 200_000) + stream('', 1000), 0],
    [stream('/Subtype/Image', 200_000) + stream('/Length1 300000', 200_000) + stream('/N 3', 200_000) + stream('', 1000), 1],
    [stream('', 100_000) + stream('', 100_000), 1],
  ] as const) {
    const one = page({ f1: 'A-Bold' })
    await new BoldFonts(Buffer.from(bytes)).learn(one, ['f1'])
    assert.is(one.readings, readings, bytes.slice(0, 60))
  }
})

test('large drawings are looked for in linear time, also where streams belong to no object', () =>
  assertLinear('streams without objects', (size) => {
    const bytes = Buffer.from(filled(`/Image stream${'x'.repeat(135_000)}endstream `, 160 * size), 'latin1')
    return () => new BoldFonts(bytes)
  }))

test.run()
