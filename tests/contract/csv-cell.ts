import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { csvCell } from '#contract/csv-cell.ts'

const cells = suite('cells of CSV')

cells(
  'a text that a spreadsheet program would calculate is a text for it, also with full-width characters or behind an end of line',
  () => {
    for (const formula of ['=1', '+1', '-1', '@a', '\t=1', '＝1', '＋1', '－1', '＠a']) assert.is(csvCell(formula), `'${formula}`)
    for (const formula of ['\n=1', '\r=1']) assert.is(csvCell(formula), `"'${formula}"`)
  },
)

cells('other texts stay as they are, quoted where CSV needs it', () => {
  for (const text of ['', 'a=b', '1 + 1', '(a)', '日本語']) assert.is(csvCell(text), text)
  assert.is(csvCell('a,"b"\n'), '"a,""b""\n"')
})

cells.run()
