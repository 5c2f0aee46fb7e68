import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { EVENT_RANK, compareStamps } from '#backend/plans/payment/event-order.ts'
import type { EventStamp } from '#backend/plans/payment/event-order.ts'

const order = suite('the order of subscription events')

const stamp = (told: Partial<EventStamp>): EventStamp => ({ at: 100, rank: EVENT_RANK.updated, id: 'evt_told', ...told })

const PAIRS: [told: Partial<EventStamp>, known: Partial<EventStamp>, expected: ReturnType<typeof compareStamps>, why: string][] = [
  [{ at: 101 }, {}, 'later', 'a later event'],
  [{ at: 99 }, {}, 'earlier', 'an earlier event'],
  [{}, { rank: EVENT_RANK.created }, 'later', 'an update in the same second as the creation'],
  [{ rank: EVENT_RANK.created }, {}, 'earlier', 'a creation in the same second as an update'],
  [{ rank: EVENT_RANK.deleted, at: 90 }, {}, 'later', 'a deletion with an earlier time'],
  [{ at: 110 }, { rank: EVENT_RANK.deleted }, 'earlier', 'an update after the deletion'],
  [{ rank: EVENT_RANK.deleted, at: 110 }, { rank: EVENT_RANK.deleted }, 'earlier', 'a second deletion'],
  [{}, {}, 'unclear', 'two updates in the same second'],
  [{}, { id: 'evt_told' }, 'earlier', 'the same event again'],
  [{ at: 1 }, { at: 0, rank: EVENT_RANK.none, id: '' }, 'later', 'the first event'],
]

order('F35 of two events one is later, or the provider must be asked', () => {
  for (const [told, known, expected, why] of PAIRS)
    assert.is(compareStamps(stamp(told), stamp({ id: 'evt_known', ...known })), expected, why)
})

order.run()
