/** The HTML of each example of the CommonMark specification, written as Markdown and rendered again, is the same HTML; of more of them where HTML is kept. */
import { HtmlRenderer, Parser as MarkdownParser } from 'commonmark'
import { tests as examples } from 'commonmark-spec'
import { Parser } from 'htmlparser2'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { writeMarkdown } from '#backend/crawler/formats/markdown.ts'
import { parsePage } from '#backend/crawler/page/page.ts'
import { LinkResolver, LinkTarget } from '#backend/crawler/url/resolve-url.ts'

const commonmark = suite('Markdown of the HTML of Markdown')

/** URLs stay as they are written, whatever their scheme. */
class AsWritten extends LinkResolver {
  override target(href: string): LinkTarget {
    return new LinkTarget(href.split('#', 1)[0]!)
  }
  override isSamePage(): boolean {
    return false
  }
}
const asWritten = new AsWritten('https://site.example/', null)

function markdownOf(html: string, keepHtml: boolean): string {
  return writeMarkdown([parsePage(html, 'https://site.example/').root], asWritten, { plainImages: false, title: '', keepHtml })
}

function rendered(markdown: string): string {
  return new HtmlRenderer().render(new MarkdownParser().parse(markdown))
}

const BLOCKS = new Set(
  (
    'article header aside hgroup blockquote hr iframe body li map button object canvas ol caption output col p colgroup pre dd progress div section dl ' +
    'table td dt tbody embed textarea fieldset tfoot figcaption th figure thead footer tr form ul h1 h2 h3 h4 h5 h6 video script style'
  ).split(' '),
)

/** Elements that a reader never sees, with their content. */
const HIDDEN_ELEMENTS = new Set(['script', 'style', 'textarea'])
/** Elements that Markdown has marks for. */
const MARKDOWN_ELEMENTS = new Set('a blockquote br code em h1 h2 h3 h4 h5 h6 hr img li ol p pre strong ul'.split(' '))
const KEPT_ATTRIBUTES = new Set(['alt', 'class', 'href', 'src', 'start', 'title'])

/**
 * Normalises HTML that shows the same content: white space outside code, the order of attributes, character references, as the
 * specification's own tests do. URLs are spelled as the crawl spells them.
 *
 * @param isShown  keeps only what a reader sees and Markdown can express: no comments, declarations, scripts, other elements or attributes, nothing empty
 */
function normal(html: string, isShown = false): string {
  let out = ''
  let last: 'start' | 'end' | 'text' | 'other' = 'start'
  let lastName = ''
  let inPre = false
  let unshown = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      if (isShown && HIDDEN_ELEMENTS.has(name)) unshown++
      if (isShown && !MARKDOWN_ELEMENTS.has(name)) return
      if (name === 'pre') inPre = true
      if (BLOCKS.has(name)) out = out.trimEnd()
      if (isShown && name === 'img') attributes = { alt: '', ...attributes }
      const written = Object.entries(attributes)
        .filter(([key]) => !isShown || KEPT_ATTRIBUTES.has(key))
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, value]) => ` ${key}="${escaped(/^https?:/.test(value) ? (URL.parse(value)?.href ?? value) : value)}"`)
      out += `<${name}${written.join('')}>`
      last = 'start'
      lastName = name
    },
    ontext(text) {
      if (unshown > 0) return
      const isAfterTag = last === 'start' || last === 'end'
      if (isAfterTag && lastName === 'br') text = text.replace(/^\n+/, '')
      if (!inPre) {
        text = text.replace(/\s+/g, ' ')
        if (isAfterTag && BLOCKS.has(lastName)) text = last === 'start' ? text.trimStart() : text.trim()
      }
      out += escaped(text)
      last = 'text'
    },
    onclosetag(name) {
      if (isShown && HIDDEN_ELEMENTS.has(name)) unshown--
      if (isShown && !MARKDOWN_ELEMENTS.has(name)) return
      if (name === 'pre') inPre = false
      else if (BLOCKS.has(name)) out = out.trimEnd()
      out += `</${name}>`
      last = 'end'
      lastName = name
    },
    oncomment(data) {
      if (!isShown) out += `<!--${data}-->`
      last = 'other'
    },
    onprocessinginstruction(_name, data) {
      if (!isShown) out += `<${data}>`
      last = 'other'
    },
  })
  parser.end(html)
  if (!isShown) return out.trim()
  for (let before = ''; before !== out;) {
    before = out
    out = out.replace(/<(a|p|h\d)(?: [^>]*)?>\s*<\/\1>/g, '')
  }
  return out
    .replace(/\s+/g, ' ')
    .replace(/ (?=<\/?(?:p|li|ul|ol)>)/g, '')
    .trim()
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)

/** Examples that do not survive the round trip, and why. */
const OTHERWISE: [why: string, numbers: number[], isShownTheSame: boolean][] = [
  [
    'comments, declarations, scripts and styles are not written',
    [170, 172, 173, 176, 179, 181, 182, 183, 308, 309, 625, 626, 627, 628, 629],
    true,
  ],
  [
    'elements that Markdown has no mark for are written as their content',
    [152, 153, 154, 156, 157, 158, 167, 171, 184, 188, 191, 201, 491, 524, 536, 613, 614, 615, 616, 617, 623],
    true,
  ],
  ['a link without text is not written', [21, 31, 476, 477, 484, 487, 630, 631, 642, 643], true],
  ['a heading without text is not written', [79], true],
  ['an image without alt text gets an empty one', [475], true],
  [
    'text outside of a paragraph becomes one',
    [149, 150, 151, 155, 159, 160, 161, 162, 163, 164, 165, 174, 177, 178, 180, 185, 186, 189, 190],
    false,
  ],
  ['strikethrough is GFM, not CommonMark', [166, 168], false],
  ['a list item with only an empty block is not written', [175], false],
  ['attributes of code are not written', [169], true],
  ['markup in preformatted text is text', [148], false],
  ['<b> is written as <strong>', [494], false],
  ['spaces move outside of links', [187], false],
  ['a link title that repeats the link text is not written', [217], false],
  ['a backtick in a URL is escaped', [344], false],
]

/** Of those, the ones that do not survive with kept HTML either. */
const OTHERWISE_WITH_HTML: [why: string, numbers: number[]][] = [
  [
    'comments, declarations, scripts, styles and form controls are not written',
    [170, 171, 172, 173, 176, 179, 181, 182, 183, 308, 309, 625, 626, 627, 628, 629],
  ],
  ['attributes outside the allowlist are not written', [152, 153, 154, 156, 157, 158, 164, 169, 491, 524, 536, 615, 616, 617]],
  ['text outside of any element becomes a paragraph', [151, 161, 165, 177, 178, 180, 186]],
  ['a <div> around blocks is not written', [155, 184, 188]],
  ['an image without alt text gets an empty one', [475]],
  ['markup in preformatted text is text', [148]],
  ['<b> is written as <strong>', [494]],
  ['spaces move outside of links', [187]],
  ['a link title that repeats the link text is not written', [217]],
  ['a backtick in a URL is escaped', [344]],
]

const given = examples.map(({ html, number }) => ({ number, html: html.replaceAll('→', '\t') }))
const returned = new Map(given.map(({ html, number }) => [number, rendered(markdownOf(html, false))]))
const returnedWithHtml = new Map(given.map(({ html, number }) => [number, rendered(markdownOf(html, true))]))

for (const [what, back, table, count] of [
  ['is the same HTML in all examples except those listed', returned, OTHERWISE, 576],
  ['with elements kept as HTML, is the same in more than 600', returnedWithHtml, OTHERWISE_WITH_HTML, 606],
] as const)
  commonmark(what, () => {
    const otherwise = given.filter(({ html, number }) => normal(back.get(number)!) !== normal(html)).map(({ number }) => number)
    const listed = table.flatMap(([, numbers]) => numbers)
    assert.equal(
      otherwise.filter((number) => !listed.includes(number)),
      [],
      'examples that come back changed',
    )
    assert.equal(
      listed.filter((number) => !otherwise.includes(number)),
      [],
      'listed examples that come back the same',
    )
    assert.equal(listed.length, new Set(listed).size, 'each is listed once')
    assert.is(given.length - listed.length, count)
  })

commonmark('the Markdown looks the same as the HTML in over 620 examples', () => {
  const alike = given.filter(({ html, number }) => normal(returned.get(number)!, true) === normal(html, true)).map(({ number }) => number)
  assert.ok(alike.length >= 620, `${alike.length} of ${given.length}`)
  for (const [why, numbers, isShownTheSame] of OTHERWISE)
    for (const number of numbers) assert.is(alike.includes(number), isShownTheSame, `${number}: ${why}`)
})

commonmark.run()
