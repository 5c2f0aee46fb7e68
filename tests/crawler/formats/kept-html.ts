/** Which HTML stays in the Markdown of pages when a crawl asks for it. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { markdownOf } from '#tests/support/markdown-of.ts'

const kept = suite('HTML in the Markdown of a page')

const CASES: [why: string, html: string, expected: string][] = [
  [
    'inline elements',
    '<p>Press <kbd>Ctrl</kbd>, <u>now</u> <mark>*x*</mark></p>',
    'Press <kbd>Ctrl</kbd>, <u>now</u> <mark>\\*x\\*</mark>',
  ],
  ['nested <kbd> elements', '<p><kbd><kbd>A</kbd>+<kbd>B</kbd></kbd></p>', '<kbd><kbd>A</kbd>+<kbd>B</kbd></kbd>'],
  ['<del> and <s>', '<p><del>a</del> <s>b</s></p>', '<del>a</del> <s>b</s>'],
  ['an abbreviation', '<p><abbr title="as soon as">asap</abbr></p>', '<abbr title="as soon as">asap</abbr>'],
  ['a time', '<p><time datetime="2024-03-05">5 March</time></p>', '<time datetime="2024-03-05">5 March</time>'],
  ['a custom element', '<p><my-word lang="de">Wort</my-word></p>', '<my-word lang="de">Wort</my-word>'],
  [
    'Markdown for the elements that it has marks for',
    '<p><b>a</b> <em>b</em> <code>c</code> <a href="/d">d</a></p>',
    '**a** *b* `c` [d](https://site.example/d)',
  ],
  ['no <span> and no <font>', '<p><span class="x">a</span> <font color="red">b</font></p>', 'a b'],
  ['emphasis around a word, none within a word', '<p>a<b><u>x</u></b>c <b><u>y</u></b></p>', 'a<u>x</u>c **<u>y</u>**'],
  ['side notes in parentheses', '<p>a<small class="sidenote">b</small></p>', 'a (b)'],
  [
    'text like &copy that is not a character reference',
    '<div>1 &lt; 2 &amp;copy AT&amp;T</div>',
    '<div>\n1 &lt; 2 &amp;copy AT&amp;T\n</div>',
  ],
  [
    'brackets in a link, and ~ and $ in text',
    '<p><a href="/x">[<u>a</u>]</a> ~b ~$c $</p>',
    '[\\[<u>a</u>\\]](https://site.example/x) ~b ~\\$c \\$',
  ],
  [
    'elements in headings and table cells',
    '<h2>A <small>b</small></h2><table><tr><th>A<th>B<tr><td><u>1|2</u><td>2</table>',
    '## A <small>b</small>\n\n| A | B |\n| --- | --- |\n| <u>1\\|2</u> | 2 |',
  ],
  ['a link without text', '<p>a <a href="/x_y"></a></p>', 'a <a href="https://site.example/x_y"></a>'],
  ['no permalink in a heading', '<h2>T<a class="headerlink" href="#t"></a></h2>', '## T'],
  ['a heading without text', '<h2></h2><h3 class="x"></h3>', '<h2>\n</h2>'],
  [
    'text outside of a paragraph',
    '<div>a <em>b</em> <a href="/c">c</a></div><p>d</p>',
    '<div>\na <em>b</em> <a href="https://site.example/c">c</a>\n</div>\n\nd',
  ],
  [
    'read-only fields beside text, each on one line',
    '<div>DOI: <input readonly value="10.1000/a_b"> <textarea readonly>x\n\n1&amp;2</textarea> <input value="10.1000/182"></div>',
    '<div>\nDOI: <code>10.1000/a_b</code> <code>x 1&amp;2</code>\n</div>',
  ],
  ['no <div> around blocks', '<div><section><p>a</p></section><p>b</p></div>', 'a\n\nb'],
  [
    '<details>',
    '<details open><summary>S</summary><p>a</p><ul><li>b</li></ul></details><p>c</p>',
    '<details open="">\n<summary>\nS\n</summary>\n\na\n\n- b\n\n</details>\n\nc',
  ],
  [
    'a figure',
    '<figure><img src="/a.png" alt="A"><figcaption>Words</figcaption></figure>',
    '<figure>\n\n![](https://site.example/a.png)\n\n<figcaption>\nWords\n</figcaption>\n</figure>',
  ],
  [
    'a definition list',
    '<dl><dt>a</dt><dd>b</dd><dd><p>c</p></dd></dl>',
    '<dl>\n<dt>\na\n</dt>\n<dd>\nb\n</dd>\n<dd>\n\nc\n\n</dd>\n</dl>',
  ],
  ['a table that Markdown can show', '<table><tr><th>A<th>B<tr><td><p>1</p><td>2</table>', '| A | B |\n| --- | --- |\n| 1 | 2 |'],
  [
    'a table that Markdown cannot show',
    '<table><tr><th colspan="2">A</th></tr><tr><td>1</td><td><ul><li>2</li></ul></td></tr></table>',
    '<table>\n<tr>\n<th colspan="2">\nA\n</th>\n</tr>\n<tr>\n<td>\n1\n</td>\n<td>\n\n- 2\n\n</td>\n</tr>\n</table>',
  ],
  ['no layout table', '<table role="presentation"><tr><td>a</td></tr></table>', 'a'],
  ['blocks in a list item', '<ul><li><div>a</div><p>b</p></li><li>c</li></ul>', '- <div>\n  a\n  </div>\n\n  b\n\n- c'],
  ['blocks in a blockquote', '<blockquote><div>a</div></blockquote><p>b</p>', '> <div>\n> a\n> </div>\n\nb'],
  [
    'paragraphs in <ins>',
    '<ins cite="/why" datetime="2024"><p>a</p></ins>',
    '<ins cite="https://site.example/why" datetime="2024">\n\na\n\n</ins>',
  ],
  [
    'images and videos in text',
    '<div>a <img src="/b.png" alt="&quot;c"> <video src="/d.mp4" title="D"></video></div>',
    '<div>\na <img src="https://site.example/b.png" alt="&quot;c">  <a href="https://site.example/d.mp4">D</a>\n</div>',
  ],
  ['formulas in text', '<div>a <span class="katex"><math><mi>x</mi></math></span></div>', '<div>\na $x$\n</div>'],
  [
    'cards and footnotes as Markdown',
    '<a href="/x"><div>a</div></a><p>b<sup id="r"><a href="#n">1</a></sup></p><div id="n">c <a href="#r">1</a></div>',
    '[a](https://site.example/x)\n\nb[^1]\n\n[^1]: c ↩',
  ],
]
for (const [why, html, expected] of CASES) kept(why, () => assert.is(markdownOf(html, { htmlInMarkdown: true }), expected + '\n'))

kept('without the option the Markdown contains no HTML', () => {
  for (const [, html] of CASES) assert.not.match(markdownOf(html), /<(?!br>|sup>|\/sup>)[a-z/]/, html)
})

kept.run()
