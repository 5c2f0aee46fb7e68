// A flag of V8 that Node does not know must not keep the product from starting.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { START } from '../../scripts/start-command.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const start = suite('V8 flags at start')
const file = fileURLToPath(new URL('../../gateway/small-heap.js', import.meta.url))
const folder = temporaryFolder('seine-flags-')

/** A program that creates much garbage, some of it surviving for a while. */
const GARBAGE = `let kept = []; for (let round = 0; round < 40; round += 1) { kept = []; for (let one = 0; one < 40000; one += 1) kept.push({ one, many: [one] }) }`
/** Fills 100 MB, drops them, and ends when V8 has returned half of them to the system although nothing else is allocated. */
const BURST = `
  const { getHeapStatistics } = require('node:v8')
  const bytes = () => getHeapStatistics().total_heap_size
  let kept = Array.from({ length: 400_000 }, (_, one) => ({ one, many: [one] }))
  const full = bytes()
  kept = null
  const look = () => { if (bytes() > full / 2) setTimeout(look, 10) }
  look()`
const run = (imported: string, program: string, flags: string[] = []) =>
  spawnSync(process.execPath, [...flags, '--import', imported, '-e', program], { encoding: 'utf8', timeout: 60_000 })

start('the command line of npm start has no V8 flags', () => {
  const flags = START.flags.filter((flag) => flag.startsWith('-'))
  assert.ok(flags.length > 0)
  assert.equal(
    flags.filter((flag) => flag !== '--import'),
    [],
  )
})

start('memory of a burst returns to the system while the program is quiet', () => {
  // V8 looks eight seconds after the start by default.
  const { signal, status, stderr } = run(file, BURST, ['--gc-memory-reducer-start-delay-ms=50'])
  assert.equal([signal, status, stderr], [null, 0, ''])
})

start('V8 does not compact the heap again and again while the program works', () => {
  // The program is looked at every 10 ms instead of every second.
  const soon = join(folder, 'soon.mjs')
  writeFileSync(soon, 'const { setInterval } = globalThis; globalThis.setInterval = (look) => setInterval(look, 10)')
  const work = `process.emit('seine:ready')
    let left = 200
    const turn = () => { ${GARBAGE.replace('round < 40', 'round < 2')}; Buffer.alloc(1024 * 1024); left -= 1; if (left > 0) setImmediate(turn) }
    turn()`
  const { status, stdout } = run(file, work, ['--import', soon, '--trace-gc'])
  assert.is(status, 0)
  const [compacted, collected] = [/Mark-Compact \(reduce\)/g, /Mark-Compact/g].map((kind) => stdout.match(kind)?.length ?? 0)
  assert.ok(compacted! < collected! / 4, `${compacted} of ${collected}`)
})

start('V8 does not optimize code before the server is ready', () => {
  const compiled = (after: string) => {
    const program = `${GARBAGE}; ${after}; const sum = (numbers) => numbers.reduce((one, other) => one + other, 0)
      for (let round = 0; round < 20_000; round += 1) sum([round, 1, 2]); ${GARBAGE.replace('let kept', 'kept')}`
    const { status, stdout } = run(file, program, ['--trace-opt'])
    assert.is(status, 0)
    return stdout.split('\n').filter((line) => /completed compiling/.test(line)).length
  }
  assert.is(compiled(''), 0)
  assert.ok(compiled("process.emit('seine:ready')") > 0)
})

start('an unknown V8 flag logs a line on stderr, and the start continues', () => {
  const unknown = join(folder, 'unknown-flag.mjs')
  writeFileSync(
    unknown,
    readFileSync(file, 'utf8').replaceAll(/setFlagsFromString\('[^']+'\)/g, "setFlagsFromString('--no-such-flag-of-v8=1')"),
  )
  const { status, stderr } = run(unknown, GARBAGE)
  assert.is(status, 0)
  assert.match(stderr, /no-such-flag-of-v8/)
})

start.run()
