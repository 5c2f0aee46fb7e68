import { destination, pino, type Logger } from 'pino'

const HIDDEN = '[hidden]'
// Where a secret may stand in what is logged: at the top or one level down.
const SECRETS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'secretKey',
  'token',
  'access',
  'refresh',
  'apiKey',
  '["x-api-key"]',
  '["set-cookie"]',
]
/** What a parameter is called that opens something. */
const SECRET_NAME = /token|secret|passw|pwd|key|sign|code|auth|access|refresh|credential|session|jwt/i
/** Links of mails, on the page and in the API: the segment behind these words opens something. */
const SECRET_FOLDER = /^(?:verify-email|reset-password|invitation)$/i
// What a secret looks like, wherever it stands: one of our keys, a token of three parts, a user and a password before a host.
const SECRET_SHAPES = [/\bsn-[a-z0-9]{16,}/i, /\beyJ[\w-]+\.[\w.-]+/, /:\/\/[^/?#@\s]+@/]
/** Runs long enough for a secret of 128 bits, to be judged by `isRandom`. */
const RUNS = /[\w-]{22,}/g
// JSON leaves these as they are, but a terminal obeys some of them, and others reorder or break the line that a person reads.
const UNPRINTABLE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/**
 * The log of the process: one JSON object a line, without secrets and without characters that act on a terminal.
 *
 * @param write  receives whole lines; the standard output by default
 */
export function createLog({ level, write }: { level: string; write?: (line: string) => void }): Logger {
  const out = write ? { write } : destination(1)
  return pino(
    {
      level,
      base: null,
      // Lines of the engine and the indexer come with their own part.
      mixin: (facts: object) => ('part' in facts ? {} : { part: 'server' }),
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS.flatMap((name) => [name, name.startsWith('[') ? `*${name}` : `*.${name}`]), censor: HIDDEN },
    },
    { write: (line: string) => void out.write(line.replace(UNPRINTABLE, escapeOf)) },
  )
}

/** A URL as it may stand in the log: what opens something is hidden, known by its name, its place or its shape. */
export function safeUrl(url: string): string {
  const query = url.indexOf('?')
  const path = query < 0 ? url : url.slice(0, query)
  let opens = false
  const segments = path.split('/').map((segment) => {
    const hides = segment !== '' && (opens || looksSecret(decoded(segment)))
    if (segment !== '') opens = SECRET_FOLDER.test(decoded(segment))
    return hides ? HIDDEN : segment
  })
  if (query < 0) return segments.join('/')
  const parameters = url
    .slice(query + 1)
    .split('&')
    .map((parameter) => {
      const [name = ''] = parameter.split('=', 1)
      if (looksSecret(decoded(name))) return HIDDEN
      const hides =
        parameter.length > name.length + 1 && (SECRET_NAME.test(decoded(name)) || looksSecret(decoded(parameter.slice(name.length + 1))))
      return hides ? `${name}=${HIDDEN}` : parameter
    })
  return `${segments.join('/')}?${parameters.join('&')}`
}

function looksSecret(text: string): boolean {
  return SECRET_SHAPES.some((shape) => shape.test(text)) || (text.match(RUNS)?.some(isRandom) ?? false)
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Letters of both sizes and digits, as in Base64, or hexadecimal digits without a break; ids of ours are not secret. */
function isRandom(run: string): boolean {
  if (UUID.test(run)) return false
  return /^[0-9a-f]{32,}$/i.test(run) || (/[a-z]/.test(run) && /[A-Z]/.test(run) && (/\d/.test(run) || run.length >= 40))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Outside of its texts a JSON line holds none of these, so an escape is right wherever one is met. */
function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
