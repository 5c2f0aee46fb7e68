/** The table of words in ARCHITECTURE.md: each is declared where it says, and no other name is used for the same thing. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mask } from '../../scripts/mutants/operators.ts'

const glossary = suite('one word for one thing')

/** Words that names must not use, by the word to use instead. */
const SYNONYMS: Record<string, RegExp> = {
  spec: /crawlConfig|crawlSettings|runConfig/i,
  seed: /rootUrl|entryUrl|initialUrl|startingUrl/i,
  frontier: /crawlQueue|urlQueue|urlBacklog/i,
  // Three things are leased: which one is part of the name.
  'URL lease': /\btype Lease\b|urlClaim|urlLock\b/,
  'host lease': /hostClaim|hostLock\b/i,
  'run lease': /runClaim|runLock\b/i,
  'run queue': /\btype Queue\b|jobQueue\b/i,
  slice: /runQuantum|timeslice/i,
  rank: /urlPriority|priorityOf/i,
  'run part': /runShard|crawlShard/i,
  share: /tenant|shareId/i,
  settle: /finishUrl|completeUrl|resolveLease/i,
  'host key': /hostId\b|originKey|siteKey/i,
  pause: /\bdelayOf\b|hostDelayOf|requestGap/i,
  'canonical URL': /normali[sz]edUrl|normali[sz]eUrl|cleanUrl/i,
  scope: /crawlBoundary|linkScope|urlRules/i,
  'run commit': /runBatch|runFlush/i,
  hint: /runSignal\b|nudge/i,
  purge: /hardDelete|eraseRun/i,
  actor: /\bprincipal|currentUser\b/i,
  blob: /objectStore|fileStore/i,
}

const rows = [...readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/^\| ([\w ,]+?) +\| .+? \| `(backend\/[\w/.-]+)` +\|$/gm)].map(
  ([, word = '', home = '']) => ({ word, home }),
)
const code = ['backend', 'config', 'contract', 'gateway'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file: `${folder}/${file}`, text: mask(readFileSync(`${folder}/${file}`, 'utf8')) })),
)

glossary('the module of each word has a name with that word', () => {
  assert.ok(rows.length >= 17, `${rows.length} rows were read`)
  for (const { word, home } of rows) {
    assert.ok(existsSync(home), home)
    if (home.endsWith('/')) continue
    const name = new RegExp(word.replaceAll(' ', '-?'), 'i')
    const names = `${home} ${readFileSync(home, 'utf8')
      .match(/^export [^\n]*/gm)
      ?.join('\n')}`
    assert.match(names, name, `${home} has nothing of the name ${word}`)
  }
})

glossary('no name of the sources uses another word for the same thing', () => {
  assert.equal(
    rows.map(({ word }) => word).filter((word) => !SYNONYMS[word] && word !== 'run' && word !== 'port, adapter'),
    [],
  )
  for (const [word, synonym] of Object.entries(SYNONYMS)) {
    assert.ok(
      rows.some((row) => row.word === word),
      `${word} is not in the table`,
    )
    for (const { file, text } of code) assert.not.ok(synonym.test(text), `${file}: “${synonym.exec(text)?.[0]}”: say ${word}`)
  }
})

glossary.run()
