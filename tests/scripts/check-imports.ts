import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkImports } from '../../scripts/check-imports.ts'

const BAD_SOURCES = {
  'backend/crawler/fetch/egress.ts': `
import { connect } from 'node:net'
import { Agent } from 'undici'
import { teams } from '../../teams/teams.ts'
export const egress = [connect, Agent, teams]
`,
  'backend/crawls/crawls.ts': `
// A comment may say import { x } from '#web/ui/button.tsx', and fetch('what it likes').
import { connect } from 'node:net'
import type { Agent } from 'undici'
import { other } from './other.ts'
export type { Agent }
export const crawls = async () => [connect, other, await fetch('http://example.org')]
`,
  'backend/crawls/other.ts': `
import { crawls } from './crawls.ts'
export const other: unknown = () => crawls
`,
  'backend/teams/teams.ts': `
import { crawls } from '#backend/crawls/crawls.ts'
import { isIP } from 'node:net'
import SQLite from 'better-sqlite3'
export const teams = [crawls, isIP, process.env, SQLite]
`,
  'contract/endpoint.ts': `
import { readFileSync } from 'node:fs'
import { fastify } from 'fastify'
export const endpoint = [readFileSync, fastify]
`,
  'config/read-config.ts': `
export const environment = process.env
`,
  'gateway/main.ts': `
export const main = 1
`,
  'web/api/client.ts': `
export const client = 1
`,
  'web/ui/button.tsx': `
import type { environment } from '#config/read-config.ts'
import { client } from '../api/client.ts'
export const button: { environment?: typeof environment; client: unknown } = { client }
`,
}

const imports = suite('import rules')

imports('the check reports each violation in a sample, and nothing else', () => {
  const root = mkdtempSync(join(tmpdir(), 'bad-house-'))
  for (const [file, text] of Object.entries(BAD_SOURCES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const faults = checkImports(root)
  rmSync(root, { recursive: true })
  const expected: [start: string, why: string][] = [
    ['a cycle: backend/crawls/crawls.ts → backend/crawls/other.ts → backend/crawls/crawls.ts', 'files that import each other'],
    [
      'backend/crawler/fetch/egress.ts may not import backend/teams/teams.ts',
      'the crawler may not import a feature; its other imports are allowed',
    ],
    ['backend/crawls/crawls.ts fetches by itself', 'the global fetch'],
    ['backend/crawls/crawls.ts may not import node:net', 'a network client; its type may be imported'],
    ['backend/teams/teams.ts may not import backend/crawls/crawls.ts', 'another feature'],
    ['backend/teams/teams.ts may not import better-sqlite3', 'the database driver in a feature'],
    ['backend/teams/teams.ts reads process.env', 'the environment'],
    ['contract/endpoint.ts may not import node:fs', 'a Node module in the contract, which browsers load'],
    ['contract/endpoint.ts may not import the package fastify', 'a package other than zod in the contract'],
    ['web/ui/button.tsx may not import config/read-config.ts', 'a server file in the web app, even for a type'],
    ['web/ui/button.tsx may not import web/api/client.ts', 'a higher layer of the web app'],
  ]
  assert.is(faults.length, expected.length, faults.join('\n'))
  for (const [index, [start, why]] of expected.entries()) assert.ok(faults[index]?.startsWith(start), `${why}: ${faults[index]}`)
})

imports('our own sources follow the import rules', () => {
  assert.equal(checkImports(fileURLToPath(new URL('../..', import.meta.url))), [])
})

imports.run()
