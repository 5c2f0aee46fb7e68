import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { scripts: { start: string } }
const words = manifest.scripts.start.split(' ').slice(1)

/** The flags and file of `npm start`, relative to the project's root: tests and benchmarks run the same command. */
export const START = { flags: words.slice(0, -1), file: words.at(-1)! }
