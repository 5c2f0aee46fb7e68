import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { unmatched } from '../../scripts/bench/worst-requests.ts'

const requests = suite('the worst requests of the benchmark')

requests('each endpoint of the contract has a worst request, and no other endpoint has one', () => {
  assert.equal(unmatched(), { missing: [], strange: [] })
})

requests.run()
