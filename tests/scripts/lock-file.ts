import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

type Entry = { version?: string; integrity?: string; resolved?: string; hasInstallScript?: boolean }

const read = <T>(path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')) as T
const { packages } = read<{ packages: Record<string, Entry> }>('package-lock.json')
const project = read<{ dependencies: object; devDependencies: object; overrides: object; allowScripts: Record<string, boolean> }>(
  'package.json',
)
const installed = Object.entries(packages).filter(([path]) => path !== '')

const lock = suite('the lock file')

lock('T40 every package has a version, a SHA-512 hash, and no source but the registry', () => {
  assert.ok(installed.length > 100)
  for (const [path, { version, integrity, resolved }] of installed) {
    assert.match(version ?? '', /^\d+\.\d+\.\d+/, path)
    assert.match(integrity ?? '', /^sha512-/, path)
    assert.ok(resolved === undefined || resolved.startsWith('https://registry.npmjs.org/'), `${path} comes from ${resolved}`)
  }
})

lock('T40 direct dependencies are exact versions', () => {
  for (const list of [project.dependencies, project.devDependencies, project.overrides])
    for (const [name, version] of Object.entries(list))
      assert.match(String(version), /^(?:npm:@?[\w./-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/, name)
})

lock('T40 install scripts run for named packages only, and every other package with an install script is refused by its name', () => {
  for (const [path, { hasInstallScript }] of installed)
    if (hasInstallScript)
      assert.type(project.allowScripts[path.replace(/^.*node_modules\//, '')], 'boolean', `${path} has an install script`)
  const allowed = Object.keys(project.allowScripts).filter((name) => project.allowScripts[name])
  assert.equal(allowed.toSorted(), ['esbuild', 'node'])
})

lock.run()
