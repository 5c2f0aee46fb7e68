// Generates documents: docs/configuration.md and .env.example from the rows of config/options.ts, and docs/api.md (`api-docs.ts`).
// `--check` writes nothing, and fails when a file is outdated.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OPTIONS, type Option } from '#config/options.ts'
import { apiReference } from './api-docs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The first option of each group, and the group's title. */
const GROUPS: Record<string, string> = {
  ROLE: 'Process and storage',
  PUBLIC_URL: 'Network, limits, mail and sign-in',
  CRAWLER_USER_AGENT: 'Crawling',
  SEARXNG_URL: 'Searching the web',
  OPENAI_BASE_URL: 'Language models',
  PRODUCT_NAME: 'The dashboard, plans and payment',
  METRICS_TOKEN: 'Metrics, traces and reports',
}

/** All generated documents by path. */
export function writtenDocs(): Record<string, string> {
  return { '.env.example': environmentExample(), 'docs/api.md': apiReference(), 'docs/configuration.md': configuration() }
}

function configuration(): string {
  const lines = [
    '# Configuration',
    '',
    'Set an option as an environment variable, or as a line of a file `.env` in the working directory, encoded in UTF-8. Write a value with `#` in quotes there. No option is required.',
    'If options are invalid, the product lists all errors and exits with code 78. A secret may also be in a file: add `_FILE` to the name of its option, and set it to the path.',
    '',
    '<!-- Written from config/options.ts by `npm run docs`. -->',
  ]
  for (const [name, row] of Object.entries<Option>(OPTIONS)) {
    if (GROUPS[name]) lines.push('', `## ${GROUPS[name]}`, '', '| variable | type | default | meaning |', '|---|---|---|---|')
    const kind = row.isSecret ? `secret; ${row.type}` : row.type
    lines.push(`| \`${name}\` | ${kind} | ${defaultOf(row)} | ${row.help}${row.isPublic ? ' Written into the page.' : ''} |`)
  }
  return `${lines.join('\n')}\n`
}

function environmentExample(): string {
  const lines = ['# Copy to .env and set what you want to differ. Written from config/options.ts by `npm run docs`.']
  for (const [name, row] of Object.entries<Option>(OPTIONS)) {
    if (GROUPS[name]) lines.push('', `# --- ${GROUPS[name]}`)
    const example = row.fallbackText === undefined ? textOf(row.fallback) : ''
    lines.push(
      '',
      `# ${row.help.replaceAll('`', '')} (${row.type}; default: ${defaultOf(row).replaceAll('`', '')})`,
      `# ${name}=${example}`,
    )
  }
  return `${lines.join('\n')}\n`
}

function defaultOf({ fallback, fallbackText }: Option): string {
  if (fallbackText !== undefined) return fallbackText
  return fallback === undefined ? '–' : `\`${textOf(fallback)}\``
}

/** A default as it is written in the environment. */
function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

if (import.meta.main) {
  const isCheck = process.argv.includes('--check')
  for (const [path, text] of Object.entries(writtenDocs())) {
    const file = join(root, path)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    if (!isCheck) {
      writeFileSync(file, text)
      console.log(`wrote ${path}`)
    } else {
      console.log(`${path} is outdated: run npm run docs`)
      process.exitCode = 1
    }
  }
}
