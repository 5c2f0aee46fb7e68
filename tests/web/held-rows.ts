import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { remaining, withLatest } from '#web/ui/list/held-rows.ts'

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

held('rows that the user has deleted are hidden; when all held rows are deleted, the latest ones are shown', () => {
  const latest = [row('d'), row('c')]
  const shown = (...ids: string[]) => remaining([row('b'), row('a')], latest, { idOf, removed: new Set(ids) })
  assert.equal([shown('b'), shown('a', 'b'), shown('a', 'b', 'd')], [[row('a')], latest, [row('c')]])
  assert.equal(remaining(null, latest, { idOf, removed: new Set(['c']) }), [row('d')])
})

held.run()
