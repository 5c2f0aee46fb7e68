/**
 * Deutsch für die Meldungen des Servers. Er schreibt Englisch, auch für Programme und Logs; der Wortlaut ist hier der Schlüssel, wie bei
 * gettext. `tests/web/server-messages.ts` prüft, dass zu jeder Meldung eine Übersetzung da ist.
 */
import { ERRORS } from './server-errors.ts'
import { FEED, PARTS } from './server-feed.ts'
import { PLUGINS } from './server-plugins.ts'

type Pattern = { shape: RegExp; german: string }

/** Längeres und tiefer Verschachteltes kommt von fremden Seiten, nicht vom Server selbst. */
const MOST_LENGTH = 2000
const MOST_DEPTH = 4

const messages = readerOf({ ...ERRORS, ...FEED, ...PLUGINS })
const parts = readerOf(PARTS)

/** Eine Meldung des Servers auf Deutsch; unverändert, wenn sie keine Übersetzung hat, etwa die einer Website. */
export const translated = (message: string): string =>
  message.length > MOST_LENGTH ? message : (known(message) ?? sentences(message) ?? inserted(message) ?? message)

/** Die Meldung als Ganzes, auch hinter dem Namen eines Feldes oder einer URL: `urls.0: Enter a valid URL.` */
function known(message: string, depth = 0): string | null {
  if (depth > MOST_DEPTH) return null
  const whole = messages(message, (part) => inserted(part) ?? known(part, depth + 1) ?? part)
  if (whole !== null) return whole
  const [, place = '', rest = ''] = /^(\S+: )(.+)$/s.exec(message) ?? []
  const inner = rest === '' ? null : known(rest, depth + 1)
  return inner === null ? null : place + inner
}

const inserted = (part: string): string | null => parts(part, (inner) => inserted(inner) ?? inner)

/** Mehrere Meldungen hintereinander, wie die eines abgelehnten Crawls. */
function sentences(message: string): string | null {
  const all = message.split(/(?<=\.) (?=\p{Lu}|\S+: \p{Lu})/u)
  return all.length > 1 && all.some((one) => known(one) !== null) ? all.map((one) => known(one) ?? one).join(' ') : null
}

/** @returns  eine Funktion, die einen Text übersetzt, oder null, wenn sie ihn nicht kennt; `inside` übersetzt die eingesetzten Werte */
function readerOf(texts: Record<string, string>) {
  const patterns = Object.entries(texts).flatMap(([english, german]): Pattern[] =>
    english.includes('{}') ? [{ shape: shapeOf(english), german }] : [],
  )
  return (text: string, inside: (part: string) => string): string | null => {
    const exact = Object.hasOwn(texts, text) ? texts[text] : undefined
    if (exact !== undefined) return exact
    for (const { shape, german } of patterns) {
      const found = shape.exec(text)
      if (found !== null) return filled(german, found.slice(1).map(inside))
    }
    return null
  }
}

function shapeOf(english: string): RegExp {
  const literal = english.replaceAll(/[$()*+.?[\\\]^|]/g, String.raw`\$&`)
  return new RegExp(`^${literal.replaceAll('{}', '(.+?)')}$`, 's')
}

function filled(german: string, values: readonly string[]): string {
  const [start = '', ...rest] = german.split('{}')
  return start + rest.map((text, at) => (values[at] ?? '') + text).join('')
}
