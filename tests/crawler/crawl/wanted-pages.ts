/** Crawls of sites with many unwanted URLs: which of them are fetched, and which are stored. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { startSite } from '#tests/support/sites/site.ts'
import type { Site } from '#tests/support/sites/site.ts'

const crawls = suite('a crawl of a site with unwanted pages')

const engine = startEngineHarness()
const sites: Site[] = []
crawls.after(async () => {
  await engine.close()
  await Promise.all(sites.map((site) => site.close()))
})

/** @param pages  the HTML of each, by path */
async function site(pages: Record<string, string>): Promise<Site> {
  const html = Object.entries(pages).map(([path, body]) => [path, { headers: { 'content-type': 'text/html' }, body }] as const)
  const started = await startSite(Object.fromEntries(html))
  sites.push(started)
  return started
}

/** The paths that are stored, in order. */
async function kept(at: Site, pageLimit: number): Promise<string[]> {
  const run = await engine.crawl(at.url('/'), { spider: { max_depth: 9, page_limit: pageLimit, concurrent_requests: 1 } })
  await engine.ended(run)
  assert.equal(engine.faults(run), [])
  return engine
    .rows<{ url: string }>('SELECT url FROM page WHERE run_no = ?', run)
    .map(({ url }) => url.replace(at.url(''), ''))
    .toSorted()
}

crawls('pages that a site asks not to follow do not take the page limit from others, and are stored when there is room', async () => {
  const reply = (no: number) => `<a rel="nofollow" href="/post?replytocom=${no}">Reply to ${no}</a>`
  const pages = {
    // Links all wanted pages: a crawl that knows no other page takes an unwanted one at once.
    '/': '<a href="/history">history</a><a href="/post">post</a><a href="/next">next</a><a href="/last">last</a>',
    '/history': '<meta name="robots" content="noindex, nofollow">The history: <a href="/old/1">1</a><a href="/old/2">2</a>',
    '/post': `A post ${reply(1)}${reply(2)}`,
    '/post?replytocom=1': 'Reply to 1',
    '/post?replytocom=2': 'Reply to 2',
    '/next': 'the next',
    '/last': 'the last',
    '/old/1': 'old',
    '/old/2': 'older',
  }
  assert.equal(await kept(await site(pages), 5), ['/', '/history', '/last', '/next', '/post'])
  assert.equal(await kept(await site(pages), 50), Object.keys(pages).toSorted())
})

const TEXT = '<p>The keel of the boat was hauled out in spring, measured at twelve points, and repaired within nine days.</p>'
const canonical = (path: string) => `<link rel="canonical" href="${path}">`

crawls('a copy of a page that is kept is not stored when it names the same canonical URL, and its links are followed', async () => {
  const post = (more: string) => `${canonical('/post/')}<main>${TEXT}<p><a href="#top">to the top</a></p></main><nav>${more}</nav>`
  const at = await site({
    '/': '<a href="/post/">post</a>',
    '/post/': post('<a href="/post/?reply=1">reply</a> <a href="/post/?print=1">print</a> <a href="/post/?page=2">more</a>'),
    '/post/?reply=1': post('<a href="/next">next</a>'),
    // another text, and another name
    '/post/?page=2': post('').replace('twelve', 'thirteen'),
    '/next': `${canonical('/next')}${TEXT}`,
    '/post/?print=1': TEXT,
  })
  assert.equal(await kept(at, 50), ['/', '/next', '/post/', '/post/?page=2', '/post/?print=1'])
})

crawls('a copy may differ in links to anchors of the page and of its other copies, as a blog has to answer comments', async () => {
  const answers = '<a href="/post/?reply=1#form">answer</a> <a href="/post/?reply=2#form">answer</a> <a href="/post/#notes">notes</a>'
  const post = `${canonical('/post/')}<main>${TEXT}<p>${answers}</p></main>`
  const at = await site({
    '/': '<a href="/post/">post</a>',
    '/post/': post,
    '/post/?reply=1': post,
    // a link to another page, not to an anchor
    '/post/?reply=2': post.replace('/post/#notes', '/post/notes'),
    '/post/notes': '<h1>Notes</h1>',
  })
  assert.equal(await kept(at, 50), ['/', '/post/', '/post/?reply=2', '/post/notes'])
})

crawls('a folder and its index file with the same text are one page', async () => {
  const links = '<p><a href="./">home</a> <a href="index.html">index</a> <a href="sub/">sub</a> <a href="#part">part</a></p>'
  const at = await site({
    '/': `<h1>Manual</h1>${links}`,
    '/index.html': `<h1>Manual</h1>${links}`,
    '/sub/': '<h1>Sub</h1><a href="index.php">other</a>',
    '/sub/index.php': '<h1>Another</h1>',
  })
  assert.equal(await kept(at, 50), ['/', '/sub/', '/sub/index.php'])
})

crawls('pages without text are no copies, and neither are submitted URLs', async () => {
  const at = await site({ '/': '<a href="/1">1</a><a href="/2">2</a>', '/1': canonical('/'), '/2': canonical('/') })
  assert.equal(await kept(at, 50), ['/', '/1', '/2'])
  const page = canonical('/a') + TEXT
  const batch = await site({ '/a': page, '/a?b': page })
  const run = await engine.crawl([batch.url('/a'), batch.url('/a?b')], { spider: { page_limit: 2 } })
  assert.is((await engine.ended(run)).kept, 2)
})

crawls.run()
