// `npm run dev`: rebuilds the page at each change of web/ and contract/, and restarts the server at each change of its sources. Reload the
// browser to see a change.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPage } from './build.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const page = await buildPage({ watch: true, onBuilt: () => console.log('page built') })
const watched = ['config', 'gateway', 'backend', 'contract'].map((folder) => `--watch-path=${join(root, folder)}`)
const server = spawn(process.execPath, [...watched, join(root, 'gateway/main.ts')], { cwd: root, stdio: 'inherit' })

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
server.on('exit', (code) => void page.close().finally(() => process.exit(code ?? 0)))
