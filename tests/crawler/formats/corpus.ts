/** Pages of all kinds, written for this test, against the Markdown and metadata that a careful person would make of them: `docs/extraction.md`. */
import { readdirSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'
import { KNOWN_DIFFERENCES } from '#tests/corpus/known-differences.ts'

const FOLDER = new URL('../../corpus/', import.meta.url)
const RULES = { includeHtml: false, onlyMainContent: true, articleFrame: true, includeTags: [], excludeTags: [] }
/** Metadata keys that a page's expectation lists, or that must be absent. */
const KEYS = ['authors', 'published_time', 'modified_time', 'site_name', 'section', 'tags', 'image', 'language'] as const

type Case = { name: string; url: string; html: string; markdown: string; metadata: Record<string, string> }

const cases: Case[] = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.html'))
  .sort()
  .map((path) => caseOf(path.slice(0, -'.html'.length).replaceAll('\\', '/')))

/** The expectation is a Markdown file: metadata between two lines of dashes, then the text. */
function caseOf(name: string): Case {
  const html = readFileSync(new URL(`${name}.html`, FOLDER), 'utf8')
  const [, head = '', markdown = ''] = /^---\n([^]*?)---\n([^]*)$/.exec(readFileSync(new URL(`${name}.md`, FOLDER), 'utf8')) ?? []
  const metadata = Object.fromEntries(
    head
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  )
  const { url = `https://site.example/${name}`, ...rest } = metadata
  return { name, url, html, markdown, metadata: rest }
}

const read = (html: string, url: string) =>
  readPage({ bytes: new Uint8Array(Buffer.from(html)), contentType: 'text/html; charset=utf-8', status: 200, url }, RULES) as PageReading

const differenceOf = (name: string) => KNOWN_DIFFERENCES[name]

const pages = suite('pages of the corpus')

pages('the corpus has sixty pages or more', () => {
  assert.ok(cases.length >= 60, `${cases.length} pages`)
  for (const name of Object.keys(KNOWN_DIFFERENCES))
    assert.ok(
      cases.some((page) => page.name === name),
      `there is no page ${name}`,
    )
})

for (const { name, url, html, markdown, metadata } of cases) {
  const difference = differenceOf(name)
  if (difference === undefined)
    pages(`${name} becomes the expected Markdown`, () => {
      assert.fixture(read(html, url).markdown, markdown)
    })
  else
    pages(`${name} still differs from the expected Markdown: ${difference}`, () => {
      assert.is.not(read(html, url).markdown, markdown, `${name} no longer differs: remove it from the list`)
    })
  pages(`${name} has the expected metadata`, () => {
    const given = read(html, url).metadata
    const found = Object.fromEntries(KEYS.filter((key) => given[key] !== undefined).map((key) => [key, given[key]]))
    assert.equal(found, metadata)
  })
}

/** Ways in which sites wrap or mark their whole page. None may lose the text of the page. */
const WRAPPERS: [name: string, wrap: (html: string) => string][] = [
  [
    'a body with class cookie-consent',
    (html) => html.replace(/<body(?: class="([^"]*)")?/i, '<body class="$1 cookie-consent-not-given gdpr"'),
  ],
  [
    'a body with class has-sidebar',
    (html) => html.replace(/<body(?: class="([^"]*)")?/i, '<body class="$1 has-sidebar sidebar_right sharebar"'),
  ],
  ['an app with class privacy-consent-wrapper', (html) => around(html, '<div id="app" class="privacy-consent-wrapper">', '</div>')],
  [
    'a wrapper with class tag-newsletter',
    (html) => around(html, '<div class="post tag-newsletter category-popular share-enabled">', '</div>'),
  ],
  ['a hidden React stream segment', (html) => around(html, '<div hidden id="S:0">', '</div>')],
  ['an element that is hidden until found', (html) => around(html, '<div hidden="until-found">', '</div>')],
  ['an app with aria-hidden and display: none', (html) => around(html, '<div aria-hidden="true" style="display:none">', '</div>')],
  [
    'an element with custom properties like --footer-display',
    (html) => around(html, '<div style="--footer-display: none; --visibility: hidden">', '</div>'),
  ],
]

/** The content of the body, wrapped in one more element. */
function around(html: string, before: string, after: string): string {
  return html.replace(/<body[^>]*>/i, (tag) => tag + before).replace(/<\/body>/i, `${after}</body>`)
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const wrapped = suite('pages of the corpus in hostile wrappers')

for (const [why, wrap] of WRAPPERS)
  wrapped(`pages keep their words in ${why}`, () => {
    for (const { name, url, html } of cases) {
      const changed = wrap(html)
      assert.is.not(changed, html, `${name} is wrapped`)
      const before = wordsOf(read(html, url).markdown)
      const kept = new Set(wordsOf(read(changed, url).markdown))
      const lost = before.filter((word) => !kept.has(word))
      assert.ok(
        lost.length <= 0.05 * before.length,
        `${name} loses ${lost.length} of ${before.length} words: ${lost.slice(0, 20).join(' ')}`,
      )
    }
  })

pages.run()
wrapped.run()
