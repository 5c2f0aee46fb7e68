import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withLatest } from '#web/ui/list/held-rows.ts'

const held = suite('rows of a live list under the pointer')

const row = (id: string, status = 'running') => ({ id, status })
const idOf = ({ id }: { id: string }) => id

held('held rows keep their places and show their latest values; new rows wait', () => {
  const before = [row('b'), row('a')]
  const latest = [row('c'), row('a', 'finished'), row('b')]
  assert.equal(withLatest(before, latest, idOf), [row('b'), row('a', 'finished')])
})

held('a row that a newer one has pushed to the next page stays', () => {
  assert.equal(withLatest([row('b'), row('a')], [row('c'), row('b', 'failed')], idOf), [row('b', 'failed'), row('a')])
})

held.run()
