import { destination, pino, stdSerializers, type Logger } from 'pino'

const HIDDEN = '[hidden]'
// Fields of log objects that may hold a secret: at the top or one level down.
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
/** Names of query parameters that hold a secret. */
const SECRET_NAME = /token|secret|passw|pwd|key|sign|code|auth|access|refresh|credential|session|jwt/i
/** Links of mails, on the page and in the API: the path segment after these words is a secret. */
const SECRET_FOLDER = /^(?:verify-email|reset-password|invitation)$/i
// Texts that look like a secret: an API key, a JWT, a user and password before a host. A JWT is searched from its first dot backwards, since a run of
// letters may begin like one at many places.
const SECRET_SHAPES = [/\bsn-[a-z0-9]{16,}/i, /(?<=\beyJ[\w-]+)\.[\w.-]/, /:\/\/[^/?#@\s]+@/]
/** Runs long enough for a secret of 128 bits, to be judged by `isRandom`. */
const RUNS = /[\w-]{22,}/g
// JSON does not escape these; terminals interpret some as control codes, and others reorder or break the displayed line.
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
      // Lines of the engine and the indexer have a `part` already.
      mixin: (facts: object) => ('part' in facts ? {} : { part: 'server' }),
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      serializers: { err: ofError },
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS.flatMap((name) => [name, name.startsWith('[') ? `*${name}` : `*.${name}`]), censor: HIDDEN },
    },
    { write: (line: string) => void out.write(line.replace(UNPRINTABLE, escapeOf)) },
  )
}

/** What a log line says of an error. Other properties may hold secrets: libraries add the command that failed, or the row. */
function ofError(fault: unknown): unknown {
  if (!(fault instanceof Error)) return fault
  const { aggregateErrors, code, message, stack, type } = stdSerializers.err(fault)
  return { type, message, stack, code, ...(aggregateErrors && { aggregateErrors: (fault as AggregateError).errors.map(ofError) }) }
}

/** A URL for the log: hides secrets, which it recognises by parameter name, position or form. */
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

/** Upper and lower case with digits, as in Base64, or unbroken hexadecimal digits. Our own ids are not secret. */
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

/** Outside of strings a JSON line has none of these characters, so escaping every occurrence is safe. */
function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
