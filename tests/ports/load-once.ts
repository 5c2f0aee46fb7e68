/** Libraries that are loaded with their first use. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadOnce } from '#backend/platform/load-once.ts'

const once = suite('load once')

once('all callers share one load, also those that call meanwhile', async () => {
  let loads = 0
  const load = loadOnce(async () => (loads += 1))
  assert.equal([...(await Promise.all([load(), load()])), await load()], [1, 1, 1])
})

once('a load that failed is not remembered: mails, payments and files would fail until a restart', async () => {
  let loads = 0
  const load = loadOnce(async () => {
    loads += 1
    if (loads === 1) throw new Error('EMFILE')
    return loads
  })
  const failed = await Promise.allSettled([load(), load()])
  assert.equal(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal([await load(), await load()], [2, 2])
})

once.run()
