// Compiles build/server once, so that even its first start is fast and small. scripts/setup.mjs runs it with the flags of `npm start`; it
// runs itself again for the engine, because compiled code is only valid for one set of flags.
import '../gateway/compile-cache.js'
import { spawnSync } from 'node:child_process'
import { flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { ENGINE_FLAGS } from '../backend/engine-host.ts'

const PARTS = { api: ['main', 'data-dir', 'app', 'backend'], engine: ['engine-process', 'parse-page'] }
const isEngine = process.argv[2] === 'engine'
for (const part of isEngine ? PARTS.engine : PARTS.api) await import(`../build/server/${part}.js`)
flushCompileCache()
if (!isEngine) spawnSync(process.execPath, [...ENGINE_FLAGS, fileURLToPath(import.meta.url), 'engine'], { stdio: 'inherit' })
process.exit(0)
