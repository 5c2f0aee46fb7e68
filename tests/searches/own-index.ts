import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { LogLine } from '#backend/platform/parent-log.ts'
import { hasFormat, openForReading, openIndex, removeIndex } from '#backend/searches/own-index/index-file.ts'
import type { FromIndexer } from '#backend/searches/own-index/index-host.ts'
import { createOwnSearch } from '#backend/searches/own-index/own-search.ts'
import { pauseAfter } from '#backend/searches/own-index/pace.ts'
import { foldForIndex, foldText, wordsOf } from '#backend/searches/own-index/words/words.ts'
import { makeOwnPages, T0 } from '#tests/support/engine/own-index.ts'
import type { NewPage } from '#tests/support/engine/own-index.ts'
import { suite } from '#tests/support/suite.ts'

const index = suite("the index of the team's own pages")

const titles = (answer: { hits: { title: [string, boolean][] }[] }) => answer.hits.map(({ title }) => title.map(([text]) => text).join(''))

/** One team with these pages, indexed. */
function withPages(pages: NewPage[]) {
  const own = makeOwnPages()
  const teamId = own.team()
  const run = own.run(teamId)
  own.keep(run.no, pages)
  own.follow()
  return { ...own, teamId, runOne: run, find: (query: string, ...rest: [] | [object]) => titles(own.search(teamId, query, ...rest)) }
}

const filler = 'The harbour lies quiet in the morning and boats go out when the tide allows it. '.repeat(5)

index('a match in the title weighs more than one in a heading, that more than the URL, that more than the text', () => {
  const { find } = withPages([
    { title: 'in the text', text: `${filler} Anchors. ${filler}` },
    { title: 'in a heading', text: `# Anchors\n\n${filler}${filler}` },
    { title: 'in the URL', url: 'https://site.example/anchors', text: filler + filler },
    { title: 'Anchors', text: filler + filler },
    { title: 'in the description', description: 'About anchors', text: filler + filler },
    { title: 'nowhere', text: filler + filler },
  ])
  const found = find('anchors')
  assert.is(found[0], 'Anchors')
  assert.is(found.at(-1), 'in the text')
  assert.equal(found.toSorted(), ['Anchors', 'in a heading', 'in the URL', 'in the description', 'in the text'])
})

const PAGES: NewPage[] = [
  { title: 'one', text: 'The quick brown fox jumps over the lazy dog' },
  { title: 'two', text: 'A brown and quick animal' },
  { title: 'three', text: 'Foxes are quickly tired, Crème brûlée is not; STRASSE and Straße' },
  { title: 'four', text: '東京都は日本の首都です。データベース' },
  { title: 'five', text: '数据库管理系统 is a database' },
  { title: 'six', text: '데이터베이스를 검색합니다' },
  { title: 'seven', text: 'Привет Ёлка, ΑΘΗΝΑ και Αθήνα' },
  { title: 'eight', text: 'node.js and C++ and snake_case and e-mail, Word™ and ½' },
  { title: 'nine', text: 'ระบบฐานข้อมูล' },
]
const TABLE: [query: string, found: string[], why: string][] = [
  ['quick brown', ['one', 'two'], 'all words, in any order'],
  ['quick purple', [], 'one of two words is missing'],
  ['"quick brown"', ['one'], 'a phrase'],
  ['"quick brown', ['one'], 'an unclosed phrase'],
  ['“quick brown”', ['one'], 'a phrase in other quotes'],
  ['brown -fox', ['two'], 'an excluded word'],
  ['brown -"quick brown"', ['two'], 'an excluded phrase'],
  ['-fox', [], 'only an excluded word'],
  ['quick*', ['one', 'three', 'two'], 'a prefix'],
  ['fox*', ['one', 'three'], 'another prefix'],
  ['qu*', [], 'two letters are not a prefix'],
  ['QUICK BROWN', ['one', 'two'], 'letter case'],
  ['creme brulee', ['three'], 'accents'],
  ['CRÈME', ['three'], 'accents in capitals'],
  ['東京', ['four'], 'Japanese, the start of a word'],
  ['首都', ['four'], 'Japanese, in the middle'],
  ['京東', [], 'Japanese, characters in another order'],
  ['ベース', ['four'], 'Katakana'],
  ['数据库', ['five'], 'Chinese'],
  ['数据库 database', ['five'], 'Chinese and English'],
  ['검색', ['six'], 'Korean, without its ending'],
  ['ёлка', ['seven'], 'Russian'],
  ['αθηνα', ['seven'], 'Greek'],
  ['node.js', ['eight'], 'a name with a dot'],
  ['snake_case', ['eight'], 'a name with an underscore'],
  ['word', ['eight'], 'a word before a ™ sign'],
  ['ข้อมูล', ['nine'], 'Thai, a part of a word'],
  ['', [], 'an empty query'],
  ['   ', [], 'only spaces'],
  ['*', [], 'only a star'],
  ['"" - "" -', [], 'only quotes and hyphens'],
  ['quick OR animal', [], 'OR is a word'],
  ['title:one', [], 'a column filter is text'],
  ['brown NEAR(fox)', [], 'NEAR() is text'],
  ["brown' OR 1=1 --", [], 'SQL is text'],
]

index('queries find matching pages', () => {
  const { search, teamId } = withPages(PAGES)
  for (const [query, found, why] of TABLE) {
    const answer = search(teamId, query)
    assert.equal(answer.ignoredWords.length > 0 ? [] : titles(answer).toSorted(), found, `${query}: ${why}`)
  }
})

index('filters restrict the hits to a site, a part of it, a crawl, a time and a language', () => {
  const { find, runOne } = withPages([
    { title: 'guide', url: 'https://docs.example.com/guide/start', text: 'harbour', at: T0 + 1000, language: 'en-GB' },
    { title: 'home', url: 'https://www.example.com/', text: 'harbour', at: T0 + 2000, language: 'de' },
    { title: 'other', url: 'https://badexample.com/guide/start', text: 'harbour', at: T0 + 3000, language: null },
  ])
  const table: [query: string, filters: object, found: string[]][] = [
    ['harbour', { site: 'example.com' }, ['guide', 'home']],
    ['harbour', { site: 'https://docs.example.com/' }, ['guide']],
    ['harbour', { site: 'docs.example.com/guide' }, ['guide']],
    ['harbour', { site: 'docs.example.com/gui' }, []],
    ['harbour site:example.com', {}, ['guide', 'home']],
    ['site:docs.example.com harbour', {}, ['guide']],
    ['harbour', { since: T0 + 2000 }, ['home', 'other']],
    ['harbour', { until: T0 + 2000 }, ['guide', 'home']],
    ['harbour', { language: 'en' }, ['guide']],
    ['harbour', { crawl: runOne.id, language: 'de' }, ['home']],
    ['harbour', { crawl: '01890000-0000-7000-8000-000000000000' }, []],
  ]
  for (const [query, filters, found] of table) assert.equal(find(query, filters).toSorted(), found, JSON.stringify([query, filters]))
})

index('a hit shows its match in a passage of plain text', () => {
  const own = withPages([
    {
      title: 'Café & <b>bar</b>',
      text: `${filler}\n\nThe **café** serves [mint tea](https://x.example/?a=1) and \`cafe_au_lait\`.\n\n${filler}`,
    },
    { title: null, text: '' },
  ])
  const [hit] = own.search(own.teamId, 'cafe "mint tea"').hits
  assert.equal(hit!.title, [
    ['Café', true],
    [' & <b>bar</b>', false],
  ])
  const text = hit!.snippet.map(([part]) => part).join('')
  assert.match(text, /^… .*The café serves mint tea and cafe_au_lait\..* …$/)
  assert.equal(
    hit!.snippet.filter(([, isMatch]) => isMatch).map(([part]) => part),
    ['café', 'mint tea', 'cafe'],
  )
  assert.ok(text.length < 300)
})

index('a match far down in a long page is shown as well', () => {
  const { search, teamId } = withPages([{ title: 'long', text: `${filler.repeat(400)} The Zürich lantern burns. ${filler.repeat(10)}` }])
  const [hit] = search(teamId, 'zurich').hits
  assert.match(hit!.snippet.map(([part]) => part).join(''), /^… .* The Zürich lantern burns\. .* …$/)
  assert.equal(
    hit!.snippet.filter(([, isMatch]) => isMatch),
    [['Zürich', true]],
  )
  const [none] = search(teamId, 'long').hits
  assert.match(none!.snippet.map(([part]) => part).join(''), /^The harbour lies quiet .* …$/)
})

index('a passage has single spaces, whatever is between the words, and matches are marked', () => {
  const own = withPages([{ title: null, text: 'One\u00a0 \ttwo   \n\n   > - three\u00a0four  \n' }])
  const [hit] = own.search(own.teamId, '"two three four"').hits
  assert.equal(hit!.snippet, [
    ['One ', false],
    ['two three four', true],
  ])
})

index('tags in Markdown are not indexed as words, but tags that code shows are', () => {
  const { find, search, teamId } = withPages([
    { title: 'gases', text: 'CO<sub>2</sub> was 10<sup>6</sup> times <kbd title="key">denser</kbd> than `<sup>`.\n\n```\n<mark>\n```' },
  ])
  const [hit] = search(teamId, 'denser').hits
  assert.is(hit!.snippet.map(([text]) => text).join(''), 'CO2 was 10^6 times denser than <sup>. <mark>')
  for (const [query, count] of [
    ['co2', 1],
    ['kbd', 0],
    ['sub', 0],
    ['mark', 1],
  ] as const)
    assert.is(find(query).length, count, query)
})

index('optional parameters in code in a link, brackets in code and the number of a heading are shown as a reader sees them', () => {
  const own = withPages([
    {
      title: null,
      text: 'See [`fs.write(fd[, offset[, length]])`](https://a.example/fs#write) and `on[name](event)`, ![`a[b]`](https://a.example/p).',
    },
    { title: null, text: '## 4. Mooring rules' },
  ])
  const shown = (query: string) => own.search(own.teamId, query).hits.map(({ snippet }) => snippet.map(([part]) => part).join(''))
  assert.is(shown('event').length, 1)
  assert.equal(shown('see'), ['See fs.write(fd[, offset[, length]]) and on[name](event), a[b].'])
  assert.equal(shown('"4 mooring"'), ['4. Mooring rules'])
})

index('the text of code, of links with brackets and of lines with breaks is shown as a reader sees it', () => {
  const text = [
    'Use `o.__dict__` and `a * b`, not **o\\.**\\',
    'f-string, [[1]](http://127.0.0.1/a_(b).html#f) [list\\[int\\]](/x "t")',
    '',
    '```c',
    '/* open the file */ int x = __LINE__ * y | 2;',
    '- [a](b)',
    '```',
    '',
    '> - ```',
    '>   >>> x',
    '>   ```',
    '>',
    '> **Quoted**',
  ].join('\n')
  const { search, teamId } = withPages([{ title: 'code', text }])
  const [hit] = search(teamId, 'dict').hits
  assert.is(
    hit!.snippet.map(([part]) => part).join(''),
    'Use o.__dict__ and a * b, not o. f-string, [1] list[int] /* open the file */ int x = __LINE__ * y | 2; - [a](b) >>> x Quoted',
  )
})

index("a query with a word that is on no page is corrected from the words of the team's own pages", () => {
  const own = withPages([{ title: 'Lighthouse keepers', text: 'They keep the lighthouse and its lantern, in Zürich' }])
  const other = own.team()
  own.keep(own.run(other).no, [{ title: 'Secret', text: 'submarine' }])
  own.follow()
  const suggested = (query: string, filters = {}) => own.search(own.teamId, query, filters).suggestion
  assert.is(suggested('lihgthouse'), 'lighthouse')
  assert.is(suggested('ilghthouse'), 'lighthouse')
  assert.is(suggested('keepers lanten'), 'keepers lantern')
  assert.is(suggested('lanten -zurich'), null, 'it would find nothing')
  assert.is(suggested('lanten', { language: 'de' }), null, 'nor here')
  assert.is(suggested('lantern keepers'), null, 'it is found')
  assert.is(suggested('submarin'), null, 'a word of another team')
  assert.is(own.search(other, 'submarin').suggestion, 'submarine')
  assert.is(own.search(other, 'lantern').count, 0)
  assert.is(own.search(other, 'harbour', { crawl: own.runOne.id }).count, 0)
})

const HARBOUR: NewPage[] = [
  { title: 'Backups', text: 'How to restore a backup of the harbour database.' },
  { title: 'Tides', text: 'How to read the tide tables: a guide to the harbour.' },
  { title: 'Pilots', text: 'How a pilot comes to the harbour. How to call a pilot.' },
]

index('when no page has both words, unknown and frequent ones are ignored until pages have the others, and are named', () => {
  const own = withPages(HARBOUR)
  for (const [query, found, ignored] of [
    ['harbour tide', ['Tides'], []],
    ['how tug', ['Backups', 'Pilots', 'Tides'], ['tug']],
    ['restore pilot', ['Pilots'], ['restore']],
    ['"of the harbour" tide', ['Backups'], ['tide']],
    ['pilot tide -harbour', [], []],
    ['nothing', [], []],
    ['nothing nowhere', [], []],
    ['backp tide', ['Tides'], ['backp']],
  ] as const) {
    const answer = own.search(own.teamId, query)
    assert.equal([titles(answer).toSorted(), answer.ignoredWords, answer.count], [found, ignored, found.length], query)
  }
  const marked = own.search(own.teamId, 'restore pilot').hits[0]!.snippet.filter(([, isMatch]) => isMatch)
  assert.equal(
    marked,
    [
      ['pilot', true],
      ['pilot', true],
    ],
    'ignored words are not marked',
  )
})

index('a page answers a question without having all of its words: it has one of the rarest, and the best pages have more', () => {
  const own = withPages([
    ...HARBOUR,
    ...Array.from({ length: 9 }, (_, at): NewPage => ({
      title: `Log ${at}`,
      text: 'What I do when a ship is late, and why I do it at the harbour',
    })),
    { title: 'Moorings', text: 'Ships at moorings. Restoring one is easy: pull.' },
  ])
  for (const [query, found, ignored] of [
    ['how do I restore a backup', ['Backups', 'Moorings'], []],
    ['what is the tide at moorings', ['Moorings', 'Tides'], []],
    ['when do I call a pilot or a tug', ['Pilots'], ['or', 'tug']],
    ['do I "restore a" backup -database', [], []],
    ['do I "call a pilot" at moorings', ['Pilots'], ['do', 'I', 'at', 'moorings']],
    ['what I restore a bac*', ['Backups'], []],
    ['boats tugs nowhere', [], []],
  ] as const) {
    const answer = own.search(own.teamId, query)
    assert.equal([titles(answer).toSorted(), answer.ignoredWords, answer.count], [found, ignored, found.length], query)
  }
  const [first] = own.search(own.teamId, 'moorings').hits
  const within = own.search(own.teamId, 'how to restore ships at moorings', { site: new URL(first!.url).hostname + '/none' })
  assert.is(within.count, 0)
  own.keep(own.run(own.teamId).no, [{ title: 'Elsewhere', url: 'https://other.example/x', text: 'Ships and how to read their flags.' }])
  own.follow()
  assert.equal(
    own.find('how to restore ships at moorings', { site: 'other.example' }),
    ['Elsewhere'],
    'the rarest words are on other sites',
  )
  const { hits } = own.search(own.teamId, 'restore the tide tables')
  assert.equal(titles({ hits }), ['Tides', 'Backups', 'Moorings'], 'the page with two of the words is first')
  assert.is(own.search(own.teamId, 'when do I call a pilto').suggestion, 'when do I call a pilot', 'with matches as well')
  const written = own.search(own.teamId, 'what I do at tide', {}, { isTyping: true })
  assert.equal(titles(written), ['Tides'], 'the last word is one already')
  const typing = own.search(own.teamId, 'when restore tide tab', {}, { isTyping: true })
  assert.equal([titles(typing), typing.ignoredWords], [['Tides', 'Backups', 'Moorings'], []], 'an unfinished word raises the rank')
  own.keep(own.run(own.teamId).no, [
    { title: null, text: `What do I do? How do I do that, and why do I? ${filler}${filler} The lantern of the mole. ${filler}` },
  ])
  own.follow()
  const [long] = own.search(own.teamId, 'what do I do with the lantern').hits
  assert.match(long!.snippet.map(([text]) => text).join(''), /The lantern of the/, 'the passage has the rare word')
})

index('the newest version of a page is found, and the previous one when its crawl is deleted', () => {
  const own = withPages([{ title: 'first', url: 'https://a.example/x', text: 'tide old' }])
  const second = own.run(own.teamId)
  own.keep(second.no, [{ title: 'second', url: 'http://a.example/x/#part', text: 'tide new' }])
  own.follow()
  assert.equal(own.find('tide'), ['second'])
  assert.equal(own.find('tide', { crawl: own.runOne.id }), ['first'])
  assert.equal(own.find('tide', { crawl: second.id }), ['second'])
  // A page that is kept later by an older crawl is newer.
  own.keep(own.runOne.no, [{ title: 'third', url: 'https://a.example/x', text: 'tide newest' }])
  own.follow()
  assert.equal(own.find('tide'), ['third'])
  own.remove(own.runOne.no)
  assert.equal(own.find('tide'), [], 'at once, followed or not')
  own.follow()
  assert.equal(own.find('tide'), ['second'])
  own.remove(second.no)
  own.follow()
  assert.equal(own.find('tide'), [])
  const left = openIndex(own.file)
  for (const table of ['page', 'run', 'team']) assert.equal(left.prepare(`SELECT * FROM ${table}`).all(), [], table)
  left.close()
})

index('a run whose rows vanished, or whose number was reused, is indexed anew', () => {
  const own = withPages([{ title: 'before', text: 'tide' }])
  own.pages.exec('DELETE FROM page; DELETE FROM page_body')
  own.pages.prepare('UPDATE run SET id = ?, kept = 0 WHERE no = ?').run(own.newId(), own.runOne.no)
  own.keep(own.runOne.no, [{ title: 'after', text: 'tide' }])
  own.follow()
  assert.equal(own.find('tide'), ['after'])
})

index('a missing, damaged or outdated index file is rebuilt', async () => {
  const own = withPages([{ title: 'kept', text: 'tide' }])
  const spoil: [string, () => void, logged: string[]][] = [
    ['missing', () => removeIndex(own.file), []],
    [
      'not a database',
      () => (removeIndex(own.file), writeFileSync(own.file, 'this is no database, and it is long enough to be seen as none'.repeat(200))),
      ['warn: the text index is damaged and is rebuilt from the stored pages'],
    ],
    [
      'another format',
      () => {
        const index = openIndex(own.file)
        index.pragma('user_version = 999')
        index.close()
      },
      ['info: the text index is of another version and is rebuilt from the stored pages'],
    ],
  ]
  for (const [why, harm, logged] of spoil) {
    harm()
    const lines: string[] = []
    const child = startIndexer(own)
    child.on('message', (line: LogLine | FromIndexer) => line.type === 'log' && lines.push(`${line.level}: ${line.message}`))
    const search = createOwnSearch({ database: own.database })
    await until(async () => (await search.search({ teamId: own.teamId, query: 'tide', limit: 5, offset: 0 })).count === 1, why)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await search.close()
    assert.equal(lines, logged, why)
  }
})

index('an indexer that is killed between any two lines resumes without lost or duplicate pages', async () => {
  const own = makeOwnPages()
  const teamId = own.team()
  const run = own.run(teamId)
  const text = filler.repeat(40)
  for (let at = 0; at < 10; at += 1)
    own.keep(
      run.no,
      Array.from({ length: 60 }, () => ({ text })),
    )
  own.end(run.no)
  const indexed = () => {
    const index = openForReading(own.file, { cacheKiB: 64 })
    try {
      return index === null || !hasFormat(index)
        ? 0
        : (index.prepare('SELECT count(*) AS pages FROM page').get() as { pages: number }).pages
    } finally {
      index?.close()
    }
  }
  let kills = 0
  for (let before = 0; before < 600; kills += 1) {
    const child = startIndexer(own)
    await until(async () => indexed() > before || indexed() === 600, 'pages come')
    child.kill('SIGKILL')
    await once(child, 'exit')
    before = indexed()
  }
  assert.ok(kills >= 2, `killed ${kills} times`)
  const answer = own.search(teamId, 'harbour', {}, { limit: 1000 })
  assert.is(answer.count, 600)
  assert.is(new Set(answer.hits.map(({ id }) => id)).size, 600)
  assert.equal([answer.indexed, answer.behind], [600, 0])
})

/** A follower whose every batch costs 100 ms, and 50 crawls of a page each that it has not seen yet, of this many teams of one owner. */
function besideFiftyCrawls(teams = 1) {
  const own = makeOwnPages()
  const busy = Array.from({ length: teams }, () => own.team('the owner'))
  const crawls = Array.from({ length: 50 }, (_, n) => {
    const run = own.run(busy[n % teams]!)
    own.keep(run.no, [{ title: `harbour ${n}` }])
    own.end(run.no)
    return run
  })
  let used = 0
  const follower = own.openFollower(() => (used += 100))
  return {
    ...own,
    busy: busy[0]!,
    crawls,
    follower,
    count: (teamId: string) => own.search(teamId, 'harbour').count,
    /** Runs at most this many batches. Returns how many found something to do. */
    steps: (most: number) => Array.from({ length: most }, () => follower.step()).filter((done) => done !== null).length,
    close: () => follower.index.close(),
  }
}

index('H4: a team with fifty crawls waiting gets no more of the indexer than a team with one', () => {
  const { busy, team, run, keep, follower, steps, count, close } = besideFiftyCrawls()
  try {
    const quiet = team()
    const { no } = run(quiet)
    for (let page = 1; page <= 10; page += 1) {
      keep(no, [{ title: `harbour ${page}` }])
      if (page === 1) follower.look()
      else follower.hint(no)
      assert.is(steps(2), 2)
      assert.is(count(quiet), page, 'one of two batches is for the team with one crawl')
      assert.is(count(busy), page, 'and one for the team with fifty')
    }
    // Alone the busy team is not slowed, and nothing is added twice.
    assert.is(steps(100), 40)
    assert.equal([count(busy), count(quiet)], [50, 10])
  } finally {
    close()
  }
})

index('a team gets as much of the indexer as fifty teams of one owner together', () => {
  const { team, run, keep, follower, steps, count, close } = besideFiftyCrawls(50)
  try {
    const quiet = team()
    const { no } = run(quiet)
    for (let page = 1; page <= 10; page += 1) {
      keep(no, [{ title: `harbour ${page}` }])
      if (page === 1) follower.look()
      else follower.hint(no)
      assert.is(steps(2), 2)
      assert.is(count(quiet), page)
    }
  } finally {
    close()
  }
})

index('H4: deleted crawls of a team leave the index before its new pages are added, and delay no other team', () => {
  const { busy, crawls, team, run, keep, remove, follower, steps, count, close } = besideFiftyCrawls()
  try {
    follower.look()
    assert.is(steps(100), 50)
    for (const { no } of crawls) remove(no)
    const quiet = team()
    keep(run(quiet).no, [{ title: 'harbour' }])
    keep(run(busy).no, [{ title: 'harbour again' }])
    follower.look()
    assert.is(steps(2), 2)
    assert.is(count(quiet), 1)
    const pages = () => (follower.index.prepare('SELECT count(*) AS n FROM page').get() as { n: number }).n
    assert.is(pages(), 50, '49 of the deleted crawls and the page of the other team')
    assert.is(steps(100), 50)
    assert.is(pages(), 2)
    assert.is(count(busy), 1)
  } finally {
    close()
  }
})

index('the space of a deleted crawl is freed in small steps, and other crawls are still found', () => {
  const own = makeOwnPages()
  const teamId = own.team()
  const [kept, deleted] = [own.run(teamId), own.run(teamId)]
  const words = (page: number) => Array.from({ length: 300 }, (_, n) => `w${(page * 7919 + n * 104_729) % 20_011}`).join(' ')
  for (const run of [kept, deleted]) {
    own.keep(
      run.no,
      Array.from({ length: 300 }, (_, n) => ({ title: 'harbour', text: words(run.no * 1000 + n) })),
    )
    own.end(run.no)
  }
  const follower = own.openFollower()
  const size = () => (follower.index.pragma('page_count', { simple: true }) as number) * 4096
  const work = () => {
    while (follower.step() !== null);
  }
  try {
    follower.look()
    work()
    assert.not(follower.releaseSpace(), 'nothing to release before anything was removed')
    const filled = size()
    own.remove(deleted.no)
    follower.hint(deleted.no)
    work()
    const steps = [size()]
    while (follower.releaseSpace()) steps.push(size())
    steps.push(size())
    assert.ok(steps.at(-1)! < filled * 0.7, `${filled} to ${steps.at(-1)} bytes`)
    for (const [at, bytes] of steps.slice(1).entries()) assert.ok(steps[at]! - bytes <= 300 * 4096, 'a step gives back about a megabyte')
    assert.is(own.search(teamId, 'harbour', {}, { limit: 1 }).count, 300)
  } finally {
    follower.index.close()
  }
})

index('no text makes the index fail', () => {
  const own = withPages(PAGES)
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"', '*', '-', ' ', 'site:', 'NEAR(', 'AND', '^', '{title}:', ':', '(', ')', "'", '\\', '\0', '東京', 'quick'),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, isTyping) => {
      const { hits } = own.search(own.teamId, pieces.join(''), {}, { isTyping })
      for (const { title, snippet } of hits) assert.ok([...title, ...snippet].every(([text]) => text.isWellFormed()))
    }),
    { numRuns: 200 },
  )
})

index('the words of a text are the same with and without their positions', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('Crème brûlée', 'ガギグ東京tower', '데이터 base', 'Word™ ½ ﬁne', 'İstanbul', 'ภาษาไทย'),
  )
  fc.assert(
    fc.property(text, (given) => {
      const words = wordsOf(given)
      assert.equal(words.map((word) => word.text).join(' '), foldText(given))
      for (const { start, end } of words) assert.ok(start < end && end <= given.length)
    }),
  )
})

index('the tokenizer of the index finds the words of a text that queries and highlights find in it', () => {
  const LONG = 'q'.repeat(64)
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'Crème brûlée',
      'ガギグ東京tower',
      '데이터 base',
      'Word™ ½ ﬁne',
      'İstanbul',
      'ΟΔΟΣ Σ',
      'ภาษาไทย',
      'a ',
      'B\n',
      '\t',
      '\0',
      'it’s',
    ),
    fc.constantFrom(LONG, `${LONG}Z`, LONG + LONG, ' ', '.', '-', 'é'),
    fc.nat({ max: 70 }).map((length) => 'x'.repeat(length)),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      const given = pieces.join('')
      assert.is(asciiTokens(foldForIndex(given)).join(' '), foldText(given))
    }),
    { numRuns: 500 },
  )
})

/** Words as SQLite's tokenizer `ascii` splits them: ASCII letters and digits in lower case, and everything beyond ASCII. */
const asciiTokens = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()).match(/[a-z0-9\x80-\uffff]+/g) ?? []

index('the indexer pauses long after a step during which another program used its core', () => {
  assert.is(pauseAfter({ wallMs: 100, cpuMs: 95 }), 5)
  assert.is(pauseAfter({ wallMs: 400, cpuMs: 95 }), 1000)
})

function startIndexer({ database, file }: { database: string; file: string }) {
  const child = fork(new URL('../../backend/searches/own-index/index-process.ts', import.meta.url), [])
  child.send({ type: 'start', database, file })
  return child
}

async function until(holds: () => Promise<boolean>, what: string) {
  const limit = performance.now() + 20_000
  while (!(await holds())) {
    if (performance.now() > limit) throw new Error(`not in time: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

index.run()
