// Compiles what build/server holds, once, so that already its first start is quick and small. scripts/setup.mjs calls it with the flags of
// `npm start`; it calls itself for the engine, since compiled code is good for one set of flags only.
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
