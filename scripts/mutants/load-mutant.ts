// Preloaded into a test's process: loads the tested module with a bug (`MUTANT_FILE`, a file: URL, gets the text of `MUTANT_SOURCE`), and
// ends the process at the first failing test, which is enough.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const mutated = process.env['MUTANT_FILE']
const source = process.env['MUTANT_SOURCE']
if (mutated === undefined || source === undefined) throw new Error('MUTANT_FILE and MUTANT_SOURCE are missing')

const FAILED = 'errors += format(test.name, err, name);'

registerHooks({
  load(url, context, next) {
    if (url === mutated) return { format: 'module', source: readFileSync(source, 'utf8'), shortCircuit: true }
    const loaded = next(url, context)
    if (!url.endsWith('/uvu/dist/index.mjs') && !url.endsWith('/uvu/dist/index.js')) return loaded
    const runner = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
    if (!runner.includes(FAILED)) throw new Error('uvu reports failures in a format that this file does not know')
    return { ...loaded, source: runner.replace(FAILED, 'process.exit(1);') }
  },
})
