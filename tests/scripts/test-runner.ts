import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeMemoryFolder } from '../../scripts/memory-folder.ts'

const runner = fileURLToPath(new URL('../../scripts/test.ts', import.meta.url))
const fixtures = fileURLToPath(new URL('fixtures', import.meta.url))

const testRunner = suite('test runner')

testRunner('the runner ends with one line of totals and code 0 when all pass', () => {
  const { code, output, last } = run('passing')
  assert.is(last, '2 passed, 0 failed')
  assert.is(code, 0)
  assert.match(output, /^ok {3}.*passing\.ts {2}2 passed, 1 skipped {2}[\d.]+ s$/m)
  assert.not.match(output, /Total:/, 'the output of a file that passes is not shown')
})

testRunner('the runner counts a failing test and shows the output of its file only', () => {
  const { code, output, last } = run('failing', 'passing')
  assert.is(last, '3 passed, 1 failed')
  assert.is(code, 1)
  assert.match(output, /FAIL .*failing\.ts {2}1 failed, 1 passed/)
  assert.match(output, /"does not hold"/)
  assert.not.match(output, /a file that passes/)
})

testRunner('a file that stays open because a test failed is ended after its totals, long before its deadline', () => {
  const { code, output, last } = run('left-open', '--deadline', '60')
  assert.is(last, '1 passed, 1 failed')
  assert.is(code, 1)
  assert.match(output, /left-open\.ts {2}1 failed, 1 passed {2}[\d.]+ s$/m)
  assert.match(output, /does not hold/)
})

testRunner('a test that opened something that cannot be closed fails, and the rest that it opened is closed', () => {
  const { code, output, last } = run('unclosed')
  assert.is(last, '0 passed, 1 failed')
  assert.is(code, 1)
  assert.match(output, /the first one is closed/)
  assert.match(output, /the second one cannot be closed/)
})

testRunner('a file that runs no test fails', () => {
  const { code, output, last } = run('empty')
  assert.is(last, '0 passed, 1 failed')
  assert.is(code, 1)
  assert.match(output, /empty\.ts {2}runs no test/)
})

testRunner('a file whose preparation fails is a failure, though uvu ends well', () => {
  const { code, last } = run('broken-hook')
  assert.is(last, '0 passed, 1 failed')
  assert.is(code, 1)
})

testRunner('a crash counts as a failure, with the reason why the process ended', () => {
  const { code, output, last } = run('crashing')
  assert.is(last, '0 passed, 1 failed')
  assert.is(code, 1)
  assert.match(output, /crashing\.ts {2}ended by SIGABRT/)
})

testRunner('a hanging file is killed and named, with all processes that it started', () => {
  const { code, output, last } = run('hanging', '--deadline', '3')
  assert.is(last, '1 passed, 1 failed')
  assert.is(code, 1)
  assert.match(output, /hanging\.ts {2}hung: killed after 3 s/)
  const left = output.match(/left behind: (\d+)/)?.[1]
  assert.ok(left)
  assert.not.ok(isRunning(Number(left)), 'the process that the test started is gone')
})

testRunner('the runner names the test in which a file was killed, and what Node waited for', () => {
  const { output, last } = run('looping', 'hanging', '--deadline', '3')
  assert.is(last, '1 passed, 2 failed')
  assert.match(output, /looping\.ts {2}hung[\s\S]*Killed in “loops”[\s\S]*Node gave no report/)
  assert.not.match(output, /Killed in “passes”/)
  assert.match(output, /hanging\.ts {2}hung[\s\S]*Node waited for:[\s\S]* process \d+/)
})

testRunner('a test that waits for ever fails at its deadline with what it waited for, and the next test runs', () => {
  const { output, last } = run('waiting')
  assert.is(last, '1 passed, 1 failed')
  assert.match(output, /the test “waits” took longer than 1 s/)
  assert.match(output, /the server said nothing/)
  assert.match(output, /Failed in “waits”, after:\n.* pw:api => page\.goto started/)
  assert.not.match(output, /“comes after it”/)
})

testRunner('a failed file is run again on request; the second outcome counts, and the file is reported as flaky', () => {
  const mark = join(mkdtempSync(join(tmpdir(), 'flaky-')), 'mark')
  const { code, output, last } = run('flaky', 'failing', '--again', { FLAKY_MARK: mark })
  assert.is(last, '2 passed, 1 failed')
  assert.is(code, 1)
  assert.match(output, /FAIL .*flaky\.ts {2}1 failed[\s\S]*the first time[\s\S]*Again: flaky\.ts\nok .*flaky\.ts {2}1 passed/)
  assert.match(output, /^Flaky, failed once and passed once: flaky\.ts$/m)
  rmSync(dirname(mark), { recursive: true })
})

testRunner('files write into memory if possible, which is emptied afterwards, or into TMPDIR if set', () => {
  const own = mkdtempSync(join(tmpdir(), 'places-'))
  const mark = join(own, 'mark')
  const written = (env: Record<string, string>) => {
    assert.is(run('writing', { WRITTEN_MARK: mark, ...env }).last, '1 passed, 0 failed')
    return readFileSync(mark, 'utf8')
  }
  const memory = makeMemoryFolder()
  const usual = written({ TMPDIR: '' })
  if (memory === undefined) assert.is.not(dirname(usual), own)
  else {
    rmSync(memory, { recursive: true })
    assert.match(usual, /^\/dev\/shm\/seine-tests-[^/]+\/left-behind-/)
    assert.is(existsSync(dirname(usual)), false)
    assert.is(existsSync(dirname(memory)), true)
  }
  const given = written({ TMPDIR: own })
  assert.is(dirname(given), own)
  assert.is(existsSync(given), true)
  rmSync(own, { recursive: true })
  rmSync(usual, { recursive: true, force: true })
})

testRunner('the runner fails when no file matches', () => {
  const { code, last } = run('no-such-file')
  assert.is(last, '0 passed, 1 failed')
  assert.is(code, 1)
})

testRunner.run()

function run(...given: (string | Record<string, string>)[]) {
  const args = given.filter((one) => typeof one === 'string')
  // Files run a second time only where a test asks for it, in continuous integration too.
  const env = Object.assign({}, process.env, { CI: '' }, ...given.filter((one) => typeof one !== 'string'))
  const { status, stdout, stderr } = spawnSync(process.execPath, [runner, '--folder', fixtures, ...args], { encoding: 'utf8', env })
  assert.is(stderr, '')
  return { code: status, output: stdout, last: stdout.trimEnd().split('\n').at(-1) }
}

/** Whether a process runs: a killed one that its new parent has not yet reaped is a zombie. */
function isRunning(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
  return state !== '' && !state.startsWith('Z')
}
