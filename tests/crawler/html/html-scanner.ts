import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { scanHtml } from '#backend/crawler/html/html-scanner.ts'
import { readPage } from '#backend/crawler/page/read-page.ts'

const test = suite('scan HTML')

// Elements are written with brackets: `p[...]`, attributes after the name, text in quotes.
const CASES: [string, string, string][] = [
  // text
  ['a < b <3 <', "'a < b <3 <'", '< without a tag name is text'],
  ['a</', "'a</'", '</ at the end of the input is text'],
  ['&lt;b&gt; &amp;amp; &copy &notit; &#65;&#x42;', "'<b> &amp; © ¬it; AB'", 'character references with and without a semicolon'],
  ['&#0;&#128;&#xD800;&#x110000;', "'\ufffd€\ufffd\ufffd'", 'numeric references to invalid characters'],
  // tags
  ['<P>a</p >', "p['a']", 'tag names ignore case and trailing white space'],
  ['<a<b>x', "a<b['x']", 'a tag name ends at white space, a slash or >'],
  ['<b x', '', 'an unfinished tag is dropped'],
  ['a<b x="y>z', "'a'", 'an unfinished tag drops the rest of the input'],
  ['</>a</ b>c</3>d', "'a''c''d'", 'end tags without a name'],
  ['a</b>c', "'a''c'", 'an end tag without an open element'],
  ['<b><i>x</b>y</i>z', "b[i['x']]'y''z'", 'an end tag closes the elements inside'],
  ['</p>', 'p[]', '</p> without an open paragraph'],
  ['</br>', 'br[]', '</br> is a line break'],
  ['</img>', '', 'end tags of void elements are dropped'],
  ['<br>a<br/>b', "br[]'a'br[]'b'", 'void elements, with and without a slash'],
  ['<div/>a', "div['a']", 'a self-closing slash does not close an HTML element'],
  ['<image src=x>', 'img(src=x)[]', '<image> is <img>'],
  ['<form a><form b>x</form>y', "form(a)['x']'y'", 'a nested form is dropped'],
  ['<svg><path><p>a', "svg[path[]]p['a']", 'HTML ends a drawing that is not closed'],
  ['<math><mfrac><div>a', "math[mfrac[]]div['a']", 'and a formula'],
  ['<svg><foreignObject><p>a</p></foreignObject></svg>b', "svg[foreignobject[p['a']]]'b'", 'but not where HTML stands inside'],
  // scripts
  ['<script><!-- <script></script> --></script>a', "script['<!-- <script></script> -->']'a'", 'a script in a comment in a script'],
  ['<script><!-- </script>a', "script['<!-- ']'a'", 'a comment that the end of the script ends'],
  ['<script><!--><script></script>a', "script['<!--><script>']'a'", 'a comment that ends at once'],
  ['<script><script></script>a<!-- <script>', "script['<script>']'a'", 'a script in a script, without a comment'],
  // attributes
  [`<a b="1" c='2' d=3 e f = 4>`, 'a(b=1,c=2,d=3,e,f=4)[]', 'double-quoted, single-quoted and unquoted values'],
  ['<a B=1 b=2 b>', 'a(b=1)[]', 'the first of duplicate attributes counts'],
  ['<a b="1"c=2/d=/x/>', 'a(b=1,c=2/d=/x/)[]', 'no space after a quoted value, and a slash in an unquoted value'],
  ['<a/b/c=1>', 'a(b,c=1)[]', 'a slash separates attributes'],
  ['<a =b=c>', 'a(=b=c)[]', 'an attribute name may start with an equals sign'],
  ['<a b=>x', "a(b)['x']", 'an equals sign without a value'],
  ['<a b="x>y\n">', 'a(b=x>y\n)[]', '> in a quoted value'],
  ['<a b=x"y\'z<>', 'a(b=x"y\'z<)[]', 'quotes in an unquoted value'],
  ['<a "b">', 'a("b")[]', 'quotes in an attribute name'],
  [
    '<a b="?a&amp;b&lt=1&copy;&copyx&copy">',
    'a(b=?a&b&lt=1©&copyx©)[]',
    'character references in values need a semicolon before letters and equals signs',
  ],
  // comments and declarations
  ['a<!-- <b> -- > -->c', "'a''c'", 'a comment'],
  ['a<!-->b<!--->c<!---->d', "'a''b''c''d'", 'empty comments'],
  ['a<!--x--!>b', "'a''b'", 'a comment that ends with --!>'],
  ['a<!--x--!y-->b<!--x--->c', "'a''b''c'", '--! inside a comment, and a comment that ends with --->'],
  ['a<!--!>b-->c', "'a''c'", '!> does not end a comment'],
  ['a<!-- b', "'a'", 'an unfinished comment drops the rest of the input'],
  ['<!doctype html><!x><?php echo 1 ?>a<!>b<!->c', "'a''b''c'", 'declarations and processing instructions'],
  ['a<![CDATA[b]]>c', "'a''c'", 'CDATA is a comment in HTML'],
  ['<svg><![CDATA[<b>&amp;]]></svg>', "svg['<b>&amp;']", 'CDATA is text in SVG'],
  // raw text elements
  ['<script>if (a<b) "</p>&amp;"</script>x', "script['if (a<b) \"</p>&amp;\"']'x'", 'a script'],
  ['<style></styles></STYLE >x', "style['</styles>']'x'", 'a style element ends only at </style>'],
  ['<title>a <b> &amp; c</title>x', "title['a <b> & c']'x'", 'character references in a title'],
  ['<textarea><p></textarea/>x', "textarea['<p>']'x'", 'a textarea'],
  [
    '<iframe><p></iframe><xmp><p></xmp><noembed><p></noembed><noframes><p></noframes>',
    "iframe['<p>']xmp['<p>']noembed['<p>']noframes['<p>']",
    'obsolete raw text elements',
  ],
  ['<plaintext><p></plaintext>&amp;', "plaintext['<p></plaintext>&amp;']", 'a plaintext element never ends'],
  ['<script>x', "script['x']", 'a script without an end tag'],
  ['<script/>x</script>y', "script['x']'y'", 'a self-closing slash does not close a script'],
  // implied end tags
  ['<p>a<p>b<div>c', "p['a']p['b']div['c']", 'a block closes the paragraph before it'],
  ['<p><b>a<p>b', "p[b['a'p['b']]]", 'a paragraph inside an open <b> is nested'],
  ['<ul><li>a<li>b<ul><li>c</ul><li>d</ul>', "ul[li['a']li['b'ul[li['c']]]li['d']]", 'list items and nested lists'],
  ['<dl><dt>a<dd>b<dt>c</dl>', "dl[dt['a']dd['b']dt['c']]", 'definition lists'],
  ['<ul><p><li>a<p><li>b</ul><dl><p><dt>c<dd>d</dl>', "ul[p[]li['a'p[]]li['b']]dl[p[]dt['c']dd['d']]", 'items after a paragraph in a list'],
  ['<table><tr><th>a<td>b<tr><td>c</table>', "table[tr[th['a']td['b']]tr[td['c']]]", 'header cells'],
  ['<table><tr><td>a<td>b<tr><td>c</table>', "table[tr[td['a']td['b']]tr[td['c']]]", 'cells and rows'],
  ['<table><thead><tbody><tfoot>', 'table[thead[]tbody[]tfoot[]]', 'table sections'],
  ['<h1>a<h2>b', "h1['a']h2['b']", 'headings'],
  ['<select><option>a<option>b<optgroup><option>c</select>', "select[option['a']option['b']optgroup[option['c']]]", 'options'],
  ['<a>b<a>c', "a['b']a['c']", 'links'],
  ['<ruby>a<rt>b<rp>c</ruby>', "ruby['a'rt['b']rp['c']]", 'ruby annotations'],
  ['<table><td>a</td></tr><tr><td>b</table>', "table[tr[td['a']]tr[td['b']]]", 'a row whose start tag is missing'],
  ['<table><tbody><td>a</table>', "table[tbody[tr[td['a']]]]", '… in the body of a table'],
  // end tags that find no element of theirs, or one with others inside
  [
    '<div><table><tr><td>a</div>b<td>c</table>d</div>e',
    "div[table[tr[td['a''b']td['c']]]'d']'e'",
    'an end tag in a cell does not close what is around the table',
  ],
  ['<b><table><tr><td>a</b>b<td>c</table>', "b[table[tr[td['a''b']td['c']]]]", '… nor that of an inline element'],
  ['<h1><table><td>a</h2>b</table>c</h2>d', "h1[table[tr[td['a''b']]]'c']'d'", '… nor that of a heading of another level'],
  ['<table><tr><td><table></tr><td>a</table>b</table>', "table[tr[td[table[tr[td['a']]]'b']]]", 'a row outside of the innermost table'],
  ['<ul><li>a<ul></li><li>b</ul>c</ul>', "ul[li['a'ul[li['b']]'c']]", 'a list item outside of the innermost list'],
  ['<ul><li>a<div></ul>b', "ul[li['a'div[]]]'b'", 'the end of a list closes everything inside'],
  ['<span><div>a</span>b</div>c', "span[div['a''b']'c']", 'the end tag of an inline element with an open block inside'],
  ['<div><b><div>a</b>b</div>c</div>d', "div[b[div['a']]div['b']'c']'d'", 'a block continues behind the end of a formatting element'],
  ['<a x><h2 y>a</a>b</h2>c', "a(x)[h2(y)['a']]h2(y)['b']'c'", '… and of a link'],
  ['<i><b><p>a</i>b</b>c', "i[b[p['a']]]p['b''c']", '… but not the formatting inside'],
  [
    '<div><form a><div>a</form>b</div><form b>c</form></div>d',
    "div[form(a)[div['a''b']form(b)['c']]]'d'",
    'a form that ends inside a block',
  ],
  ['<form><p>a</form>b', "form[p['a']]'b'", 'a form that ends inside a paragraph'],
  ['<body><div>a</body></html>b</div>c', "body[div['a''b']'c']", 'text behind the end of the document'],
  ['<svg><g><a></svg>b', "svg[g[a[]]]'b'", 'an end tag closes everything inside a drawing'],
  // SVG and MathML
  ['<svg><path/><g/>a</svg>b', "svg[path[]g[]'a']'b'", 'a self-closing slash closes an SVG element'],
  ['<svg/>a<math/>b', "svg[]'a'math[]'b'", 'a self-closing slash closes <svg> and <math>'],
  ['<svg><title><b>x</b></title><style><g></style></svg>', "svg[title[b['x']]style[g[]]]", 'title and style in SVG are not raw text'],
  [
    '<svg><foreignObject><div/>a<script><b></script></foreignobject></svg>',
    "svg[foreignobject[div['a'script['<b>']]]]",
    'HTML in an SVG foreignObject',
  ],
  ['<math><mi><b/>x</mi></math>', "math[mi[b['x']]]", 'HTML in MathML'],
]

for (const [html, expected, why] of CASES)
  test(why, () => {
    assert.is(outline(html), expected, html)
  })

test('the scanner closes every opened element, in order, for any input', () => {
  const piece = fc.constantFrom(
    ...'<a <b> </b> <p> </p> <svg> <math> </svg> <title> </title> <script> </script> <li> <td> <!-- --> <![CDATA[ ]]> " \' = / > & &amp; x <form> </form> <br> </br> <x-y>'.split(
      ' ',
    ),
    ' ',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const html = pieces.join('')
      const open: string[] = []
      let textLength = 0
      scanHtml(html, {
        opened: ({ text }) => void open.push(text),
        closed: ({ text }) => assert.is(open.pop(), text),
        text: (source, start, end) => void (textLength += source.slice(start, end).length),
      })
      assert.equal(open, [])
      assert.ok(textLength <= html.length)
    }),
  )
})

test('the scanner reads a document the same way wherever it is split, and whatever was read before', () => {
  const whole =
    '<p class=a id="b c" hidden>x &amp; y</p><!-- c --><title>T</title><textarea>é</textarea><svg><![CDATA[d]]></svg>漢字<br/></x-y>'
  for (let end = 1; end <= whole.length; end += 1) {
    const cut = whole.slice(0, end)
    outline('#'.repeat(whole.length + 10))
    const behindMarks = outline(cut)
    outline(whole)
    assert.is(outline(cut), behindMarks, cut)
  }
  outline('<title>T</title>')
  assert.is(outline('<title>T</ti'), "title['T</ti']")
})

// Each would take minutes, or all memory, with a quadratic scanner.
const HOSTILE: [string, string, { elements: number; text: number }][] = [
  ['unclosed elements and unmatched end tags', '<b>'.repeat(100_000) + '</i>'.repeat(100_000), { elements: 100_000, text: 0 }],
  [
    '100,000 different element names',
    Array.from({ length: 100_000 }, (_, at) => `<x-${at}>`).join('') + '</y>'.repeat(100_000),
    { elements: 100_000, text: 0 },
  ],
  ['nested elements', '<div>'.repeat(1_000_000), { elements: 1_000_000, text: 0 }],
  ['nested SVG', '<svg>'.repeat(200_000), { elements: 200_000, text: 0 }],
  ['</p> without an open paragraph, 200,000 times', '</p>'.repeat(200_000), { elements: 200_000, text: 0 }],
  ['a long attribute', `<p a="${'x'.repeat(5_000_000)}">x`, { elements: 1, text: 1 }],
  ['many attributes', `<p ${Array.from({ length: 500_000 }, (_, at) => `a${at}`).join(' ')}>x`, { elements: 1, text: 1 }],
  ['a long tag name', `<${'x'.repeat(5_000_000)}>x`, { elements: 1, text: 1 }],
  ['a run of <', '<'.repeat(5_000_000), { elements: 0, text: 5_000_000 }],
  ['unfinished tags', '<a '.repeat(1_000_000), { elements: 0, text: 0 }],
  ['misplaced quotes', '<a b="c>'.repeat(500_000), { elements: 250_000, text: 0 }],
  ['nested comment openings', '<!--'.repeat(1_000_000), { elements: 0, text: 0 }],
  ['a run of hyphens in a comment', '<!--' + '-'.repeat(5_000_000), { elements: 0, text: 0 }],
  ['CDATA openings in SVG', '<svg>' + '<![CDATA['.repeat(500_000), { elements: 1, text: 0 }],
  ['unfinished end tags in a script', '<script>' + '</scrip'.repeat(500_000), { elements: 1, text: 3_500_000 }],
  [
    'end tags that cells hide from their elements',
    '<div><h1><td>' + '<i>'.repeat(50_000) + '</div></h2>'.repeat(50_000),
    { elements: 50_003, text: 0 },
  ],
  [
    'blocks that would have to continue behind many elements',
    ('<b>'.repeat(30) + '<div>'.repeat(30) + '</b>'.repeat(30)).repeat(5000),
    { elements: 300_990, text: 0 },
  ],
  ['character references', '&amp;'.repeat(500_000), { elements: 0, text: 500_000 }],
  ['one ampersand after many elements', '<i>x</i>'.repeat(300_000) + '&', { elements: 300_000, text: 300_001 }],
]
for (const [why, html, expected] of HOSTILE)
  test(`the scanner copes with ${why}`, () => {
    const seen = { elements: 0, text: 0 }
    let closed = 0
    scanHtml(html, {
      opened(_, attributes) {
        seen.elements += 1
        assert.ok(attributes === null || (attributes.length <= 400 && attributes.every((part) => part.length <= 65_536)))
      },
      closed: () => void (closed += 1),
      text: (_, start, end) => void (seen.text += end - start),
    })
    assert.is(closed, seen.elements)
    assert.equal(seen, expected)
  })

test('a label, name or URL does not keep the memory of its document in use', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const filler = '<br>'.repeat(250_000)
  const read = (at: number) => {
    const html = `<div class="label-of-${at}-and-more"><x-element-${at}><p data-attribute-${at}=1><a href="/some/address/${at}">x</a>${filler}</p></div>`
    return readPage(
      { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', status: 200, url: 'https://site.example/' },
      { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: ['*x-element*'] },
    )
  }
  const held = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  void read(0)
  const before = held()
  for (let at = 1; at <= 12; at += 1) void read(at)
  // Twelve documents of a megabyte each were read: not even three of them may still be there.
  assert.ok(held() - before < 3_000_000)
})

test('in XHTML a slash closes any element, and CDATA is text', () => {
  const page = '<title/><script src="a"/><a id="b"/><div/><br/><p><![CDATA[1 < 2]]></p>'
  assert.is(outline(page, true), "title[]script(src=a)[]a(id=b)[]div[]br[]p['1 < 2']")
})

test('in XHTML the declarations inside the document type are no text, and HTML reads them as browsers do', () => {
  const page = '<!DOCTYPE html [\n<!ENTITY nbsp "&#xA0;">\n<!ENTITY sdot "&#x22C5;">\n]><p>a [<!DOCTYPE b [<i/>]></p>'
  assert.is(outline(page, true), "p['a ['']>']")
  assert.is(outline('<!DOCTYPE html [<!ENTITY a "b">]><p>a'), "']>'p['a']")
  assert.is(outline('<!DOCTYPE html [<!ENTITY a "b"><p>a</p>', true), "p['a']")
  assert.is(outline('<!DOCTYPE html><p>[a]></p>', true), "p['[a]>']")
})

test.run()

function outline(html: string, isXml = false): string {
  let out = ''
  scanHtml(
    html,
    {
      opened({ text }, attributes) {
        const pairs: string[] = []
        for (let at = 0; at < (attributes?.length ?? 0); at += 2)
          pairs.push(attributes![at]! + (attributes![at + 1] === '' ? '' : `=${attributes![at + 1]!}`))
        out += text + (pairs.length === 0 ? '' : `(${pairs.join(',')})`) + '['
      },
      closed: () => void (out += ']'),
      text: (source, start, end) => void (out += `'${source.slice(start, end)}'`),
    },
    isXml,
  )
  return out
}
