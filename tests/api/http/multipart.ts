/** Forms with files, byte by byte. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readMultipart } from '#backend/http/multipart.ts'

const multipart = suite('forms with files')

const read = (text: string, type = 'multipart/form-data; boundary=b') =>
  readMultipart(Buffer.from(text, 'latin1'), type).map(({ bytes, ...part }) => ({ ...part, text: bytes.toString('latin1') }))
const head = (rest: string) => `Content-Disposition: form-data; ${rest}`

const hasFault = (words: string) => (error: unknown) => JSON.stringify((error as { fields: unknown }).fields).includes(words)

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
  assert.is(read(`\r\n--b\r\n${head('name="a"')}\r\n\r\none\r\n--b--`)[0]!.text, 'one', 'a line break alone before the first boundary')
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

const partsOf = (count: number) =>
  `${Array.from({ length: count }, (_, at) => `--b\r\n${head(`name="${at}"`)}\r\n\r\n${at}\r\n`).join('')}--b--`

multipart('a form has at most 16 parts, heads of at most 8 KiB and names of at most 255 characters', () => {
  assert.equal(read(partsOf(16)).length, 16)
  assert.throws(() => read(partsOf(17)), hasFault('it has more than 16 parts'))
  const headOf = (bytes: number) => `${head('name="a"')}\r\nX: `.padEnd(bytes - 4, 'x')
  assert.is(read(`--b\r\n${headOf(8192)}\r\n\r\none\r\n--b--`).length, 1)
  assert.throws(() => read(`--b\r\n${headOf(8193)}\r\n\r\none\r\n--b--`), hasFault('a part has no headers'))
  const long = 'x'.repeat(300)
  const [part] = read(`--b\r\n${head(`name="${long}"; filename="${long}"`)}\r\nContent-Type:${long}\r\n\r\n\r\n--b--`)
  assert.equal([part!.name.length, part!.filename?.length, part!.contentType.length], [255, 255, 255])
  assert.is(read(`--b\r\nContent-Type:text/csv\r\n${head('name="a"')}\r\n\r\n\r\n--b--`)[0]!.contentType, 'text/csv')
})

multipart('a type without a boundary is refused, and so is a line that only begins like the last one', () => {
  for (const type of ['multipart/form-data', '', `multipart/form-data${' '.repeat(990)}; boundary=b`])
    assert.throws(() => read(partsOf(1), type), hasFault('its Content-Type names no boundary'))
  assert.throws(() => read('--b-x\r\n'), hasFault('a line between its parts is malformed'))
  assert.throws(() => read(`--b\r\n${head('name="a"')}\r\n\r\none\r\n--b`), hasFault('a line between its parts is malformed'))
})

multipart.run()
