// `npm run dev`: builds the page at each change of web/ and contract/, and starts the server anew at each change of its sources.
// A browser that is open shows the change when it is reloaded.
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
