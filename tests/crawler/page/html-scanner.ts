import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { scanHtml } from '#backend/crawler/page/html-scanner.ts'
import { readPage } from '#backend/crawler/page/read-page.ts'

const test = suite('scan HTML')

// Elements are written with brackets: `p[...]`, attributes after the name, text in quotes.
const CASES: [string, string, string][] = [
  // texts
  ['a < b <3 <', "'a < b <3 <'", 'a mark that no name follows is text'],
  ['a</', "'a</'", 'nor is one at the very end'],
  ['&lt;b&gt; &amp;amp; &copy &notit; &#65;&#x42;', "'<b> &amp; © ¬it; AB'", 'references, some without their semicolon'],
  ['&#0;&#128;&#xD800;&#x110000;', "'\ufffd€\ufffd\ufffd'", 'numbers that name no character'],
  // tags
  ['<P>a</p >', "p['a']", 'names have no case, white space may follow'],
  ['<a<b>x', "a<b['x']", 'a name goes on to a space, a slash or the end'],
  ['<b x', '', 'a tag that never ends is none'],
  ['a<b x="y>z', "'a'", 'and takes the rest with it'],
  ['</>a</ b>c</3>d', "'a''c''d'", 'end tags without a name'],
  ['a</b>c', "'a''c'", 'an end tag that ends nothing'],
  ['<b><i>x</b>y</i>z', "b[i['x']]'y''z'", 'what is inside ends as well'],
  ['</p>', 'p[]', 'an end of a paragraph that none began'],
  ['</br>', 'br[]', 'an end of a line break'],
  ['</img>', '', 'void elements have no end'],
  ['<br>a<br/>b', "br[]'a'br[]'b'", 'void elements, with and without a slash'],
  ['<div/>a', "div['a']", 'a slash ends no element of HTML'],
  ['<image src=x>', 'img(src=x)[]', 'an old name'],
  ['<form a><form b>x</form>y', "form(a)['x']'y'", 'no forms in forms'],
  // attributes
  [`<a b="1" c='2' d=3 e f = 4>`, 'a(b=1,c=2,d=3,e,f=4)[]', 'all quotes and none'],
  ['<a B=1 b=2 b>', 'a(b=1)[]', 'the first of a name counts'],
  ['<a b="1"c=2/d=/x/>', 'a(b=1,c=2/d=/x/)[]', 'no space is needed behind a quote, and a slash is of the value'],
  ['<a/b/c=1>', 'a(b,c=1)[]', 'a slash parts attributes'],
  ['<a =b=c>', 'a(=b=c)[]', 'a name may start with an equals sign'],
  ['<a b=>x', "a(b)['x']", 'no value at all'],
  ['<a b="x>y\n">', 'a(b=x>y\n)[]', 'an end mark in quotes'],
  ['<a b=x"y\'z<>', 'a(b=x"y\'z<)[]', 'quotes inside a value without'],
  ['<a "b">', 'a("b")[]', 'a name may hold quotes'],
  [
    '<a b="?a&amp;b&lt=1&copy;&copyx&copy">',
    'a(b=?a&b&lt=1©&copyx©)[]',
    'references in values need a semicolon before letters and equals signs',
  ],
  // comments and declarations
  ['a<!-- <b> -- > -->c', "'a''c'", 'a comment'],
  ['a<!-->b<!--->c<!---->d', "'a''b''c''d'", 'comments that end where they begin'],
  ['a<!--x--!>b', "'a''b'", 'a comment with an odd end'],
  ['a<!--x--!y-->b<!--x--->c', "'a''b''c'", 'and one that only seems to end'],
  ['a<!--!>b-->c', "'a''c'", 'an exclamation mark alone ends nothing'],
  ['a<!-- b', "'a'", 'a comment without an end takes the rest'],
  ['<!doctype html><!x><?php echo 1 ?>a<!>b<!->c', "'a''b''c'", 'declarations and instructions'],
  ['a<![CDATA[b]]>c', "'a''c'", 'CDATA is a comment in HTML'],
  ['<svg><![CDATA[<b>&amp;]]></svg>', "svg['<b>&amp;']", 'and text in a drawing'],
  // texts that hold no tags
  ['<script>if (a<b) "</p>&amp;"</script>x', "script['if (a<b) \"</p>&amp;\"']'x'", 'a script'],
  ['<style></styles></STYLE >x', "style['</styles>']'x'", 'ends at its own name only'],
  ['<title>a <b> &amp; c</title>x', "title['a <b> & c']'x'", 'a title knows references'],
  ['<textarea><p></textarea/>x', "textarea['<p>']'x'", 'a text field'],
  [
    '<iframe><p></iframe><xmp><p></xmp><noembed><p></noembed><noframes><p></noframes>',
    "iframe['<p>']xmp['<p>']noembed['<p>']noframes['<p>']",
    'old ones',
  ],
  ['<plaintext><p></plaintext>&amp;', "plaintext['<p></plaintext>&amp;']", 'one that never ends'],
  ['<script>x', "script['x']", 'a script without an end'],
  ['<script/>x</script>y', "script['x']'y'", 'a slash does not end it either'],
  // elements that end others
  ['<p>a<p>b<div>c', "p['a']p['b']div['c']", 'paragraphs end at blocks'],
  ['<p><b>a<p>b', "p[b['a'p['b']]]", 'but not through what stands between'],
  ['<ul><li>a<li>b<ul><li>c</ul><li>d</ul>', "ul[li['a']li['b'ul[li['c']]]li['d']]", 'entries, and lists in them'],
  ['<dl><dt>a<dd>b<dt>c</dl>', "dl[dt['a']dd['b']dt['c']]", 'terms and their meanings'],
  ['<table><tr><th>a<td>b<tr><td>c</table>', "table[tr[th['a']td['b']]tr[td['c']]]", 'header cells'],
  ['<table><tr><td>a<td>b<tr><td>c</table>', "table[tr[td['a']td['b']]tr[td['c']]]", 'cells and rows'],
  ['<table><thead><tbody><tfoot>', 'table[thead[]tbody[]tfoot[]]', 'parts of tables'],
  ['<h1>a<h2>b', "h1['a']h2['b']", 'headings'],
  ['<select><option>a<option>b<optgroup><option>c</select>', "select[option['a']option['b']optgroup[option['c']]]", 'choices'],
  ['<a>b<a>c', "a['b']a['c']", 'links'],
  ['<ruby>a<rt>b<rp>c</ruby>', "ruby['a'rt['b']rp['c']]", 'readings'],
  // drawings and formulas
  ['<svg><path/><g/>a</svg>b', "svg[path[]g[]'a']'b'", 'a slash ends elements of drawings'],
  ['<svg/>a<math/>b', "svg[]'a'math[]'b'", 'and drawings themselves'],
  ['<svg><title><b>x</b></title><style><i></style></svg>', "svg[title[b['x']]style[i[]]]", 'no raw text in drawings'],
  [
    '<svg><foreignObject><div/>a<script><b></script></foreignobject></svg>',
    "svg[foreignobject[div['a'script['<b>']]]]",
    'HTML inside a drawing',
  ],
  ['<math><mi><b/>x</mi></math>', "math[mi[b['x']]]", 'HTML inside a formula'],
]

for (const [html, expected, why] of CASES)
  test(why, () => {
    assert.is(outline(html), expected, html)
  })

test('closes every opened element, in order, for any input', () => {
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

test('reads a document the same way wherever it is split, and whatever was read before', () => {
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
  ['elements without an end', '<b>'.repeat(100_000) + '</i>'.repeat(100_000), { elements: 100_000, text: 0 }],
  [
    'names of its own',
    Array.from({ length: 100_000 }, (_, at) => `<x-${at}>`).join('') + '</y>'.repeat(100_000),
    { elements: 100_000, text: 0 },
  ],
  ['elements in elements', '<div>'.repeat(1_000_000), { elements: 1_000_000, text: 0 }],
  ['drawings in drawings', '<svg>'.repeat(200_000), { elements: 200_000, text: 0 }],
  ['paragraphs that end and do not begin', '</p>'.repeat(200_000), { elements: 200_000, text: 0 }],
  ['a long attribute', `<p a="${'x'.repeat(5_000_000)}">x`, { elements: 1, text: 1 }],
  ['many attributes', `<p ${Array.from({ length: 500_000 }, (_, at) => `a${at}`).join(' ')}>x`, { elements: 1, text: 1 }],
  ['a long name', `<${'x'.repeat(5_000_000)}>x`, { elements: 1, text: 1 }],
  ['marks of tags', '<'.repeat(5_000_000), { elements: 0, text: 5_000_000 }],
  ['tags in tags', '<a '.repeat(1_000_000), { elements: 0, text: 0 }],
  ['quotes in wrong places', '<a b="c>'.repeat(500_000), { elements: 250_000, text: 0 }],
  ['comments in a comment', '<!--'.repeat(1_000_000), { elements: 0, text: 0 }],
  ['dashes', '<!--' + '-'.repeat(5_000_000), { elements: 0, text: 0 }],
  ['CDATA in a drawing', '<svg>' + '<![CDATA['.repeat(500_000), { elements: 1, text: 0 }],
  ['ends that are none', '<script>' + '</scrip'.repeat(500_000), { elements: 1, text: 3_500_000 }],
  ['references', '&amp;'.repeat(500_000), { elements: 0, text: 500_000 }],
  ['one ampersand far behind', '<i>x</i>'.repeat(300_000) + '&', { elements: 300_000, text: 300_001 }],
]
for (const [why, html, expected] of HOSTILE)
  test(`copes with ${why}`, () => {
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

test('a label, name or URL does not keep its document in memory', () => {
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

test.run()

function outline(html: string): string {
  let out = ''
  scanHtml(html, {
    opened({ text }, attributes) {
      const pairs: string[] = []
      for (let at = 0; at < (attributes?.length ?? 0); at += 2)
        pairs.push(attributes![at]! + (attributes![at + 1] === '' ? '' : `=${attributes![at + 1]!}`))
      out += text + (pairs.length === 0 ? '' : `(${pairs.join(',')})`) + '['
    },
    closed: () => void (out += ']'),
    text: (source, start, end) => void (out += `'${source.slice(start, end)}'`),
  })
  return out
}
