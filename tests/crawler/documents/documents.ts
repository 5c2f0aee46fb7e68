import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { HELVETICA, pdf } from '#tests/support/pdf-files.ts'
import { documentMarkdown, readDocument } from '#tests/support/read-document.ts'

const test = suite('documents that are not HTML')

test('documents become Markdown by their type', async () => {
  const cases: [contentType: string | null, body: string | Buffer, expected: string, why: string][] = [
    ['text/plain', 'one\r\n*two*', 'one\n*two*', 'text stays as it is'],
    ['text/markdown; charset=utf-8', '# T\n', '# T\n', 'Markdown stays as it is'],
    ['application/json', '{"a":[1]}', '```json\n{\n  "a": [\n    1\n  ]\n}\n```\n', 'JSON is indented'],
    ['application/ld+json', '{"a"', '```json\n{"a"\n```\n', 'invalid JSON stays as it is'],
    [
      'application/xml',
      '<rss><title>T</title></rss>',
      '```xml\n<rss><title>T</title></rss>\n```\n',
      'a feed without entries is shown as XML',
    ],
    ['text/csv', 'a,b\n"x, y","1 | 2"\n', '| a | b |\n| --- | --- |\n| x, y | 1 \\| 2 |\n', 'CSV becomes a table'],
    ['text/csv', 'Name;Preis\nTee;1,50\n', '| Name | Preis |\n| --- | --- |\n| Tee | 1,50 |\n', 'CSV with decimal commas has semicolons'],
    ['text/csv', 'sep=;\r\nName;Preis\r\n', '```csv\nName;Preis\n```\n', 'the line of Excel for the separator is left out'],
    ['text/csv', 'name,list\na,1;2\nb,3;4\n', '| name | list |\n| --- | --- |\n| a | 1;2 |\n| b | 3;4 |\n', 'semicolons in cells'],
    ['text/csv', 'a\tb\n1,5\t2,5\n', '| a | b |\n| --- | --- |\n| 1,5 | 2,5 |\n', 'CSV with tabs'],
    [null, '<!DOCTYPE html><p>x</p>', 'x\n', 'HTML without a type'],
    [null, 'just words', 'just words', 'text without a type'],
    ['text/html;;; charset="', '<p>x</p>', 'x\n', 'a malformed Content-Type'],
    ['application/octet-stream', '<html><p>x</p>', 'x\n', 'HTML served as octet-stream'],
    ['application/xhtml+xml', '<html><script src="a"/><p>x</p></html>', 'x\n', 'XHTML, where a slash closes a script'],
    ['text/xml', '<?xml version="1.0"?>\n<!DOCTYPE html>\n<html><title/><p>x</p></html>', 'x\n', 'XML whose root is that of a page'],
    ...['binary/octet-stream', 'application/force-download', 'application/x-download', 'application/x-unknown'].map(
      (type): [string, string, string, string] => [type, '<html><p>x</p>', 'x\n', `HTML served as ${type}`],
    ),
    ['application/javascript', '<html><p>x</p>', 'unsupported_type', 'HTML served as a script stays refused'],
    ['application/json; charset=iso-8859-1', '{"a":"żółć"}', '```json\n{\n  "a": "żółć"\n}\n```\n', 'JSON is UTF-8 whatever its type says'],
    [
      'application/json; charset=iso-8859-1',
      Buffer.from('{"a":"caf\xe9"}', 'latin1'),
      '```json\n{\n  "a": "café"\n}\n```\n',
      'JSON that is not UTF-8',
    ],
    [
      'application/json; charset=utf-16le',
      Buffer.from('{"a":"żć"}', 'utf16le'),
      '```json\n{\n  "a": "żć"\n}\n```\n',
      'JSON in UTF-16 whose bytes are UTF-8 too',
    ],
    [
      'text/html; charset=utf-8',
      '<?xml version="1.0"?><!-- by a shop --><rss><channel><title>T</title><item><title>i</title><link>/i</link></item></channel></rss>',
      '# T\n\n## [i](https://site.example/i)\n',
      'a feed that is called HTML',
    ],
    ['text/html', '<p>&lt;rss&gt;</p><rss>', '\\<rss>\n', 'a page about feeds'],
    ['application/xml', '<a><html/></a>', '```xml\n<a><html/></a>\n```\n', 'other XML'],
  ]
  for (const [contentType, body, expected, why] of cases) assert.is(await markdown(contentType, Buffer.from(body)), expected, why)
})

test('JSON that is too long for its page is UTF-8 too, wherever it is cut', async () => {
  for (const start of ['{"a":"', '{"ab":"']) {
    const written = await markdown('application/json; charset=iso-8859-1', Buffer.from(`${start}${'é'.repeat(5 * 1024 * 1024)}"}`))
    assert.is(written.slice(8, 16), `${start}éé`.slice(0, 8), start)
  }
})

test('a PDF or an office document is recognised under a text type by its first bytes', async () => {
  const document = readFileSync(new URL('../fixtures/documents/tides-pandoc.docx', import.meta.url))
  for (const contentType of [
    'text/html',
    'text/plain; charset=utf-8',
    'text/html; charset=utf-16',
    'application/json',
    'application/xml',
  ]) {
    const answer = await readDocument(pdf('(Hello from a PDF) Tj', HELVETICA), { contentType })
    assert.equal(answer.kind === 'page' && [answer.mediaType, answer.markdown], ['application/pdf', 'Hello from a PDF\n'], contentType)
  }
  assert.match(await markdown('text/plain', document), /^# /)
})

test('documents without text are refused', async () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(2000, 0x9c)])
  for (const [contentType, bytes] of [
    ['image/png', png],
    ['text/html', png],
    [null, png],
    ['application/zip', Buffer.from('PK\u0003\u0004')],
    ['video/mp4', Buffer.from('x')],
    ['image/svg+xml', Buffer.from('<svg/>')],
  ] as const)
    assert.is(await outcome(contentType, bytes), 'unsupported_type', String(contentType))
})

test('an XML document type loads nothing and expands nothing', async () => {
  const xml = '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/hostname">]><r>MARK &f;</r>'
  const text = await markdown('application/xml', Buffer.from(xml))
  assert.match(text, /MARK &f;/)
})

test('deeply nested JSON does not overflow the stack', async () => {
  assert.match(await markdown('application/json', Buffer.from('['.repeat(100_000) + ']'.repeat(100_000))), /^```json\n\[\[/)
})

test('links in texts, Markdown, JSON and CSV are found', async () => {
  const cases: [contentType: string, body: string, expected: string[]][] = [
    [
      'text/plain',
      'See https://a.example/x, (https://a.example/y_(z)) and <https://a.example/x>.',
      ['https://a.example/x', 'https://a.example/y_(z)'],
    ],
    [
      'text/plain',
      '詳細（https://a.example/あ）と「https://a.example/b」、https://a.example/c。次は«https://a.example/d»',
      ['https://a.example/%E3%81%82', 'https://a.example/b', 'https://a.example/c', 'https://a.example/d'],
    ],
    [
      'text/markdown',
      '[a](../b "t") [c](#d) ![i](i.png)\n[r]: /ref',
      ['https://site.example/b', 'https://site.example/i.png', 'https://site.example/ref'],
    ],
    ['application/json', '{"next":"https://a.example/?page=2","n":1}', ['https://a.example/?page=2']],
    ['text/csv', 'name,site\na,https://a.example/\n', ['https://a.example/']],
    ['application/xml', '<r xmlns="https://a.example/ns"/>', []],
    ['text/plain', 'ftp://a.example/ javascript:alert(1) http://', []],
  ]
  for (const [contentType, body, expected] of cases) {
    const answer = await readDocument(Buffer.from(body), { contentType })
    assert.equal(answer.kind === 'page' ? answer.links.map((link) => link.url) : answer, expected, body)
  }
})

test('a PDF of random bytes is unparsable', async () => {
  assert.is(await outcome('application/pdf', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(20_000, 0xa7)])), 'unparsable')
})

test.run()

const markdown = (contentType: string | null, bytes: Uint8Array) => documentMarkdown(bytes, contentType)
async function outcome(contentType: string | null, bytes: Uint8Array): Promise<string> {
  const answer = await readDocument(bytes, { contentType })
  return answer.kind === 'refusal' ? answer.reason : answer.kind
}
