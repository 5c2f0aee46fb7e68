import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sizeText } from '#web/ui/text/size-text.ts'

const sizes = suite('numbers of bytes')

sizes('a number of bytes has the unit of its rounded value', () => {
  const rows: [bytes: number, words: string][] = [
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [9949, '9.9 kB'],
    [9950, '10 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [999_949_999, '999.9 MB'],
    [999_950_000, '1.0 GB'],
  ]
  for (const [bytes, words] of rows) assert.is(sizeText(bytes), words)
})

sizes.run()
