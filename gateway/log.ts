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
const SECRET_PARAMETERS = /([?&](?:signature|token|api_?key|key|password|secret|code|invitation_code|access|refresh)=)[^&#]*/gi
// Links of mails, on the page and in the API: the segment after these words opens something.
const SECRET_SEGMENTS = /(\/(?:verify-email|reset-password|invitation)\/)[^/?#]+/gi
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
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS.flatMap((name) => [name, name.startsWith('[') ? `*${name}` : `*.${name}`]), censor: HIDDEN },
    },
    { write: (line: string) => void out.write(line.replace(UNPRINTABLE, escapeOf)) },
  )
}

/** A URL as it may stand in the log: whatever opens something is hidden. */
export function safeUrl(url: string): string {
  return url.replace(SECRET_SEGMENTS, `$1${HIDDEN}`).replace(SECRET_PARAMETERS, `$1${HIDDEN}`)
}

/** Outside of its texts a JSON line holds none of these, so an escape is right wherever one is met. */
function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
