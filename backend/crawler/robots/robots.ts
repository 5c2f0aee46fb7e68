import { isUtf8 } from 'node:buffer'
import { normalEscapes } from '#backend/crawler/url/canonical-url.ts'

/** The name of the crawler in robots files and in directives of pages. */
export const PRODUCT_TOKEN = 'SeineBot'

/** One rule that applies to our crawler. */
type RobotsRule = { allow: boolean; pattern: string; line: number; text: string }

/** The rules of a robots file for our crawler. Plain values, stored as JSON. */
export type Robots = { rules: RobotsRule[]; crawlDelayMs: number | null; sitemaps: string[] }

type RobotsVerdict = { allowed: boolean; line: number | null; text: string | null }

/** The rest of a longer robots file is ignored (RFC 9309, 2.5). */
export const MAX_ROBOTS_BYTES = 512 * 1024
const MAX_LINE_LENGTH = 16 * 1024
const MAX_SITEMAPS = 1000
/**
 * Also matches part of one, one that a decoder has replaced, and one that was decoded as Latin-1: otherwise the first group would have no
 * name.
 */
const BYTE_ORDER_MARK = /^[\uFEFF\uFFFE\uFFFD\0\u200Bï»¿]+/
const LINE_END = /\r\n|\n|\r/
/** Seconds, in any spelling of a decimal number; some files name the unit. */
const DELAY = /^(\d+(?:\.\d*)?|\.\d+)\s*(?:s|secs?|seconds?)?$/i

/** Keys, including misspellings that all crawlers accept. */
const KEYS: Record<string, 'agent' | 'allow' | 'disallow' | 'delay' | 'sitemap'> = {
  'user-agent': 'agent',
  'user agent': 'agent',
  useragent: 'agent',
  allow: 'allow',
  disallow: 'disallow',
  dissallow: 'disallow',
  dissalow: 'disallow',
  disalow: 'disallow',
  diasllow: 'disallow',
  disallaw: 'disallow',
  'crawl-delay': 'delay',
  crawldelay: 'delay',
  sitemap: 'sitemap',
  'site-map': 'sitemap',
}

/**
 * The rules that apply to a crawler: those of all groups with its product token, else those of all groups for `*` (RFC 9309, 2.2.1).
 * Unknown lines are ignored.
 *
 * @param productToken  compared without case, e.g. `SeineBot`
 */
export function parseRobots(text: string, productToken: string): Robots {
  const own = newGroup()
  const everybody = newGroup()
  const sitemaps: string[] = []
  const token = productToken.toLowerCase()
  let ownIsNamed = false
  // groups that the next rules belong to: consecutive names share the rules that follow
  let named: Group[] = []
  let rulesSeen = false
  const known = text.length > MAX_ROBOTS_BYTES ? wholeLines(text.slice(0, MAX_ROBOTS_BYTES)) : text
  const lines = known.replace(BYTE_ORDER_MARK, '').replaceAll('\0', '').split(LINE_END)
  for (let i = 0; i < lines.length; i += 1) {
    const entry = readLine(lines[i]!)
    if (entry === null) continue
    const { key, value } = entry
    if (key === 'agent') {
      if (rulesSeen) named = []
      rulesSeen = false
      const group = /^\*(?:\s|$)/.test(value) ? everybody : /^[a-z_-]*/i.exec(value)![0].toLowerCase() === token ? own : null
      if (group === own) ownIsNamed = true
      if (group !== null && !named.includes(group)) named.push(group)
    } else if (key === 'sitemap') {
      if (sitemaps.length < MAX_SITEMAPS && /^https?:\/\//i.test(value)) sitemaps.push(value)
    } else if (key === 'delay') {
      const [, seconds = ''] = DELAY.exec(value) ?? []
      const delayMs = seconds === '' ? NaN : Math.round(Number(seconds) * 1000)
      if (Number.isSafeInteger(delayMs)) for (const group of named) group.crawlDelayMs = Math.max(group.crawlDelayMs ?? 0, delayMs)
    } else {
      rulesSeen = true
      // an empty value is not a rule; a pattern that starts otherwise matches no path
      if (named.length === 0 || !(value.startsWith('/') || value.startsWith('*'))) continue
      const name = key === 'allow' ? 'Allow' : 'Disallow'
      const rule = { allow: key === 'allow', pattern: normalPattern(value), line: i + 1, text: `${name}: ${value.slice(0, 200)}` }
      for (const group of named) group.rules.push(rule)
    }
  }
  const { crawlDelayMs, rules } = ownIsNamed ? own : everybody
  return { rules, crawlDelayMs, sitemaps }
}

/**
 * The text of a robots file: UTF-8 (RFC 9309, 2.3), or UTF-16 with a byte order mark, as some editors store it. Lines in another encoding keep
 * their bytes, percent-encoded: a rule then matches the URL with the same bytes.
 */
export function decodeRobots(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  if (encoding !== 'utf-8' || isUtf8(bytes)) return new TextDecoder(encoding).decode(bytes)
  return new TextDecoder().decode(withEncodedLines(bytes))
}

const [LINE_FEED, CARRIAGE_RETURN, HASH, COLON, PERCENT] = Buffer.from('\n\r#:%') as unknown as [number, number, number, number, number]
const HEX = Buffer.from('0123456789ABCDEF')

/**
 * Percent-encodes the bytes beyond ASCII in the values of lines that are not UTF-8. Works on bytes: a file can have 250,000 lines, and a text
 * for each would hold the event loop for most of a second.
 */
function withEncodedLines(bytes: Uint8Array): Uint8Array {
  const encoded = new Uint8Array(3 * bytes.length)
  let length = 0
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    // A key has no such letters: they are what is left of a byte order mark. A comment is not read.
    let value = start
    let comment = Infinity
    let isAscii = true
    for (; end < bytes.length && bytes[end] !== LINE_FEED && bytes[end] !== CARRIAGE_RETURN; end += 1) {
      const byte = bytes[end]!
      if (byte > 127) isAscii = false
      else if (byte === COLON && value === start) value = end
      else if (byte === HASH && comment === Infinity) comment = end
    }
    if (isAscii || isUtf8(bytes.subarray(start, end))) value = end
    if (end < bytes.length) end += 1
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at]!
      if (byte > 127 && at >= value && at < comment) {
        encoded[length++] = PERCENT
        encoded[length++] = HEX[byte >> 4]!
        encoded[length++] = HEX[byte & 15]!
      } else encoded[length++] = byte
    }
  }
  return encoded.subarray(0, length)
}

/** A text that was cut, without its last line: the beginning of a rule forbids, or allows, more than the rule. */
export function wholeLines(text: string): string {
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1)
}

/**
 * Whether a URL may be fetched, and the line that decides. The longest matching pattern wins; of two equally long ones, the allowing one.
 * Without a match everything is allowed, and so is the robots file itself (RFC 9309, 2.2.2).
 *
 * @param url  absolute; its path and query are matched
 */
export function judgeRobots(robots: Robots, url: string): RobotsVerdict {
  if (robots.rules.length === 0) return FREE
  const hostStart = url.indexOf('://') + 3
  const pathStart = url.indexOf('/', hostStart)
  const end = url.indexOf('#')
  const path = pathStart < 0 ? '/' : normalPath(url.slice(pathStart, end < 0 ? url.length : end))
  if (path === '/robots.txt') return FREE
  for (const { rule, matches } of matchersOf(robots)) {
    if (matches(path)) return { allowed: rule.allow, line: rule.line, text: rule.text }
  }
  return FREE
}

const FREE: RobotsVerdict = { allowed: true, line: null, text: null }

type Group = { rules: RobotsRule[]; crawlDelayMs: number | null }
const newGroup = (): Group => ({ rules: [], crawlDelayMs: null })

function readLine(raw: string): { key: (typeof KEYS)[string]; value: string } | null {
  const comment = raw.indexOf('#')
  const line = (comment < 0 ? raw : raw.slice(0, comment)).slice(0, MAX_LINE_LENGTH).trim()
  if (line === '') return null
  let colon = line.indexOf(':')
  if (colon < 0) {
    // tolerate a missing colon between exactly two words
    if (!/^\S+\s+\S+$/.test(line)) return null
    colon = line.search(/\s/)
  }
  const name = line.slice(0, colon).trim().toLowerCase()
  const key = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined
  return key === undefined ? null : { key, value: line.slice(colon + 1).trim() }
}

// ---- one spelling for patterns and paths

/** Escapes a `$` that is not the end, and characters that are escaped in URLs. */
function normalPattern(value: string): string {
  if (!NEEDS_SPELLING.test(value)) return value
  const isAnchored = value.endsWith('$')
  const body = escapeLoose(isAnchored ? value.slice(0, -1) : value).replaceAll('$', '%24')
  return normalEscapes(isAnchored ? `${body}$` : body)
}

/** Escapes characters that have a meaning in patterns, as RFC 9309, 2.2.3 asks. */
function normalPath(path: string): string {
  if (!NEEDS_SPELLING.test(path) && !path.includes('*')) return path
  return normalEscapes(escapeLoose(path)).replace(/[*$]/g, (sign) => (sign === '*' ? '%2A' : '%24'))
}

const NEEDS_SPELLING = /[%$"'<>`{}|\\^[\]]|[^\x21-\x7e]/

function escapeLoose(text: string): string {
  return text.replace(/[^\x21-\x7e]+|["'<>`{}|\\^[\]]/g, (run) => (run === "'" ? '%27' : encodeURIComponent(run.toWellFormed())))
}

// ---- matching

type Matcher = { rule: RobotsRule; matches: (path: string) => boolean }
const compiled = new WeakMap<Robots, Matcher[]>()

/** Longest first, allowing first among equals, so that the first match decides. */
function matchersOf(robots: Robots): Matcher[] {
  let matchers = compiled.get(robots)
  if (matchers === undefined) {
    matchers = robots.rules
      .toSorted((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow))
      .map((rule) => ({ rule, matches: compilePattern(rule.pattern) }))
    compiled.set(robots, matchers)
  }
  return matchers
}

/** Matches the literals between `*` one after the other, each at its leftmost position; `$` anchors the last one at the end. */
function compilePattern(pattern: string): (path: string) => boolean {
  const isAnchored = pattern.endsWith('$')
  const pieces = (isAnchored ? pattern.slice(0, -1) : pattern).split(/\*+/)
  const first = pieces[0]!
  if (pieces.length === 1) return isAnchored ? (path) => path === first : (path) => path.startsWith(first)
  const last = isAnchored ? pieces.at(-1)! : ''
  const middle = isAnchored ? pieces.slice(1, -1) : pieces.slice(1)
  return (path) => {
    if (!path.startsWith(first) || !path.endsWith(last)) return false
    let at = first.length
    for (const piece of middle) {
      const found = path.indexOf(piece, at)
      if (found < 0) return false
      at = found + piece.length
    }
    return at + last.length <= path.length
  }
}
