import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mask, mutantsOf } from '../../scripts/mutants/operators.ts'
import { TARGETS } from '../../scripts/mutants/targets.ts'

const mutants = suite('small faults in a source')

const changes = (source: string) => mutantsOf(source).map(({ line, change }) => `${line} ${change}`)
const sources = (source: string) => mutantsOf(source).map((mutant) => mutant.source.trim())

mutants('operators, boundaries and constants are changed, one in each mutant', () => {
  assert.equal(sources('export const a = b <= 3'), ['export const a = b < 3', 'export const a = b <= 4'])
  assert.equal(sources('export const a = b && c'), ['export const a = b || c'])
  assert.equal(sources('export const a = 4096'), ['export const a = 8192'])
  assert.equal(sources('export const a = Math.min(b, c)'), ['export const a = Math.max(b, c)'])
})

mutants('conditions are negated, statements removed, and functions return at once', () => {
  assert.equal(changes('export function f(a: boolean) {\n  if (a) return g()\n  h()\n}'), [
    '1 returns at once',
    '2 statement left out',
    '2 condition negated',
    '3 statement left out',
  ])
  assert.equal(sources('export const a = b(c) ? d : e'), ['export const a = !(b(c)) ? d : e'])
  assert.equal(sources('if (a === b) {\n}'), ['if (a !== b) {\n}'], 'a comparison is turned around once')
})

mutants('types, texts, comments and patterns are not mutated', () => {
  const quiet = ['type A = 1 | 2', "export const a = 'b && c'", '// a && b', 'export const a = /b && c/', 'export const a = `b < 1`']
  for (const source of quiet) assert.equal(changes(source), [], source)
  assert.is(mask("a('b') // c"), 'a(___) ____')
})

mutants('code that cannot be parsed is no mutant, and the name of a mutant survives edits elsewhere', () => {
  const [first] = mutantsOf('\n\n  export const a = b > c')
  assert.equal([first?.line, first?.change, first?.text], [3, '> → >=', 'export const a = b > c'])
  for (const { modules, tests } of TARGETS) {
    for (const module of modules) assert.ok(readFileSync(module, 'utf8').length > 0, module)
    for (const test of tests) assert.match(readFileSync(`tests/${test}.ts`, 'utf8'), '.run()')
  }
})

mutants('each explanation in equal.json names a mutant that exists', () => {
  const equal = JSON.parse(readFileSync('scripts/mutants/equal.json', 'utf8')) as {
    module: string
    text: string
    change: string
    why: string
  }[]
  const found = new Map<string, ReturnType<typeof mutantsOf>>()
  for (const { module, text, change, why } of equal) {
    if (!found.has(module)) found.set(module, mutantsOf(readFileSync(module, 'utf8')))
    const isThere = found.get(module)!.some((mutant) => mutant.text === text && mutant.change === change)
    assert.ok(isThere, `${module}: ${change} in ${text}`)
    assert.ok(why.length > 10)
  }
})

mutants.run()
