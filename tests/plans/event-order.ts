import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { EVENT_RANK, isLater } from '#backend/plans/event-order.ts'
import type { Word } from '#backend/plans/event-order.ts'

const order = suite('the last word about a subscription')

const word = (told: Partial<Word>): Word => ({
  at: 100,
  rank: EVENT_RANK.updated,
  id: 'evt_b',
  periodStartAt: 1000,
  status: 'active',
  ...told,
})

const PAIRS: [later: Partial<Word>, earlier: Partial<Word>, why: string][] = [
  [{ at: 101 }, { at: 100 }, 'what happened later'],
  [{ at: 100 }, { rank: EVENT_RANK.created, status: 'incomplete' }, 'a change after the beginning, in one second'],
  [{ rank: EVENT_RANK.deleted, at: 90 }, { at: 100 }, 'nothing comes after the end, whenever it is said to have been'],
  [{ rank: EVENT_RANK.deleted, at: 91 }, { rank: EVENT_RANK.deleted, at: 90 }, 'of two ends the later'],
  [{ periodStartAt: 2000 }, { periodStartAt: 1000 }, 'the further period, in one second'],
  [{ status: 'active' }, { status: 'incomplete' }, 'the further status, in one second'],
  [{ status: 'past_due' }, { status: 'active' }, 'money that was missing in the end'],
  [{ id: 'evt_b' }, { id: 'evt_a' }, 'one of them, always the same'],
  [{}, { at: 0, rank: EVENT_RANK.none, id: '', periodStartAt: null }, 'any word after none'],
]

order('F35 of two words one is later, and the other is not', () => {
  for (const [later, earlier, why] of PAIRS) {
    assert.ok(isLater(word(later), word(earlier)), why)
    assert.not(isLater(word(earlier), word(later)), `not the other way around: ${why}`)
  }
  assert.not(isLater(word({}), word({})), 'a word does not come after itself')
})

order.run()
