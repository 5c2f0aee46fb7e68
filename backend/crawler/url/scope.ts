import { domainToASCII } from 'node:url'
import { normalEscapes } from './canonical-url.ts'
import { compileGlob } from './glob.ts'
import { compileRegexes } from './path-regexes.ts'

/** Which links of a run are followed. Plain values: they are sent to the parser threads once per run. */
export type ScopeRules = {
  /** Host patterns, each with or without a port; empty means each seed host without `www.`, and its subdomains. */
  allowedDomains: string[]
  /** Path patterns; if the list is not empty, one must match. */
  includePaths: string[]
  /** Path patterns; a URL that matches one is not followed. */
  excludePaths: string[]
  /** Hosts of the seeds, and hosts that seeds redirected to. */
  seedHosts: string[]
  /** Regular expressions beside the patterns; `onUrl` shows them the whole URL instead of its path. */
  regexes?: { include: string[]; exclude: string[]; onUrl: boolean }
  /** Prefix that every path must have. */
  below?: string
  /** File extensions that are followed although they are no web pages. */
  fileTypes?: string[]
  /** Most segments of a path. */
  maxSegments?: number
}

/** Why a URL is not followed; `detail` is the extension, host or pattern that decided. */
export type OutOfScope = {
  rule: 'scheme' | 'file_type' | 'domain' | 'below' | 'path_depth' | 'include_paths' | 'exclude_paths'
  detail: string
}

/**
 * Compiles the rules for judging many URLs. Seeds are not judged: the start URL is always fetched.
 *
 * Patterns: `*` any run of characters, also across `/`; `?` one character; `[abc]` one of a set. The whole value must
 * match. A URL for which a regular expression takes too much work is not followed. Path patterns are matched against the path alone, case-sensitive; host patterns ignore case. A host pattern that ends in `:8080`
 * matches that port alone, one without a port any.
 * @param anyType  file extensions are not judged
 * @returns  a judge of canonical URLs; null = in scope
 */
export function compileScope(rules: ScopeRules, { anyType = false } = {}): (canonicalUrl: string) => null | OutOfScope {
  const isAllowedOrigin = rules.allowedDomains.length > 0 ? hostPatterns(rules.allowedDomains) : seedSites(rules.seedHosts)
  const includes = rules.includePaths.map(compilePath)
  const excludes = rules.excludePaths.map((pattern) => ({ pattern, matches: compilePath(pattern) }))
  const judgeByRegexes = rules.regexes && compileRegexes(rules.regexes)
  const { below = '/', maxSegments = Infinity } = rules
  const followed = new Set(rules.fileTypes)
  const verdicts = new Map<string, boolean>()

  return (url) => {
    const hostStart = url.indexOf('://') + 3
    if (hostStart < 3 || !(url.startsWith('http://') || url.startsWith('https://')))
      return { rule: 'scheme', detail: url.slice(0, url.indexOf(':') + 1) }
    const pathStart = url.indexOf('/', hostStart)
    const query = url.indexOf('?', pathStart)
    const path = url.slice(pathStart, query < 0 ? url.length : query)
    const extension = anyType ? '' : extensionOf(path)
    if (NOT_PAGES.has(extension) && !followed.has(extension)) return { rule: 'file_type', detail: extension }
    const origin = url.slice(0, pathStart)
    let allowed = verdicts.get(origin)
    if (allowed === undefined) {
      allowed = isAllowedOrigin(hostOf(url, hostStart, pathStart), portOf(origin))
      if (verdicts.size >= 10_000) verdicts.clear()
      verdicts.set(origin, allowed)
    }
    if (!allowed) return { rule: 'domain', detail: origin.slice(hostStart) }
    if (below !== '/' && !path.startsWith(below)) return { rule: 'below', detail: below }
    if (maxSegments !== Infinity && segmentsOf(path) > maxSegments) return { rule: 'path_depth', detail: path }
    for (const exclude of excludes) if (exclude.matches(path)) return { rule: 'exclude_paths', detail: exclude.pattern }
    if (includes.length > 0 && !includes.some((matches) => matches(path))) return { rule: 'include_paths', detail: path }
    const refusal = judgeByRegexes?.(rules.regexes?.onUrl === true ? url : path) ?? null
    return refusal && { rule: refusal.rule, detail: refusal.rule === 'exclude_paths' ? refusal.pattern : path }
  }
}

const segmentsOf = (path: string): number => path.split('/').filter(Boolean).length

/** Compiles a path pattern to a predicate over the paths of canonical URLs. */
export const compilePath = (pattern: string): ((path: string) => boolean) => compileGlob(escapeLikePath(pattern))

/** False when the path's extension says that the document has no text that we can read. */
export const mayBePage = (path: string): boolean => !NOT_PAGES.has(extensionOf(path))

/** Extensions of documents without text that we can read; links to them are not followed. */
const NOT_PAGES = new Set(
  (
    '7z aac ai aif aiff apk appimage ar arj asf asx atom-archive avi avif bin bmp bz2 cab cbr cbz class css csv cur dat db deb dll dmg doc docm docx dot ' +
    'dotx drv dvi dwg dxf ear egg eml emf eot eps epub exe f4v fla flac flv fon gif gz gzip hdr heic heif ico ics img ini ipa iso ' +
    'jar jfif jpe jpeg jpg jp2 js jsm jxl key less lz lz4 lzma m2ts m3u m3u8 m4a m4b m4p m4v map mid midi mjs mka mkv mng mobi mov mp2 mp3 mp4 mpa mpe mpeg mpg ' +
    'mpp msi msix mts mxf numbers o odb odc odf odg odp ods odt oga ogg ogv ogx opus otf otc pages pak pct pcx pdf pem pgm pic pict pkg pls png pnm pot ' +
    'potx pps ppsx ppt pptm pptx ps psd psp py pyc qt ra ram rar raw rdata rm rmvb rpm rss-archive rtf rv sass scss sfx sh sit sitx so sql sqlite srt svg svgz swf ' +
    'tar tbz tgz tif tiff tlz torrent ts tsv ttc ttf txz vob vsd vsdx vtt war wasm wav weba webm webmanifest webp whl wma wmf wmv woff woff2 wsf xcf xla ' +
    'xls xlsb xlsm xlsx xlt xltx xpi xz z zip zipx zst bat cmd dylib jsx tsx woff3 c cpp h java mjpeg mjpg 3g2 3gp 3gpp'
  ).split(' '),
)

function extensionOf(path: string): string {
  const dot = path.lastIndexOf('.')
  if (dot <= path.lastIndexOf('/') || path.length - dot > 14) return ''
  return path.slice(dot + 1).toLowerCase()
}

function hostOf(url: string, hostStart: number, pathStart: number): string {
  const colon = url.lastIndexOf(':', pathStart)
  const end = colon > hostStart && url.charCodeAt(pathStart - 1) !== 93 ? colon : pathStart
  return url.slice(hostStart, end)
}

/** The port of an origin as canonical URLs spell it. */
function portOf(origin: string): string {
  return /:(\d+)$/.exec(origin)?.[1] ?? (origin.startsWith('https:') ? '443' : '80')
}

function hostPatterns(patterns: string[]): (host: string, port: string) => boolean {
  const compiled = patterns.map((pattern) => {
    const [, host, port] = /^(.*?)(?::(\d{1,5}|\*))?$/s.exec(asciiPattern(pattern))!
    const isPort = port === undefined || port === '*' ? null : String(Number(port))
    // The brackets of an IPv6 address are no character set.
    const matches = /^\[[\da-f]*:[\da-f:.]*\]$/.test(host!) ? (value: string) => value === host : compileGlob(host!.replace(/\.$/, ''))
    return { isPort, matches }
  })
  return (host, port) => compiled.some(({ isPort, matches }) => (isPort === null || isPort === port) && matches(host))
}

function seedSites(hosts: string[]): (host: string) => boolean {
  const sites = new Set(hosts.map((host) => (host.startsWith('www.') ? host.slice(4) : host)))
  return (host) => {
    if (sites.has(host)) return true
    for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) if (sites.has(host.slice(dot + 1))) return true
    return false
  }
}

/** Spells a host pattern as canonical URLs spell hosts: lower case, other scripts in Punycode. */
function asciiPattern(pattern: string): string {
  return pattern
    .trim()
    .toLowerCase()
    .replace(/[^.*?:[\]]*[^\0-\x7f][^.*?:[\]]*/g, (label) => domainToASCII(label) || label)
}

/** Spells a path pattern as canonical URLs spell paths, with the same characters percent-encoded, in the same spelling. */
function escapeLikePath(pattern: string): string {
  return normalEscapes(pattern.replace(/[^\0-\x7f]+|[ "<>`{}]/g, (run) => encodeURIComponent(run.toWellFormed())))
}
