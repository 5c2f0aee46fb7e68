// Compiles what the server runs, once, so that already its first start is quick and small. scripts/setup.mjs calls it with the
// flags of `npm start`, since compiled code is good for one set of flags only.
import '../gateway/compile-cache.js'
import { flushCompileCache } from 'node:module'

const parts = ['gateway/main.ts', 'gateway/data-dir.ts', 'gateway/app.ts', 'backend/index.ts']
for (const part of parts) await import(`../${part}`)
flushCompileCache()
process.exit(0)
