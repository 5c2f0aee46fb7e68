import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { endReason } from '#web/runs/crawl/outcomes.ts'

const outcomes = suite('why a crawl ended, in words')

outcomes('a batch follows no links and has no page limit of its own, so neither is named', () => {
  for (const reason of ['page_limit', 'drained'])
    assert.is(endReason({ crawl_type: 'batch', reason }), 'Every URL of the list was tried.', reason)
  assert.is(endReason({ crawl_type: 'single', reason: 'page_limit' }), 'The page limit was reached.')
  assert.is(endReason({ crawl_type: 'batch', reason: 'time_limit' }), 'The time limit was reached.')
  assert.is(endReason({ crawl_type: 'batch', reason: null }), '')
})

outcomes.run()
