import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { scripts: { start: string } }
const words = manifest.scripts.start.split(' ').slice(1)

/** What `npm start` has Node do, relative to the root of the project: tests and benchmarks run the very same. */
export const START = { flags: words.slice(0, -1), file: words.at(-1)! }
