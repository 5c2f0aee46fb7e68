import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { unmatched } from '../../scripts/bench/worst-requests.ts'

const requests = suite('the worst requests of the benchmark')

requests('exist for each endpoint of the contract, and for no other', () => {
  assert.equal(unmatched(), { missing: [], strange: [] })
})

requests.run()
