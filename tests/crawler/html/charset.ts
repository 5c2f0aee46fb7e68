import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { percentEncodeAfterEncoding } from '@exodus/bytes/whatwg.js'
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

const UNDECLARED: [encoding: string, text: string][] = [
  ['windows-1252', 'Die Prüfung der Größe fällt für Käufer aus, schön für 5 £/m²'],
  ['windows-1252', 'Le système a été créé à l’hôpital où la leçon «Voilà» a déjà été donnée'],
  ['windows-1252', 'La città è più bella: « così » è già perché università'],
  ['windows-1252', 'Zürich, señor, Ångström, smörgåsbord'],
  ['windows-1250', 'Zażółć gęślą jaźń, proszę się dowiedzieć, że można'],
  ['iso-8859-2', 'Příliš žluťoučký kůň úpěl ďábelské ódy, síťování'],
  ['windows-1254', 'Türkiye’de bir şehir: İstanbul, ağaç, ışık ve güneş'],
  ['windows-1251', 'Документ написан на русском языке и не объявляет кодировку'],
  ['koi8-u', 'Документ написан на русском языке и не объявляет кодировку'],
  ['windows-1251', 'Цей документ українською мовою, її кодування не вказано'],
  ['windows-1253', 'Το κείμενο είναι γραμμένο στα ελληνικά'],
  ['windows-1255', 'המסמך נכתב בעברית ואין בו הצהרה על הקידוד'],
  ['windows-1256', 'هذه الوثيقة مكتوبة باللغة العربية ولا تعلن الترميز'],
  ['windows-874', 'เอกสารนี้เขียนเป็นภาษาไทยและไม่ได้ระบุรหัสอักขระ'],
  ['shift_jis', '施設名,所在地,電話番号などの一覧です。データは毎月更新されます'],
  ['euc-jp', 'この文書は日本語で書かれていて、文字コードは宣言されていません'],
  ['gbk', '这个文件是用中文写的，没有说明它的编码。我们要把它读出来'],
  ['big5', '這個檔案是用中文寫的，沒有說明它的編碼。我們要把它讀出來'],
  ['euc-kr', '이 문서는 한국어로 쓰여 있고 인코딩을 밝히지 않습니다'],
  ['iso-2022-jp', 'この文書は日本語で書かれています'],
]

test('text that declares nothing is read in the encoding that its letters show', () => {
  for (const [encoding, text] of UNDECLARED) {
    const bytes = encoded(encoding, text)
    assert.is(markdownOf(bytes, 'text/plain'), text, `${encoding}, plain text`)
    const page = Buffer.concat([Buffer.from('<title>t</title><p>'), bytes, Buffer.from('</p>')])
    assert.is(markdownOf(page, 'text/html').replaceAll('\\', ''), `${text}\n`, `${encoding}, a page`)
  }
  const table = encoded('shift_jis', '施設名,電話番号\n中央図書館,03-1234-5678\n市民センター,03-1234-0000\n')
  assert.match(markdownOf(table, 'text/csv'), /\| 中央図書館 \| 03-1234-5678 \|/)
})

test('names of several western languages in one text are not read as Czech', () => {
  const players = 'Martin Ødegaard\nErling Håland\nThomas Müller\nJosé García\nAndré López'
  assert.is(markdownOf(encoded('windows-1252', players), 'text/plain'), players)
})

test('Czech text with a few German names is read as Czech', () => {
  const text = 'Dvořák a Černý přišli v úterý, Němcová až večer; příští týden přijede Müller z Vídně'
  assert.is(markdownOf(encoded('windows-1250', text), 'text/plain'), text)
})

test('Turkish text with many dotted capitals is read as Turkish', () => {
  const text = "İstanbul'da İlkbahar güneşli geçti, İzmir'de İlçe İdaresi açıldı"
  assert.is(markdownOf(encoded('windows-1254', text), 'text/plain'), text)
})

test('text in UTF-8 that was cut within a character, or has a broken one, stays UTF-8', () => {
  const text = 'この文書は日本語で書かれています'
  assert.is(markdownOf(Buffer.from(text).subarray(0, -1), 'text/plain'), `${text.slice(0, -1)}\ufffd`)
})

test('only text of seven bits is read as old Japanese mail: a log in UTF-8 may have its escapes', () => {
  const mail = '\u001b$BF|K\\8l\u001b(B'
  assert.is(markdownOf(Buffer.from(mail), 'text/plain'), '日本語')
  assert.match(markdownOf(Buffer.from(`${mail} – żółć`), 'text/plain'), '– żółć')
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

function encoded(encoding: string, text: string): Buffer {
  const escaped = percentEncodeAfterEncoding(encoding, text, '%')
  return Buffer.from(
    escaped.replace(/%([0-9A-F]{2})/g, (_, byte: string) => String.fromCharCode(parseInt(byte, 16))),
    'latin1',
  )
}

function markdownOf(bytes: Buffer, contentType: string): string {
  return reading(bytes, contentType).markdown
}

function reading(bytes: Buffer, contentType: string): PageReading {
  return readPage(
    { bytes, contentType, status: 200, url: 'https://site.example/' },
    { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] },
  ) as PageReading
}
