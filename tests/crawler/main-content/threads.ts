/** Main content of threads of forums: every post stays, however long one of them is, with its author and its date. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const test = suite('main content of threads')

const QUESTION = 'Which paint do you use below the waterline of a dinghy of larch on oak, and does the old one have to go? '
const POSTS = [QUESTION, 'Thanks!', QUESTION.repeat(12), '+1 for enamel.', 'See <a href="/x">the other thread</a>.']

/** The HTML of a post in the templates of some software. */
const TEMPLATES: [software: string, url: string, post: (no: number, text: string) => string][] = [
  [
    'vBulletin 3',
    'showthread.php?t=7',
    (no, text) => `<div id="edit${no}"><table id="post${no}"><tr><td class="thead">#${no} 2024-03-0${no}</td></tr>
<tr><td class="alt2"><a class="bigusername" href="member.php?u=${no}">user${no}</a></td></tr><tr><td class="alt1"><div id="post_message_${no}">${text}</div></td></tr></table></div>`,
  ],
  [
    'rows of a table with a column for authors',
    'showthread.php?t=7',
    (no, text) =>
      `<table><tr><td class="alt1"><a href="/u/${no}">user${no}</a></td><td class="alt2"><div>2024-03-0${no}</div><div>${text}</div></td></tr></table>`,
  ],
  [
    'MyBB',
    'thread-7.html',
    (
      no,
      text,
    ) => `<div class="post" id="post_${no}"><div class="post_author"><div class="author_information"><a href="user-${no}.html">user${no}</a></div></div>
<div class="post_content"><div class="post_head"><span class="post_date">2024-03-0${no}</span></div><div class="post_body">${text}</div></div></div>`,
  ],
  [
    'a forum whose threads have numbers in the query',
    'index.php?topic=7.0',
    (no, text) =>
      `<div class="item"><div class="author">user${no}</div><div class="date">2024-03-0${no}</div><div class="text">${text}</div></div>`,
  ],
]

for (const [software, url, post] of TEMPLATES)
  test(`all posts stay, with author and date: ${software}`, () => {
    const posts = POSTS.map((text, at) => post(at + 1, text))
      .join('')
      .replaceAll('</table><table>', '')
    const page = `<title>Which paint?</title><div id="header"><a href="/">Board</a></div><div id="main"><h1>Which paint?</h1>${posts}</div><div id="footer">OUT</div>`
    const markdown = readMain(page, url)
    for (const wanted of ['Thanks!', '1 for enamel.', 'the other thread']) assert.match(markdown, wanted)
    for (const no of [1, 2, 3, 4, 5]) {
      assert.match(markdown, `user${no}`)
      assert.match(markdown, `2024-03-0${no}`)
    }
    assert.not.match(markdown, 'OUT')
  })

test('a space separates the author of a quotation from its text, also behind the link that phpBB adds', () => {
  const quotation = '<blockquote><div><cite><a href="/u/1">anna</a> wrote: <a href="#p1">↑</a></cite>the old one?</div></blockquote>'
  assert.match(
    readMain(`<title>Paint</title><h1>Paint</h1>${quotation}<p>${QUESTION}</p>`, 'viewtopic.php?t=7'),
    /\[↑\]\(\S+\) the old one\?/,
  )
  const source = '<blockquote><p>Sail on, <cite>Odyssey: book 5</cite> says.</p></blockquote>'
  assert.match(readMain(`<title>Paint</title><h1>Paint</h1>${source}<p>${QUESTION}</p>`, 'viewtopic.php?t=7'), '*Odyssey: book 5* says')
})

function readMain(html: string, path: string): string {
  const source = { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', status: 200, url: `https://board.example/${path}` }
  const rules = { includeHtml: false, onlyMainContent: true, articleFrame: true, includeTags: [], excludeTags: [] }
  return (readPage(source, rules) as PageReading).markdown
}

test.run()
