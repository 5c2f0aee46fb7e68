/** The tables of rate limits: which windows a full one forgets, and who counts as one caller. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addressTries, callerAddress, callerNetwork, createRateLimits, keyOf } from '#backend/http/rate-limits.ts'
import { AppError } from '#backend/errors.ts'
import { createClock } from '#tests/support/clock.ts'

const tables = suite('tables of rate limits')

const FOUR = { calls: 4, seconds: 60 }

/** A table with room for two callers; each letter of `calls` is a call of that caller, and a digit lets so many milliseconds pass. */
function after(calls: readonly (string | number)[]) {
  const clock = createClock(0)
  const limits = createRateLimits({ now: clock.now, maxWindows: 2 })
  for (const call of calls) {
    if (typeof call === 'number') clock.advance(call)
    else for (const caller of call) limits.take('x', FOUR, caller)
  }
  /** The refusal of a caller after as many calls as are left. */
  const refusal = (caller: string): { left: number; error: AppError } => {
    for (let left = 0; ; left += 1)
      try {
        limits.take('x', FOUR, caller)
      } catch (error) {
        return { left, error: error as AppError }
      }
  }
  return { clock, limits, refusal, left: (caller: string) => refusal(caller).left }
}

const FULL: [calls: (string | number)[], caller: string, left: number, why: string][] = [
  [['ab'], 'a', 3, 'a table that is just full forgets nobody'],
  [['aba', 'c'], 'a', 2, 'the one who has called since is remembered'],
  [['aba', 'c'], 'b', 4, 'the one who has not called for longest is forgotten'],
  [['aab', 'c'], 'b', 3, 'two of four calls are few: the order of the last calls decides'],
  [['aaab', 'c'], 'a', 1, 'who has used more than half is remembered before others'],
  [['aaab', 'c'], 'b', 4, 'and these are forgotten, although they called later'],
  [['aaaabbb', 'c'], 'a', 0, 'who has used up the limit is remembered longest'],
  [['aaaabbb', 'c'], 'b', 4, 'and others are forgotten before'],
  [['aaaabbbb', 'c'], 'a', 4, 'of two who have used it up, the older one is forgotten'],
  [['aaaabbbb', 'c'], 'b', 0, 'and the younger one is not'],
  [['aaaa', 59_999, 'b', 1, 'c'], 'b', 3, 'a window whose time is over is forgotten first'],
  [['aaaa', 59_999, 'bc'], 'b', 4, 'but not a millisecond earlier'],
  [['aa', 60_000], 'a', 4, 'a window that is over counts no more'],
  [['aaaa', 60_000], 'a', 4, 'nor does one that was used up'],
]
for (const [calls, caller, left, why] of FULL) tables(`${why} (${calls.join()})`, () => assert.is(after(calls).left(caller), left))

tables('a call that is given back is uncounted', () => {
  const { left, limits } = after(['aa'])
  const giveBack = limits.takeAll([{ name: 'x', limit: FOUR, parts: ['a'] }])
  giveBack()
  assert.is(left('a'), 2)
  const other = after([])
  const giveOther = other.limits.takeAll([{ name: 'x', limit: FOUR, parts: ['a'] }])
  giveOther()
  giveOther()
  assert.is(other.left('a'), 4)
  const second = after(['a'])
  second.limits.takeAll([{ name: 'x', limit: FOUR, parts: ['a'] }])()
  assert.is(second.left('a'), 3)
})

tables('a refusal says in how many whole seconds the window ends', () => {
  for (const [passed, seconds, words] of [
    [1, 60, '60 seconds'],
    [58_000, 2, '2 seconds'],
    [59_001, 1, '1 second'],
  ] as const) {
    const { error } = after(['aaaa', passed]).refusal('a')
    assert.equal([error.code, error.retryAfterSeconds], ['throttled', seconds])
    assert.is(error.message, `Request was throttled. Expected available in ${words}.`)
  }
})

tables('the address of a caller is IPv4, or the first 64 bits of IPv6, and its network the first 48', () => {
  for (const [ip, address, network] of [
    ['192.0.2.1', '192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1'],
    ['::1', '0:0:0:0', '0:0:0'],
    ['2001:db8::1', '2001:db8:0:0', '2001:db8:0'],
    ['2001:DB8:0001::', '2001:db8:1:0', '2001:db8:1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2', '2001:db8:1'],
    ['2001:db8:1:2:3:4:5::', '2001:db8:1:2', '2001:db8:1'],
    ['1::3:4:5:6:7:8', '1:0:3:4', '1:0:3'],
    ['::2:3:4:5:6:7:8', '0:2:3:4', '0:2:3'],
    ['1::4:5:6:7:8', '1:0:0:4', '1:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0', 'fe80:0:0'],
    ['unknown', 'unknown', 'unknown'],
  ] as const)
    assert.equal([callerAddress(ip), callerNetwork(ip)], [address, network], ip)
  assert.equal(addressTries('x', FOUR, '2001:db8::1'), [
    { name: 'x', limit: FOUR, parts: ['2001:db8:0:0'] },
    { name: 'x/48', limit: { calls: 64, seconds: 60 }, parts: ['2001:db8:0'] },
  ])
  assert.is(addressTries('x', FOUR, '192.0.2.1').length, 1)
})

tables('keys of up to 100 characters are kept as they are, longer ones as a hash', () => {
  assert.equal([keyOf(['a']), keyOf(['a', 'b']), keyOf(['x'.repeat(100)])], ['a', '["a","b"]', 'x'.repeat(100)])
  assert.match(keyOf(['x'.repeat(101)]), /^[\w-]{43}$/)
  assert.is.not(keyOf(['x'.repeat(101)]), keyOf(['x'.repeat(102)]))
})

tables.run()
