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

multipart('names are read as clients write them: quoted or not, escaped, and in the extended form', () => {
  for (const [parameters, name, filename] of [
    ["name=file; filename=tea.pdf; filename*=utf-8''tea.pdf", 'file', 'tea.pdf'],
    ['name=file; filename="=?utf-8?B?w6k=?="; filename*=utf-8\'\'%C3%A9.pdf', 'file', 'é.pdf'],
    ['name="file"; filename*=UTF-8\'de\'gr%C3%BCn.pdf', 'file', 'grün.pdf'],
    ['name="file"; filename="plain.pdf"; filename*=utf-8\'\'%ff', 'file', 'plain.pdf'],
    ['name="file"; filename="a\\"b\\\\c.pdf"', 'file', 'a"b\\c.pdf'],
    ['name="file"; filename="C:\\tea.pdf"', 'file', 'C:\\tea.pdf'],
    ['filename="x; name=no"; NAME="file"', 'file', 'x; name=no'],
    ['name="a"', 'a', null],
  ] as const) {
    const [part] = read(`--b\r\n${head(parameters)}\r\n\r\nx\r\n--b--`)
    assert.equal([part!.name, part!.filename], [name, filename], parameters)
  }
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
