import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { OUTCOMES, TRAPS } from '#backend/crawler/outcomes.ts'
import { endReason, outcomeWords } from '#web/runs/crawl/outcomes.ts'

const outcomes = suite('how URLs and crawls end, in words')

outcomes('each outcome of a URL has words, and so has each kind of crawler trap', () => {
  for (const outcome of OUTCOMES) assert.is.not(outcomeWords(outcome).label, outcome.replaceAll('_', ' '), outcome)
  for (const trap of TRAPS) assert.is.not(outcomeWords(`trap:${trap}`).label, `Looks like a trap: ${trap}`, trap)
})

outcomes('a batch follows no links and has no page limit of its own, so neither is named', () => {
  for (const reason of ['page_limit', 'drained'])
    assert.is(endReason({ crawl_type: 'batch', reason }), 'Every URL of the list was tried.', reason)
  assert.is(endReason({ crawl_type: 'single', reason: 'page_limit' }), 'The page limit was reached.')
  assert.is(endReason({ crawl_type: 'batch', reason: 'time_limit' }), 'The time limit was reached.')
  assert.is(endReason({ crawl_type: 'batch', reason: null }), '')
})

outcomes.run()
