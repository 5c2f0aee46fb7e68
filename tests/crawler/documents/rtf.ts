import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { documentMarkdown, readDocument } from '#tests/support/read-document.ts'

const test = suite('Rich Text Format')

const FONTS =
  '{\\fonttbl{\\f0\\fcharset0 Times;}{\\f1\\froman\\fcharset204 Times Cyr;}{\\f2\\fcharset2 Symbol;}{\\f3\\fcharset128 Mincho{\\*\\falt X};}}'
const STYLES = '{\\stylesheet{\\s0 Normal;}{\\s1\\sbasedon0\\b heading 1;}{\\s2 Intense Quote;}{\\s3\\outlinelevel1 Own;}{\\*\\cs9 Code;}}'

test('text, styles, lists, tables and links become Markdown', async () => {
  const cases: [rtf: string, expected: string, why: string][] = [
    ['one\\par two\\line three\\par', 'one\n\ntwo\\\nthree\n', 'paragraphs and lines'],
    ['a {\\b bold} {\\i italic}\\b  x\\b0  y\\plain', 'a **bold** *italic* **x** y\n', 'bold and italic text'],
    [
      '\\pard\\s1\\b Title\\b0\\par\\pard\\s3 Lower\\par\\pard\\s2 said\\par\\pard text',
      '# Title\n\n## Lower\n\n> said\n\ntext\n',
      'styles',
    ],
    ['\\pard\\outlinelevel2 Third\\par', '### Third\n', 'an outline level'],
    [
      "{\\listtext\\pard\\plain \\f2\\'b7\\tab}\\ilvl0 one\\par\\pard{\\listtext 1.\\tab}\\ilvl1 two\\par\\pard after",
      '- one\n  1. two\n\nafter\n',
      'lists',
    ],
    [
      '\\trowd\\intbl a\\cell b\\cell\\row\\trowd\\intbl c\\par d\\cell\\cell\\row\\pard after',
      '| a | b |\n| --- | --- |\n| c<br>d |  |\n\nafter\n',
      'a table',
    ],
    ['{\\field{\\*\\fldinst HYPERLINK "https://a.example/x"}{\\fldrslt{\\ul here}}}.', '[here](https://a.example/x).\n', 'a link'],
    [
      '{\\header top}{\\pict\\bin4 }}}}}{\\*\\unknown x}{\\annotation y}a{\\v hidden}{\\super 2}',
      'a<sup>2</sup>\n',
      'what is no text of the document',
    ],
    [
      'One{\\super\\chftn{\\footnote\\pard\\plain{\\super\\chftn} The {\\i first} note.\\par}} and{\\footnote Second\\par line}{\\footnote } two.\\par after',
      'One[^1] and[^2] two.\n\nafter\n\n[^1]: The *first* note.\n\n[^2]: Second line\n',
      'footnotes',
    ],
  ]
  for (const [rtf, expected, why] of cases) assert.is(await markdown(`{\\rtf1\\ansi${FONTS}${STYLES}${rtf}}`), expected, why)
})

test('characters are read by the encoding of their font, and by their numbers', async () => {
  const cases: [rtf: string, expected: string][] = [
    ["\\'e9\\'80 \\emdash\\~\\{x\\}", 'é€ — {x}'],
    ["{\\f1\\'cf\\'f0\\'e8} {\\f3\\'93\\'fa\\'96\\'7b}", 'При 日本'],
    ["{\\f2\\'61 b}", 'α β'],
    ["\\u1055?\\'f0\\uc2\\u8364\\'80x!\\uc0\\u-10179\\u-8704 .", 'Пð€!😀.'],
  ]
  for (const [rtf, expected] of cases) assert.is(await markdown(`{\\rtf1\\ansi\\ansicpg1252${FONTS}${rtf}}`), `${expected}\n`, rtf)
  assert.is(await markdown("{\\rtf1\\ansi\\ansicpg1251 \\'cf\\'f0}"), 'Пр\n')
})

test('the metadata are those of the document, whatever media type the server sends', async () => {
  const rtf = '{\\rtf1{\\info{\\title Tide tables}{\\author Ada Keel}{\\keywords sea}}text}'
  for (const type of ['application/rtf', 'text/rtf; charset=utf-8', 'application/octet-stream', null]) {
    const answer = await readDocument(Buffer.from(rtf), { contentType: type })
    assert.is(answer.kind, 'page', String(type))
    if (answer.kind !== 'page') continue
    assert.equal([answer.title, answer.mediaType, answer.markdown], ['Tide tables', 'application/rtf', 'text\n'], String(type))
    assert.equal([answer.metadata['author'], answer.metadata['keywords']], ['Ada Keel', 'sea'])
  }
})

test('markup in the text stays text, and damaged files give what can be read', async () => {
  assert.not.match(await markdown('{\\rtf1 <img src=x onerror=alert(1)> [a](javascript:x)}'), /(?<!\\)<img|(?<!\\)\[a\]\(/)
  assert.is(await markdown('{\\rtf1 a}}}} b{{'), 'a b\n')
  assert.is(await markdown('{\\rtf1{\\fonttbl\\fcharset204 x}{\\stylesheet{\\s1}} a\\'), 'a\n')
  assert.is(await markdown(`{\\rtf1 ${'{'.repeat(5000)}x`), 'unparsable')
  assert.is(await markdown('no such thing'), 'no such thing')
})

test.run()

const markdown = (rtf: string) => documentMarkdown(Buffer.from(rtf, 'latin1'), 'application/rtf')
