/**
 * Markdown that CommonMark reads back says what the page said: the same text, each word in the same link, list, heading, code or quotation.
 * Emphasis is not compared: it is left out where CommonMark has no mark for it, as inside of words.
 */
import { HtmlRenderer, Parser as MarkdownParser } from 'commonmark'
import * as fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { markdownOf } from '#tests/support/markdown-of.ts'

const readBack = suite('Markdown read back by CommonMark')

/** Words beside characters that Markdown could take for markup; `w` becomes a word of its own. */
const WORDS = 'w *w w_ [w] w. #w 1.w -w >w `w w~ +w =w (w) w! &amp;w &lt;w \\w :w ![w w: w](u)'.split(' ')
/** Elements that say where a word stands. */
const PLACES = /^(?:a |h\d|ul|ol|li|pre|code|blockquote)/

const { page } = fc.letrec<Record<'emphasised' | 'inline' | 'inlines' | 'block' | 'blocks' | 'item' | 'page', string>>((tie) => {
  const word = fc.constantFrom('w', 'w', 'w', ...WORDS)
  // Code with backticks is text in a link.
  const inCode = fc.constantFrom(...WORDS.filter((each) => !each.includes('`')))
  const around = (before: string, inner: fc.Arbitrary<string>, after: string) => inner.map((html) => before + html + after)
  const joined = (parts: fc.Arbitrary<string>, most: number) =>
    fc.array(fc.tuple(parts, fc.constantFrom('', ' ', '\n')), { minLength: 1, maxLength: most }).map((all) => all.flat().join(''))
  const list = (name: string) => around(`<${name}>`, joined(around('<li>', tie('item'), '</li>'), 3), `</${name.slice(0, 2)}>`)
  return {
    inline: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      word,
      fc.constantFrom('w', ' ').chain((before) => around(`${before}<b>`, tie('emphasised'), '</b>')),
      fc.constantFrom('w', ' ').chain((before) => around(`${before}<i>`, tie('emphasised'), '</i>')),
      around('<a href="/u">', tie('inlines'), '</a>'),
      around(
        '<code>',
        fc.array(inCode, { minLength: 1, maxLength: 2 }).map((all) => all.join('')),
        '</code>',
      ),
      around('<span>', tie('inlines'), '</span>'),
      around('<sup>', word, '</sup>'),
      around('w<br>', tie('inlines'), ''),
    ),
    // Emphasis around all of an element is common, other emphasis in emphasis is not. CommonMark has no marks for
    // much of it, nor for two kinds of emphasis side by side in a word.
    emphasised: fc.oneof(joined(word, 2), around('<b>', word, '</b>'), around('<i>', word, '</i>'), around('<a href="/u">', word, '</a>')),
    inlines: joined(tie('inline'), 3),
    item: fc.oneof(
      tie('inlines'),
      tie('blocks'),
      fc.tuple(tie('inlines'), tie('blocks')).map((both) => both.join('')),
      fc.constant(''),
    ),
    block: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      around('<p>', tie('inlines'), '</p>'),
      list('ul'),
      list('ol'),
      list('ol start=7'),
      around('<blockquote>', tie('blocks'), '</blockquote>'),
      fc.integer({ min: 1, max: 4 }).chain((level) => around(`<h${level}>`, tie('inlines'), `</h${level}>`)),
      around(
        '<pre>',
        fc.tuple(word, word).map((lines) => lines.join('\n  ')),
        '</pre>',
      ),
      around(
        '<div>',
        fc.tuple(tie('inlines'), tie('blocks')).map((both) => both.join('')),
        '</div>',
      ),
      fc.constant('<hr>'),
    ),
    blocks: joined(tie('block'), 2),
    page: tie('blocks').map((html) => {
      let words = 0
      let links = 0
      return html.replace(/<[^>]*>|w/g, (piece) => {
        if (piece === 'w') return `q${(words += 1)}q`
        // HTML has no link in a link.
        if (piece.startsWith('<a ')) return (links += 1) > 1 ? '' : piece
        return piece === '</a>' && (links -= 1) > 0 ? '' : piece
      })
    }),
  }
})

/** The text without white space, and the elements around each word. A link in a heading is one around it. */
function said(html: string): { text: string; places: string[] } {
  const open: string[] = []
  const places: string[] = []
  let text = ''
  const parser = new Parser({
    onopentag: (name, { href }) => void open.push(href === undefined ? name : `a ${new URL(href, 'https://site.example').pathname}`),
    onclosetag: () => void open.pop(),
    ontext: (piece) => {
      text += piece.replace(/\s+/g, '')
      const around = open.filter((name) => PLACES.test(name))
      const blocks = around.filter((name) => !name.startsWith('a ') && !(name === 'code' && around.includes('pre')))
      const links = around.filter((name) => name.startsWith('a '))
      for (const [word] of piece.matchAll(/q\d+q/g)) places.push(`${word} in ${[...blocks, ...links].join(' ')}`)
    },
  })
  parser.end(html)
  return { text, places }
}

readBack('a CommonMark reader finds the same words in the same places', () => {
  fc.assert(
    fc.property(page!, (html) => {
      const markdown = markdownOf(`<title>t</title>${html}`)
      const rendered = new HtmlRenderer().render(new MarkdownParser().parse(markdown))
      assert.equal(said(rendered), said(html), markdown)
    }),
    { numRuns: 1500 },
  )
})

readBack.run()
