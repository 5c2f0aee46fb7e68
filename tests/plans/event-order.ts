import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { EVENT_RANK, compareWords } from '#backend/plans/event-order.ts'
import type { Word } from '#backend/plans/event-order.ts'

const order = suite('the order of subscription events')

const word = (told: Partial<Word>): Word => ({ at: 100, rank: EVENT_RANK.updated, id: 'evt_told', ...told })

const PAIRS: [told: Partial<Word>, known: Partial<Word>, expected: ReturnType<typeof compareWords>, why: string][] = [
  [{ at: 101 }, {}, 'later', 'what happened later'],
  [{ at: 99 }, {}, 'earlier', 'what happened earlier'],
  [{}, { rank: EVENT_RANK.created }, 'later', 'a change after the beginning, in one second'],
  [{ rank: EVENT_RANK.created }, {}, 'earlier', 'the beginning before a change, in one second'],
  [{ rank: EVENT_RANK.deleted, at: 90 }, {}, 'later', 'nothing comes after the end, whenever it is said to have been'],
  [{ at: 110 }, { rank: EVENT_RANK.deleted }, 'earlier', 'nothing comes after the end'],
  [{ rank: EVENT_RANK.deleted, at: 110 }, { rank: EVENT_RANK.deleted }, 'earlier', 'one end is enough'],
  [{}, {}, 'unclear', 'two changes of one second'],
  [{}, { id: 'evt_told' }, 'earlier', 'the same word again'],
  [{ at: 1 }, { at: 0, rank: EVENT_RANK.none, id: '' }, 'later', 'any word after none'],
]

order('F35 of two events one is later, or the provider must be asked', () => {
  for (const [told, known, expected, why] of PAIRS) assert.is(compareWords(word(told), word({ id: 'evt_known', ...known })), expected, why)
})

order.run()
