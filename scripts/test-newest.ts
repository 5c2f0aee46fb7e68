// Tests the product on the newest Node on npm. It is no dependency of the project, because it would add 57 MB to every install.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const place = fileURLToPath(new URL('../build/newest-node', import.meta.url))
const run = (command: string, args: string[], environment = {}) => {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } })
  if (status !== 0) process.exit(status ?? 1)
}

const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', place, `${name}@latest`])
const node = `${place}/node_modules/${name}/bin/node`
run(node, ['--version'])
run(process.execPath, ['scripts/test.ts', 'gateway/newest-node'], { NODE_NEWEST: node })
