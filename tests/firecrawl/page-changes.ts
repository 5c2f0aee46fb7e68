/** The comparison of copies of pages: small ones at once, large ones in a thread, teams in turn. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AppError } from '#backend/errors.ts'
import { lineDiff } from '#backend/firecrawl/line-diff.ts'
import { createPageChanges } from '#backend/firecrawl/page-changes.ts'

const changes = suite('comparison of copies of pages')

const NEVER = new URL('data:text/javascript,throw new Error("not needed")')
const PROGRAM = new URL('../../backend/compare-thread.ts', import.meta.url)
/** Few different lines, each several times: the slowest kind. */
const text = (lines: number, step: number) => Array.from({ length: lines }, (_, line) => `line ${(line * step) % 97}`).join('\n')

function compared(program: URL) {
  const warned: string[] = []
  return { warned, ...createPageChanges({ program, shareOf: async (teamId) => teamId, warn: (_facts, message) => warned.push(message) }) }
}

changes('short copies are compared at once, without a thread', async () => {
  const { close, lineDiff: diff } = compared(NEVER)
  assert.equal(await diff('one', 'a\nb', 'a\nc'), lineDiff('a\nb', 'a\nc'))
  await close()
})

changes('long copies are compared beside the event loop', async () => {
  const { close, lineDiff: diff } = compared(PROGRAM)
  const [before, after] = [text(4000, 7), text(4000, 11)]
  let isDone = false
  let turns = 0
  const turn = () => {
    turns += 1
    if (!isDone) setImmediate(turn)
  }
  turn()
  const found = await diff('one', before, after)
  isDone = true
  assert.equal(found, lineDiff(before, after))
  assert.ok(turns > 20, `the event loop turned ${turns} times`)
  await close()
})

changes('teams compare in turn', async () => {
  const { close, lineDiff: diff } = compared(PROGRAM)
  const ended: string[] = []
  const team = (name: string) => diff(name, text(2000, 7), text(2000, 11)).then(() => ended.push(name))
  await Promise.all([team('one'), team('one'), team('one'), team('two')])
  assert.equal(ended, ['one', 'one', 'two', 'one'])
  await close()
})

changes('a thread that ends unexpectedly makes the comparison unavailable, and the next one starts another', async () => {
  const { close, lineDiff: diff, warned } = compared(NEVER)
  for (let tries = 1; tries <= 2; tries += 1) {
    const fault = await diff('one', text(2000, 7), text(2000, 11)).catch((cause: unknown) => cause)
    assert.is(fault instanceof AppError && fault.code, 'unavailable')
    assert.is(warned.length, tries)
  }
  await close()
})

changes('a thread that exits without an error is reported, and replaced by another', async () => {
  const { close, lineDiff: diff, warned } = compared(new URL('data:text/javascript,process.exit()'))
  for (let tries = 1; tries <= 2; tries += 1) {
    const fault = await diff('one', text(2000, 7), text(2000, 11)).catch((cause: unknown) => cause)
    assert.is(fault instanceof AppError && fault.code, 'unavailable')
    assert.is(warned.length, tries)
  }
  await close()
})

changes('after the end, comparisons that waited start no thread', async () => {
  const { close, lineDiff: diff, warned } = compared(PROGRAM)
  const waiting = [1, 2, 3].map(() => diff('one', text(4000, 7), text(4000, 11)).catch((cause: unknown) => cause))
  await close()
  for (const fault of await Promise.all(waiting)) assert.is(fault instanceof AppError && fault.code, 'unavailable')
  assert.equal(warned, [])
})

changes.run()
