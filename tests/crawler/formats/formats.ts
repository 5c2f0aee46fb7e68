import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { markdownOf } from '#tests/support/markdown-of.ts'

const test = suite('Markdown of a page')

const CASES: [why: string, html: string, expected: string][] = [
  ['headings', '<h1>A</h1><h2>B <em>c</em></h2><h6>D</h6>', '# A\n\n## B *c*\n\n###### D'],
  ['no line wrapping', `<p>${'word '.repeat(200)}</p>`, 'word '.repeat(200).trim()],
  ['spaces move outside of emphasis', '<p>a<b> b </b>c <i></i>d</p>', 'a **b** c d'],
  ['line breaks', '<p>a<br>b<br><br></p>', 'a\\\nb'],
  [
    'entries and cells without end tags, though something is open inside of them',
    '<ul><li><p>a<li><b>b<li><div>c<ul><li><i>d<li>e</ul></ul><table><tr><th><p>f<th><b>g<tr><td><font><div>h<td>i</table><dl><dt><b>j<dd><p>k<dt>l</dl>',
    '- a\n\n- **b**\n\n- c\n\n  - *d*\n  - e\n\n| f | **g** |\n| --- | --- |\n| h | i |\n\n**j**\n: k\n\n**l**',
  ],
  [
    'a table within a cell, and an entry within a part of another',
    '<table><tr><td>a<table><tr><td><b>b<td>c</table><td>d</table><ul><li><section><li>e</section></ul>',
    'a\n\n**b**\n\nc\n\nd\n\n- - e',
  ],
  [
    'two line breaks in a row end a paragraph, in emphasis too',
    '<div>a<br> <br/>- b <b>c<br><br>d</b><br>&nbsp;<br>e</div><ul><li>f<br><br>g</ul>',
    'a\n\n\\- b **c**\n\n**d**\n\ne\n\n- f\n\n  g',
  ],
  [
    'tracking pixels, spacers and placeholders are no pictures',
    '<p>a<img src="/count" width="0"><img src="/count" height=" 1px"><img src="/count" style="width:1px"><img src="/i/spacer.gif"><img src="/blank.gif" data-big="/b.jpg"><img src="/pixel-art.png"></p>',
    'a![](https://site.example/b.jpg)![](https://site.example/pixel-art.png)',
  ],
  ['nested lists', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '- a\n  - b\n- c'],
  ['several blocks in a list item', '<ul><li><div>a</div><div>b</div></li><li>c</li></ul>', '- a\n\n  b\n- c'],
  ['numbered lists', '<ol start="3"><li>a</li><li><p>b</p><p>c</p></li></ol>', '3. a\n\n4. b\n\n   c'],
  ['a list directly inside a list', '<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  - b'],
  ['quotes', '<blockquote><p>a</p><p>b</p></blockquote><p>c</p>', '> a\n>\n> b\n\nc'],
  ['horizontal rules', '<p>a</p><hr><p>b</p>', 'a\n\n---\n\nb'],
  ['strikethrough', '<p><del>a</del> <s>b</s></p>', '~~a~~ ~~b~~'],
  [
    'relative links become absolute',
    '<p><a href="../x?a=1#f">t</a> <a href="#f">here</a></p>',
    '[t](https://site.example/x?a=1#f) [here](https://site.example/d/p#f)',
  ],
  ['javascript: and data: links become text', '<p><a href="javascript:alert(1)">t</a><a href="data:text/html,x">u</a></p>', 'tu'],
  ['brackets in code in a link', '<p><a href="/x"><code>list[int]</code> a]</a></p>', '[`list[int]` a\\]](https://site.example/x)'],
  [
    'code in a link that would end the label of a link reference definition',
    '<p><a href="/x"><code>a]: b</code></a></p>',
    '[`a\\]: b`](https://site.example/x)',
  ],
  ['a tilde at the edge of struck text', '<p>~<s>a~</s> <s>b</s>~</p>', '\\~~~a\\~~~ ~~b\\~~~'],
  ['bold italics that end in a colon before a letter', '<p><b><i>Note:</i></b>text</p>', '**Note**:text'],
  ['bold italics that begin with punctuation behind a letter', '<p>x<b><i>.y</i></b></p>', 'x.**y**'],
  ['an italic exclamation mark before a link', '<p>y<i>!</i><a href="/d">d</a></p>', 'y\\![d](https://site.example/d)'],
  ['three nested empty list items', '<ol><li><ul><li><ul><li><ul><li></ul></ul></ul></ol>', '1. - - +'],
  [
    'code with backticks in a link is text, since marked does not find its end',
    '<p><a href="/x"><code>a`</code></a><b><a href="/y">b</a></b> <code><a href="/z">c``[</a></code> <code>d`</code></p>',
    '[a\\`](https://site.example/x)**[b](https://site.example/y)** [c\\`\\`\\[](https://site.example/z) `` d` ``',
  ],
  ['struck text inside struck text', '<p><s>a <s>b</s></s></p>', '~~a b~~'],
  ['brackets in link text', '<p><a href="/x">a [b] c\nd</a></p>', '[a \\[b\\] c d](https://site.example/x)'],
  ['parentheses in URLs', '<p><a href="/x_(y)">t</a></p>', '[t](https://site.example/x_(y))'],
  ['images', '<p><img src="/a.png" alt="A cat"><img src="data:image/png;base64,xx" alt="no"></p>', '![A cat](https://site.example/a.png)'],
  ['lazy-loaded images', '<p><img src="data:image/gif;base64,xx" data-src="/a.png" alt="A"></p>', '![A](https://site.example/a.png)'],
  ['a permalink in a heading', '<h2>T<a class="headerlink" href="#t">¶</a></h2>', '## T'],
  [
    'a heading with a link to itself beside other content',
    '<h2 id="a">T <a href="/x">x</a></h2><h2 id="b"><a href="#b">T</a> <a href="/x">x</a></h2><h2><a id="c" href="#c">T</a> c</h2><h2 id="d"><a href="#e">T</a> d</h2>',
    '## T [x](https://site.example/x)\n\n## T [x](https://site.example/x)\n\n## T c\n\n## [T](https://site.example/d/p#e) d',
  ],
  [
    'a link around a block with only a picture',
    '<a href="/x"><div><img src="/a.png" alt="A"></div></a><a href="/y"><div><img src="/b.png" alt="B"></div><div>s</div></a><a href="/c.png"><p><img src="/small.png" alt="C"></p></a>',
    '[![A](https://site.example/a.png)](https://site.example/x)\n\n![B](https://site.example/b.png)\n\n[s](https://site.example/y)\n\n![C](https://site.example/small.png)',
  ],
  [
    'an anchor around blocks with pictures is no link',
    '<a name="top"><div><img src="/a.png" alt="A"></div><div><img src="/b.png" alt="B"></div></a>',
    '![A](https://site.example/a.png)\n\n![B](https://site.example/b.png)',
  ],
  [
    'text and code directly after a link with code',
    '<p><a href="/x"><code>Promise</code></a>&lt;<code>string</code>&gt;<a href="/y"><code>[]</code></a>_a_</p>',
    '[`Promise`](https://site.example/x)&lt;`string`>[`[]`](https://site.example/y)\\_a\\_',
  ],
  ['cards: a link around blocks', '<a href="/x"><div><h3>T</h3><p>s</p></div></a>', '### [T](https://site.example/x)\n\ns'],
  ['code blocks', '<pre><code class="language-js">a &lt; b\n  c\n</code></pre>', '```js\na < b\n  c\n```'],
  [
    'highlighted code',
    '<div class="highlight-python3"><div class="highlight"><pre><span>x</span> = 1\n</pre></div></div>',
    '```python3\nx = 1\n```',
  ],
  ['a language in a highlight-source class', '<div class="highlight highlight-source-js"><pre>x</pre></div>', '```js\nx\n```'],
  ['code that contains a fence', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
  ['inline code with backticks', '<p><code>a`b</code> <code>`c`</code></p>', '``a`b`` `` `c` ``'],
  ['code in lists', '<ul><li>a<pre>b\nc</pre></li></ul>', '- a\n  ```\n  b\n  c\n  ```'],
  [
    'tables',
    '<table><tr><th>A</th><th>B</th></tr><tr><td>1|2</td><td>x<br>y</td></tr></table>',
    '| A | B |\n| --- | --- |\n| 1\\|2 | x<br>y |',
  ],
  [
    'spans in tables',
    '<table><tr><th colspan=2>A</th></tr><tr><td rowspan=2>1</td><td>2</td></tr><tr><td>3</td></tr></table>',
    '| A |  |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |',
  ],
  [
    'a cell that spans more rows than a table has columns at most',
    `<table><tr><th>A<th>B</tr><tbody><tr><td rowspan=60>1<td>2</tr>${'<tr><td>3</tr>'.repeat(59)}<tr><td>4<td>5</tr></table>`,
    `| A | B |\n| --- | --- |\n| 1 | 2 |\n${'|  | 3 |\n'.repeat(59)}| 4 | 5 |`,
  ],
  [
    'a cell spans no rows beyond its group; without a number it spans all of them',
    '<table><thead><tr><th>A<th>B</thead><tbody><tr><td rowspan=9>1<td>2<tr><td>3</tbody><tbody><tr><td rowspan=0>4<td>5<tr><td>6<tr><td>7</tbody></table>',
    '| A | B |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |\n| 4 | 5 |\n|  | 6 |\n|  | 7 |',
  ],
  [
    'text between the cells of a table',
    '<table>x <b>y</b><caption>T</caption><tr><th>1</th><th>2</th></tr><tr>z<td>3</td><td>4</td></tr></table>',
    'T\n\nx **y**z\n\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |',
  ],
  ['text in a table without cells', '<table>x<tr>y</tr></table>', 'x\n\ny'],
  ['300 nested tables', '<table>x<tr><td>'.repeat(300) + 'y', 'x\n\n'.repeat(300) + 'y'],
  ['layout tables', '<table role="presentation"><tr><td><p>a</p></td><td><p>b</p></td></tr></table>', 'a\n\nb'],
  ['definition lists', '<dl><dt>a</dt><dd>b</dd><dd><p>c</p><p>d</p></dd></dl>', '**a**\n: b\n: c\n\n  d'],
  ['text before the first <dt>', '<dl>x<dt>a</dt><dd>b</dd></dl>', 'x\n\n**a**\n: b'],
  [
    'headings without an end tag',
    `<h2>A <b>b</b><p>${'word '.repeat(100)}</p><ul><li>c</li></ul>`,
    `## A **b**\n\n${'word '.repeat(100).trim()}\n\n- c`,
  ],
  ['headings with only an image', '<h2><img src="/a.png" alt="A"></h2>', '![A](https://site.example/a.png)'],
  ['figures', '<figure><img src="/a.png" alt="x"><figcaption>Words</figcaption></figure>', '![](https://site.example/a.png)\n\nWords'],
  ['details', '<details><summary>More</summary><p>text</p></details>', '**More**\n\ntext'],
  [
    'a summary that holds a heading, its controls and a text with links',
    '<details open><summary><a href="/src">Source</a><h3>Use <a href="/t">T</a></h3><p>See <a href="/b"><code>B</code></a></p></summary></details>',
    '### Use [T](https://site.example/t)\n\nSee [`B`](https://site.example/b)',
  ],
  [
    'a paragraph of code whose lines are parted by line breaks',
    '<p>A</p><p> <code>b  {<br>\n &nbsp;c<br><br>}<br></code></p>',
    'A\n\n```\nb {\n c\n\n}\n```',
  ],
  ['numbers that a highlighter marks in code', '<pre>X = <span class="num">15</span></pre>', '```\nX = 15\n```'],
  [
    'tables without <table>: of Javadoc, and by roles',
    '<div class="summary-table two-column-summary"><div class="table-header col-first">C</div><div class="table-header col-last">D</div><div class="col-constructor-name"><code>a()</code></div><div class="col-last"><div class="block">b</div></div></div><div role="grid"><div role="rowgroup"><div role="row"><span role="gridcell">1</span><span role="gridcell"></span></div></div><div><p role="row"><b role="rowheader">2</b><i role="gridcell">3</i></p></div></div>',
    '| C | D |\n| --- | --- |\n| `a()` | b |\n\n| 1 |  |\n| --- | --- |\n| 2 | 3 |',
  ],
  ['emphasis of stars in bold text that begins with emphasis', '<p><b><em>class</em> M(<em>**k</em>)</b></p>', '__*class* M(*\\*\\*k*)__'],
  [
    'definitions that begin with a list, a table or a definition',
    '<dl><dt>a<dd><ul><li>b<li>c</ul><dt>d<dd><table><tr><th>e<th>f<tr><td>g<td>h</table><dt>i<dd>j<dl><dt>k<dd>l<p>m</dl></dl>',
    '**a**\n\n  - b\n  - c\n\n**d**\n\n  | e | f |\n  | --- | --- |\n  | g | h |\n\n**i**\n: j\n\n  **k**\n  : l\n\n  m',
  ],
  [
    'other space at the edges of emphasis',
    '<p><b>&emsp;a&#x2028;</b>b <b>c&#x3000;<br></b>d<i>&thinsp;</i>e</p>',
    '\u2003**a**\u2028b **c**\u3000\\\nd\u2009e',
  ],
  ['bold text behind bold text, both emphasised', '<p><i><b>a</b></i><b></b><i><b>b</b></i></p>', '***ab***'],
  [
    'links in links, which end where the inner one begins',
    '<p><a href="/1">a <em><a href="/2">b</a></em> c</a></p><p><a href="/1"><em><a name="x"></a>d</em></a></p>',
    '[a](https://site.example/1) *[b](https://site.example/2)* c\n\n[*d*](https://site.example/1)',
  ],
  [
    'a table by roles that holds text outside of its cells',
    '<div role="table">T<div role="row"><i role="cell">1</i> <i role="cell">2</i></div><div role="row"><i role="cell">3</i> <i role="cell">4</i></div></div>',
    'T\n\n*1* *2*\n\n*3* *4*',
  ],
  [
    'tables whose first column holds numbers, which is not code',
    '<table><tr><td class="num">1</td><td>a</td></tr><tr><td class="num">2</td><td>b</td></tr></table><p>c</p><table><tr><td>1 2 3</td><td>d</td></tr></table>',
    '| 1 | a |\n| --- | --- |\n| 2 | b |\n\nc\n\n1 2 3\n\nd',
  ],
  [
    'text that looks like headings, lists and quotes',
    '<p># a</p><p>1. b</p><p>- c</p><p>&gt; d</p><p>+ e</p>',
    '\\# a\n\n1\\. b\n\n\\- c\n\n\\> d\n\n\\+ e',
  ],
  [
    'text that looks like emphasis and code',
    '<p>*a* _b_ `c` snake_case 2 * 3 ~~d~~</p>',
    '\\*a\\* \\_b\\_ \\`c\\` snake_case 2 * 3 \\~\\~d\\~\\~',
  ],
  [
    'text that looks like links and tags',
    '<p>[x](javascript:alert(1)) ![p](http://e.example/) &lt;img src=x&gt; &amp;amp; a &lt; b &amp; c</p>',
    '\\[x\\](javascript:alert(1)) !\\[p\\](http://e.example/) \\<img src=x> \\&amp; a < b & c',
  ],
  ['an exclamation mark before a link', '<p>Hey!<a href="/x">t</a></p>', 'Hey\\![t](https://site.example/x)'],
  [
    'plain text is left alone',
    '<p>It costs $5 (or 10 %), see a.b_c: "quoted" – done!</p>',
    'It costs $5 (or 10 %), see a.b_c: "quoted" – done!',
  ],
  ['list items with paragraphs', '<ul><li><p>a</p></li><li><p>b</p></li></ul>', '- a\n\n- b'],
  ['adjacent lists', '<ul><li>a</li></ul><ul><li>b</li></ul><ol><li>c</li></ol><ol><li>d</li></ol>', '- a\n\n* b\n\n1. c\n\n1) d'],
  [
    'a list that starts at 7 below a table',
    '<ul><li><table><tr><th>a<th>b<tr><td>c<td>d</table><ol start=7><li>e</ol></ul>',
    '- | a | b |\n  | --- | --- |\n  | c | d |\n\n  7. e',
  ],
  [
    'numbered lists with value and reversed',
    '<ol><li>a</li><li value="7">b</li><li>c</li></ol><p>x</p><ol reversed><li>d</li><li>e</li></ol>',
    '1. a\n7. b\n8. c\n\nx\n\n2. d\n1. e',
  ],
  ['empty list items', '<ol><li>a</li><li></li><li>c</li></ol><ul><li class="icon"></li><li>d</li></ul>', '1. a\n2.\n3. c\n\n- d'],
  [
    'nested lists that need a blank line above',
    '<ul><li>a<ul><li></li><li>b</li></ul></li></ul><p>x</p><ul><li>c<ol><li value="4">d</li></ol></li><li>e<ol><li>f</li></ol></li></ul>',
    '- a\n\n  -\n  - b\n\nx\n\n- c\n\n  4. d\n- e\n  1. f',
  ],
  [
    'horizontal rules where --- would mean front matter or a heading',
    '<hr><p>a</p><ul><li><hr></li><li>b<hr></li></ul>',
    '___\n\na\n\n- ___\n- b\n  ___',
  ],
  [
    'a paragraph that starts like a list item',
    '<p>* foo</p><p>+49 30 1234</p><p>*&nbsp;x</p><p><span>-</span> y</p>',
    '\\* foo\n\n+49 30 1234\n\n\\* x\n\n\\- y',
  ],
  ['strong in emphasis', '<p><em><strong>a</strong></em> <em><b>b</b> c <b>d</b></em></p>', '***a*** ***b** c **d***'],
  ['emphasis in strong', '<p><strong><em>a</em></strong> <strong>b <em>c</em></strong></p>', '__*a*__ **b *c***'],
  ['adjacent emphasis', '<p><b>a</b><b>b</b> <i>c</i><i>d</i> <b>e</b><i>f</i></p>', '**ab** *cd* **e***f*'],
  ['bold in bold', '<p><b>a <b>b</b></b> <strong><b>c</b></strong></p>', '**a b** **c**'],
  [
    'emphasised punctuation beside letters',
    '<p>これは<b>「重要」</b>です a<b>"b"</b>c d<b>, e</b></p>',
    'これは「**重要**」です a"**b**"c d, **e**',
  ],
  ['emphasised links beside letters', '<p>a<b><a href="/x">b</a></b>c</p>', 'a[b](https://site.example/x)c'],
  [
    '! and & before emphasis that is not written',
    '<p>!<em><a href="/x">b</a></em>c &amp;<em>lt;</em>d !<em><a href="/x">e</a></em> f</p>',
    '\\![b](https://site.example/x)c \\&lt;d !*[e](https://site.example/x)* f',
  ],
  ['adjacent inline code', '<p><code>foo</code><code>()</code></p>', '`foo()`'],
  ['inline code keeps its spaces', '<p>a<code> b</code> <code>c </code>d</p>', 'a` b` `c `d'],
  ['inline code of backticks only', '<p><code>```</code></p>', '` ``` `'],
  ['a link inside inline code', '<p><code><a href="/x">f(a)</a></code></p>', '[`f(a)`](https://site.example/x)'],
  ['superscripts and subscripts', '<p>10<sup>6</sup> m<sup>2</sup> x<sub>i</sub></p>', '10<sup>6</sup> m<sup>2</sup> x<sub>i</sub>'],
  [
    'superscripts and subscripts written as plain text',
    '<p>1<sup>st</sup>, XIX<sup>e</sup>, CO<sub>2</sub>, Seine<sup>®</sup>, log<sub>2</sub>8</p>',
    '1st, XIXe, CO2, Seine®, log<sub>2</sub>8',
  ],
  [
    'ruby annotations',
    '<p><ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby> <ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby></p>',
    '漢(かん)字(じ) a(b)',
  ],
  [
    'URLs with parentheses, escapes and tracking parameters',
    '<p><a href="/wiki/C_(language)">a</a> <a href="/x)y">b</a> <a href="/%c3%b6?utm_source=z&q=1">c</a></p>',
    '[a](https://site.example/wiki/C_(language)) [b](<https://site.example/x)y>) [c](https://site.example/%C3%B6?q=1)',
  ],
  [
    'fragments with escapes beside characters that need one',
    '<p><a href="#%C3%A9_(x)">a</a> <a href="/x#é_100%25">b</a> <a href="/x#%5Ba%5D b#c">c</a></p>',
    '[a](https://site.example/d/p#%C3%A9_(x)) [b](https://site.example/x#%C3%A9_100%25) [c](https://site.example/x#%5Ba%5D%20b%23c)',
  ],
  [
    'link titles that differ from the link text',
    '<p><a href="/x" title="More &quot;on&quot; x">a</a> <a href="/y" title="b">b</a> <a href="/The_Z" title="The Z">c</a></p>',
    '[a](https://site.example/x "More &#34;on&#34; x") [b](https://site.example/y) [c](https://site.example/The_Z)',
  ],
  ['dollar signs that could start a formula', '<p>$5</p><p>$5 or $6</p>', '$5\n\n\\$5 or \\$6'],
  ['text that looks like a footnote reference', '<p>a[^1] b</p>', 'a\\[^1] b'],
  ['white space in pre', '<pre>  a\n\n\tb</pre>', '```\n  a\n\n\tb\n```'],
]

test('the Markdown is what a person would have written', () => {
  for (const [why, html, expected] of CASES) assert.is(markdownOf(html), expected + '\n', why)
})

test('the Markdown of an empty page is empty', () => assert.is(markdownOf(''), ''))

test.run()
