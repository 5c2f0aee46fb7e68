import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage, type PageReading } from '#backend/crawler/read-page.ts'

const test = suite('Markdown of a page')

const CASES: [why: string, html: string, expected: string][] = [
  ['headings', '<h1>A</h1><h2>B <em>c</em></h2><h6>D</h6>', '# A\n\n## B *c*\n\n###### D'],
  ['no line wrapping', `<p>${'word '.repeat(200)}</p>`, 'word '.repeat(200).trim()],
  ['emphasis keeps its spaces outside', '<p>a<b> b </b>c <i></i>d</p>', 'a **b** c d'],
  ['line breaks', '<p>a<br>b<br><br></p>', 'a\\\nb'],
  ['nested lists', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '- a\n  - b\n- c'],
  ['blocks of one entry', '<ul><li><div>a</div><div>b</div></li><li>c</li></ul>', '- a\n\n  b\n- c'],
  ['numbered lists', '<ol start="3"><li>a</li><li><p>b</p><p>c</p></li></ol>', '3. a\n4. b\n\n   c'],
  ['lists without items around lists', '<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  - b'],
  ['quotes', '<blockquote><p>a</p><p>b</p></blockquote><p>c</p>', '> a\n>\n> b\n\nc'],
  ['rules', '<p>a</p><hr><p>b</p>', 'a\n\n---\n\nb'],
  ['struck text', '<p><del>a</del> <s>b</s></p>', '~~a~~ ~~b~~'],
  [
    'absolute links',
    '<p><a href="../x?a=1#f">t</a> <a href="#f">here</a></p>',
    '[t](https://site.example/x?a=1#f) [here](https://site.example/d/p#f)',
  ],
  ['no links to scripts', '<p><a href="javascript:alert(1)">t</a><a href="data:text/html,x">u</a></p>', 'tu'],
  ['brackets in link text', '<p><a href="/x">a [b] c\nd</a></p>', '[a \\[b\\] c d](https://site.example/x)'],
  ['parentheses in addresses', '<p><a href="/x_(y)">t</a></p>', '[t](https://site.example/x_%28y%29)'],
  [
    'pictures',
    '<p><img src="/a.png" alt="A cat"><img src="data:image/png;base64,xx" alt="no"></p>',
    '![A cat](https://site.example/a.png)',
  ],
  ['pictures that load late', '<p><img src="data:image/gif;base64,xx" data-src="/a.png" alt="A"></p>', '![A](https://site.example/a.png)'],
  ['marks that link a heading to itself', '<h2>T<a class="headerlink" href="#t">¶</a></h2>', '## T'],
  ['cards: a link around blocks', '<a href="/x"><div><h3>T</h3><p>s</p></div></a>', '### [T](https://site.example/x)\n\ns'],
  ['code', '<pre><code class="language-js">a &lt; b\n  c\n</code></pre>', '```js\na < b\n  c\n```'],
  [
    'code of highlighters',
    '<div class="highlight-python3"><div class="highlight"><pre><span>x</span> = 1\n</pre></div></div>',
    '```python3\nx = 1\n```',
  ],
  ['code named by a longer class', '<div class="highlight highlight-source-js"><pre>x</pre></div>', '```js\nx\n```'],
  ['code with fences', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
  ['inline code with backticks', '<p><code>a`b</code> <code>`c`</code></p>', '``a`b`` `` `c` ``'],
  ['code in lists', '<ul><li>a<pre>b\nc</pre></li></ul>', '- a\n\n  ```\n  b\n  c\n  ```'],
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
    'text between the cells of a table',
    '<table>x <b>y</b><caption>T</caption><tr><th>1</th><th>2</th></tr><tr>z<td>3</td><td>4</td></tr></table>',
    'T\n\nx **y**z\n\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |',
  ],
  ['text of a table without cells', '<table>x<tr>y</tr></table>', 'x\n\ny'],
  ['tables deeper than any page needs', '<table>x<tr><td>'.repeat(300) + 'y', 'x\n\n'.repeat(300) + 'y'],
  ['tables that only place', '<table role="presentation"><tr><td><p>a</p></td><td><p>b</p></td></tr></table>', 'a\n\nb'],
  ['definitions', '<dl><dt>a</dt><dd>b</dd><dd><p>c</p><p>d</p></dd></dl>', '**a**\n: b\n: c\n\n  d'],
  ['text between definitions', '<dl>x<dt>a</dt><dd>b</dd></dl>', 'x\n\n**a**\n: b'],
  [
    'headings that were never closed',
    `<h2>A <b>b</b><p>${'word '.repeat(100)}</p><ul><li>c</li></ul>`,
    `## A **b**\n\n${'word '.repeat(100).trim()}\n\n- c`,
  ],
  ['headings without words', '<h2><img src="/a.png" alt="A"></h2>', '![A](https://site.example/a.png)'],
  ['figures', '<figure><img src="/a.png" alt="x"><figcaption>Words</figcaption></figure>', '![](https://site.example/a.png)\n\nWords'],
  ['details', '<details><summary>More</summary><p>text</p></details>', '**More**\n\ntext'],
  ['text that looks like markup', '<p># a</p><p>1. b</p><p>- c</p><p>&gt; d</p><p>+ e</p>', '\\# a\n\n1\\. b\n\n\\- c\n\n\\> d\n\n\\+ e'],
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
  ['an exclamation before a link', '<p>Hey!<a href="/x">t</a></p>', 'Hey\\![t](https://site.example/x)'],
  [
    'plain text is left alone',
    '<p>It costs $5 (or 10 %), see a.b_c: "quoted" – done!</p>',
    'It costs $5 (or 10 %), see a.b_c: "quoted" – done!',
  ],
  ['white space in pre', '<pre>  a\n\n\tb</pre>', '```\n  a\n\n\tb\n```'],
]

test('is what a person would have written', () => {
  for (const [why, html, expected] of CASES) assert.is(markdown(html), expected + '\n', why)
})

test('is empty for an empty page', () => assert.is(markdown(''), ''))

test.run()

function markdown(html: string): string {
  const page = readPage(
    { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', status: 200, url: 'https://site.example/d/p' },
    { includeHtml: false, onlyMainContent: false, includeTags: [], excludeTags: [] },
  ) as PageReading
  return page.markdown
}
