import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createRunTraps } from '#backend/crawler/frontier/run-traps.ts'

const traps = suite('crawler traps of a run')

const start = () => createRunTraps({ pageLimit: 1000, seedHosts: new Set(), siteOf: (host) => host })
/** Names without digits, since numbers do not tell patterns apart. */
const nameOf = (no: number) => no.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)
const names = (count: number) => Array.from({ length: count }, (_, no) => `p${nameOf(no)}`)

traps('URLs with two parameters wait once their path has more than ten sets of names, those with one do not', () => {
  const { count } = start()
  for (const path of ['list', 'r&d']) {
    for (const name of names(12)) assert.not.ok(count(`https://a.test/${path}?${name}=1`), `${path}?${name}`)
    assert.ok(count(`https://a.test/${path}?pq=1&pr=1`), path)
  }
})

traps('sets of names that were forgotten do not count twice', () => {
  const { count } = start()
  const forms = names(6).map((name) => `https://a.test/list?${name}=1&page=1`)
  for (const url of forms) count(url)
  for (const name of names(50_000)) count(`https://a.test/other?${name}=1`)
  for (const url of forms) assert.not.ok(count(url), url)
})

traps('redirects from a number to the number with a title close no pattern, others do', () => {
  const SPELLINGS: [url: (no: number) => string, target: (no: number) => string, closes: boolean][] = [
    [(no) => `topic/${no}`, (no) => `topic/${no}-${nameOf(no)}/`, false],
    [(no) => `questions/${no}`, (no) => `questions/${no}/${nameOf(no)}`, false],
    [(no) => `show.php?id=${no}&x=1`, (no) => `posts/${nameOf(no)}.${no}`, false],
    [(no) => `node/${no}`, (no) => `at${no}/${no}/${nameOf(no)}`, false],
    [(no) => `go-${no}`, (no) => `at-${no}`, true],
    [(no) => `go/${no}`, (no) => `at/1${no}0`, true],
    [() => 'random?a=', (no) => `page/${nameOf(no)}`, true],
  ]
  for (const [url, target, closes] of SPELLINGS) {
    const { closedFor, count, sawRedirect } = start()
    for (let no = 100; no < 500; no += 1) {
      count(`https://a.test/${url(no)}`)
      sawRedirect(`https://a.test/${url(no)}`, `https://a.test/${target(no)}`)
    }
    assert.is(closedFor(`https://a.test/${url(600)}`)?.outcome, closes ? 'trap:redirects' : undefined, url(7))
  }
})

traps.run()
