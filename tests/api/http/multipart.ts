/** Forms with files, byte by byte. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readMultipart } from '#backend/http/multipart.ts'

const multipart = suite('forms with files')

const read = (text: string, type = 'multipart/form-data; boundary=b') =>
  readMultipart(Buffer.from(text, 'latin1'), type).map(({ bytes, ...part }) => ({ ...part, text: bytes.toString('latin1') }))
const head = (rest: string) => `Content-Disposition: form-data; ${rest}`

multipart('parts come in their order, with their names, types and bytes', () => {
  const text = `--b\r\n${head('name="a"')}\r\n\r\none\r\n--b\r\ncontent-type: text/csv\r\n${head('name="file"; filename="x \u00e9%22.csv"')}\r\n\r\n\r\n\xff--b\r\n\r\n--b--\r\n`
  assert.equal(
    read(text).map(({ contentType, name, text: value }) => [name, contentType, value]),
    [
      ['a', '', 'one'],
      ['file', 'text/csv', '\r\n\xff--b\r\n'],
    ],
  )
  assert.is(read(`--b\r\n${head('name="f"; filename="a%22b.txt"')}\r\n\r\nx\r\n--b--`)[0]!.filename, 'a"b.txt')
})

multipart('a preamble, an epilogue, blanks after a boundary and a quoted boundary are accepted', () => {
  const text = `before\r\n--b b  \r\n${head('name="a"')}\r\n\r\none\r\n--b b--after`
  assert.equal(
    read(text, 'multipart/form-data; charset=x; boundary="b b"').map(({ text: value }) => value),
    ['one'],
  )
})

multipart('an invalid form is refused with the reason', () => {
  for (const [text, words] of [
    ['', 'its end is missing'],
    ['--b', 'a line between'],
    [`--b\r\n${head('name="a"')}\r\n\r\none`, 'its end is missing'],
    ['--b\r\nno head\r\n--b--', 'no head'],
    ['--b\r\nX: y\r\n\r\none\r\n--b--', 'no name'],
    [`--bx\r\n${head('name="a"')}\r\n\r\none\r\n--b--`, 'a line between'],
  ] as const)
    try {
      read(text)
      assert.unreachable(text)
    } catch (error) {
      assert.match(JSON.stringify((error as { fields: unknown }).fields ?? String(error)), words)
    }
})

multipart.run()
