/** The outcomes of URLs, against the code and the documents that name them. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FAILURES, OUTCOMES } from '#backend/crawler/outcomes.ts'
import { outcomeWords } from '#web/runs/crawl/outcomes.ts'

const outcomes = suite('outcomes of URLs')

outcomes('the dashboard has words for every outcome, and counts the same ones as failed', () => {
  const named = OUTCOMES.map((outcome) => ({ outcome, ...outcomeWords(outcome) }))
  const unnamed = named.filter(({ label, outcome }) => label === outcome.replaceAll('_', ' '))
  assert.equal(unnamed, [])
  assert.equal(
    named.filter(({ group }) => group === 'failed').map(({ outcome }) => outcome),
    OUTCOMES.filter((outcome) => FAILURES.has(outcome)),
  )
})

outcomes.run()
