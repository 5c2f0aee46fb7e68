import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const test = suite('character sets')

const CASES: [why: string, hex: string, contentType: string, expected: string, head?: string][] = [
  ['Shift_JIS, named only in meta', '93fa967b8cea', 'text/html', '日本語', '<meta charset="Shift_JIS">'],
  ['windows-1251, named only in the header', 'cff0e8e2e5f2', 'text/html; charset=windows-1251', 'Привет'],
  ['ISO-8859-1 is read as windows-1252', '9371756f746564942080', 'text/html; charset=ISO-8859-1', '“quoted” €'],
  ['the header beats meta', Buffer.from('zażółć').toString('hex'), 'text/html; charset=utf-8', 'zażółć', '<meta charset="windows-1252">'],
  ['GB18030 in mixed case and quotes', 'd6d0cec4', 'text/html; charset="Gb18030"', '中文'],
  ['the header says UTF-16, bytes are ASCII', Buffer.from('plain').toString('hex'), 'text/html; charset=utf-16', 'plain'],
  ['EUC-KR in http-equiv', 'c7d1b1b9beee', 'text/html', '한국어', '<meta http-equiv="content-type" content="text/html; charset=euc-kr">'],
  ['an unknown charset', Buffer.from('plain żółć').toString('hex'), 'text/html; charset=x-unknown-9', 'plain żółć'],
  ['invalid bytes in UTF-8', '676f6f64fffec328206d6f7265', 'text/html; charset=utf-8', 'good'],
  ['UTF-8 without a declaration', Buffer.from('zażółć').toString('hex'), 'text/html', 'zażółć'],
  ['windows-1252 without a declaration', '636166e9', 'text/html', 'café'],
  ['meta says UTF-16, bytes are ASCII', Buffer.from('plain').toString('hex'), 'text/html', 'plain', '<meta charset="utf-16">'],
  [
    'meta after the first kilobyte',
    'cff0e8e2e5f2',
    'text/html',
    'Привет',
    `<meta name="x" content="${'x'.repeat(1500)}"><meta charset="windows-1251">`,
  ],
]

test('the character set is chosen as browsers choose it', () => {
  for (const [why, hex, contentType, expected, head = ''] of CASES) {
    const bytes = Buffer.concat([
      Buffer.from(`<!doctype html><html><head>${head}<title>t</title></head><body><p>`),
      Buffer.from(hex, 'hex'),
      Buffer.from('</p></body></html>'),
    ])
    assert.ok(markdownOf(bytes, contentType).includes(expected), why)
  }
})

test('bytes that are clearly UTF-8 are read as UTF-8, whatever the page or its header declares', () => {
  const page = (text: Buffer | string) => Buffer.concat([Buffer.from('<meta charset="gb2312"><p>'), Buffer.from(text)])
  assert.is(markdownOf(page('谷歌两年花170亿美元'), 'text/html'), '谷歌两年花170亿美元\n')
  assert.is(
    markdownOf(Buffer.from('<p>Experimentó captación, última.'), 'text/html; charset=iso-8859-1'),
    'ExperimentÃ³ captaciÃ³n, Ãºltima.\n',
  )
  assert.is(markdownOf(Buffer.from('<p>zażółć gęślą jaźń'), 'text/html; charset=iso-8859-2'), 'zażółć gęślą jaźń\n')
  // The same letters in the encoding that is declared, and escapes of seven bits.
  assert.is(markdownOf(page(Buffer.from('b9c8b8e8c1bdc4eabba8313730d2dac3c0d4aa', 'hex')), 'text/html'), '谷歌两年花170亿美元\n')
  assert.is(markdownOf(Buffer.from('<p>\u001b$BF|K\\8l\u001b(B'), 'text/html; charset=iso-2022-jp'), '日本語\n')
})

test('a page is read by its own declaration if the header says UTF-8 and most letters are not', () => {
  const russian = Buffer.from('cff0e8e2e5f2', 'hex')
  const page = (head: string, text: Buffer) => Buffer.concat([Buffer.from(`${head}<p>`), text])
  assert.is(markdownOf(page('<meta charset="windows-1251">', russian), 'text/html; charset=utf-8'), 'Привет\n')
  assert.is(markdownOf(page('', russian), 'text/html; charset=utf-8'), '\ufffd'.repeat(6) + '\n')
  const broken = Buffer.concat([Buffer.from('zażółć'), Buffer.from('ff', 'hex')])
  assert.is(markdownOf(page('<meta charset="windows-1251">', broken), 'text/html; charset=utf-8'), 'zażółć\ufffd\n')
})

test('a byte order mark wins over the header', () => {
  assert.is(markdownOf(Buffer.from('\ufeff<p>zażółć</p>'), 'text/html; charset=iso-8859-1'), 'zażółć\n')
  assert.is(markdownOf(Buffer.from('\ufeff<p>zażółć</p>', 'utf16le'), 'text/html'), 'zażółć\n')
})

test('UTF-16 without a byte order mark is read when the header names it', () => {
  const little = Buffer.from('<p>zażółć — ключ</p>', 'utf16le')
  assert.is(markdownOf(little, 'text/html; charset=utf-16le'), 'zażółć — ключ\n')
  assert.is(markdownOf(little, 'text/html; charset="UTF-16"'), 'zażółć — ключ\n')
  assert.is(markdownOf(Buffer.from(little).swap16(), 'text/html; charset=UTF-16BE'), 'zażółć — ключ\n')
  assert.is(markdownOf(Buffer.from('ключ, in plain text', 'utf16le'), 'text/plain; charset=utf-16'), 'ключ, in plain text')
})

test('links of a page have its encoding in their queries, and UTF-8 elsewhere', () => {
  const linksOf = (charset: string, href: Buffer) => {
    const bytes = Buffer.concat([Buffer.from('<a href="'), href, Buffer.from('">x</a>')])
    const { links } = reading(bytes, `text/html; charset=${charset}`)
    return links.map(({ url }) => url)
  }
  const cyrillic = Buffer.from('/\xea?q=\xea&p=a b#\xea', 'latin1')
  assert.equal(linksOf('windows-1251', cyrillic), ['https://site.example/%D0%BA?q=%EA&p=a%20b'])
  assert.equal(linksOf('windows-1251', Buffer.from('?q=&#12486;')), ['https://site.example/?q=%26%2312486%3B'], 'a character that it lacks')
  assert.equal(linksOf('shift_jis', Buffer.from('3f713d8365835c', 'hex')), ['https://site.example/?q=%83e%83\\'])
  assert.equal(linksOf('utf-8', Buffer.from('/к?q=к')), ['https://site.example/%D0%BA?q=%D0%BA'])
})

test.run()

function markdownOf(bytes: Buffer, contentType: string): string {
  return reading(bytes, contentType).markdown
}

function reading(bytes: Buffer, contentType: string): PageReading {
  return readPage(
    { bytes, contentType, status: 200, url: 'https://site.example/' },
    { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] },
  ) as PageReading
}
