/**
 * Deutsch für die Meldungen des Servers. Er schreibt Englisch, auch für Programme und Logs; der Wortlaut ist hier der Schlüssel, wie bei
 * gettext. `tests/web/server-messages.ts` prüft, dass zu jeder Meldung eine Übersetzung da ist.
 *
 * `{}` steht für einen eingesetzten Wert, der auch übersetzt wird, `{=}` für einen, der bleibt, wie er ist: Namen und Worte von Benutzern.
 */
import type { Translation } from '../translation.ts'
import { ERRORS } from './server-errors.ts'
import { FEED, PARTS } from './server-feed.ts'
import { PLUGINS } from './server-plugins.ts'

/** `end` steht hinter dem letzten Wert: Fehlt es, ist der Vergleich mit `shape` nicht nötig, der bei langen Texten viel Zeit braucht. */
type Pattern = { shape: RegExp; end: string; isKept: boolean[]; german: string }

/** Längeres und tiefer Verschachteltes kommt von fremden Seiten, nicht vom Server selbst. */
const MOST_LENGTH = 2000
const MOST_DEPTH = 4

const messages = readerOf({ ...ERRORS, ...FEED })
const parts = readerOf(PARTS)

/** Ein Text des Servers auf Deutsch; unverändert, wenn er keine Übersetzung hat, etwa der einer Website oder eines eigenen Plugins. */
export const translated: Translation = (text, kind = 'message') => {
  if (text.length > MOST_LENGTH) return text
  return (kind === 'label' ? exactly(PLUGINS, text) : (known(text) ?? sentences(text) ?? inserted(text))) ?? text
}

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
    placesIn(english).length > 0 ? [patternOf(english, german)] : [],
  )
  return (text: string, inside: (part: string) => string): string | null => {
    const exact = exactly(texts, text)
    if (exact !== null) return exact
    for (const { shape, end, isKept, german } of patterns) {
      const [, ...values] = (text.endsWith(end) && shape.exec(text)) || []
      if (values.length > 0)
        return filled(
          german,
          values.map((value, at) => (isKept[at] ? value : inside(value))),
        )
    }
    return null
  }
}

function exactly(texts: Record<string, string>, text: string): string | null {
  return Object.hasOwn(texts, text) ? (texts[text] ?? null) : null
}

function placesIn(english: string): string[] {
  return english.match(/\{=?\}/g) ?? []
}

function patternOf(english: string, german: string): Pattern {
  return {
    shape: shapeOf(english),
    end: english.slice(english.lastIndexOf('}') + 1),
    isKept: placesIn(english).map((place) => place === '{=}'),
    german,
  }
}

function shapeOf(english: string): RegExp {
  const literal = english.replaceAll(/[$()*+.?[\\\]^|]/g, String.raw`\$&`)
  return new RegExp(`^${literal.replaceAll(/\{=?\}/g, '(.+?)')}$`, 's')
}

function filled(german: string, values: readonly string[]): string {
  const [start = '', ...rest] = german.split('{}')
  return start + rest.map((text, at) => (values[at] ?? '') + text).join('')
}
