/**
 * Reads a site's sitemap files: those in its robots file, or those at the usual places, and the files that these list.
 *
 * Limits: three levels of indexes, 500 files, and for each file those of `sitemap-xml.ts`. A file that cannot be read is reported and
 * skipped.
 */
import { words } from '#backend/crawler/crawl/crawl-texts.ts'
import { canonicalUrlWithTracking, hostKey } from '#backend/crawler/url/canonical-url.ts'
import { MAX_ROBOTS_BYTES, decodeRobots } from '#backend/crawler/robots/robots.ts'
import { SITEMAP_LIMITS, createSitemapReader } from './sitemap-xml.ts'
import type { SitemapProblem, SitemapReader, SitemapSummary } from './sitemap-xml.ts'
import type { FileNeeds } from '#backend/crawler/url/url-sources.ts'

const MAX_FILES = 500
/** A file named in robots.txt is on level 1. */
const MAX_LEVEL = 3
const FILES_AT_ONCE = 4
const FILE_TIMEOUT_MS = 120_000
const MAX_ROBOTS_LINES = 1000

export type SitemapFiles = {
  /** Files that were sitemaps, read completely or in part. */
  read: number
  /** URLs of the site in them, kept or not. */
  ofSite: number
  /** Something is missing: a limit was reached, or a file could not be read. */
  isPartial: boolean
}

/** The sitemap files that a site's robots file names; null without a robots file. Relative names are accepted, against the standard. */
export async function namedInRobots(origin: string, { fetch, moveTo }: FileNeeds): Promise<string[] | null> {
  const outcome = await fetch({ url: `${origin}/robots.txt`, maxBytes: MAX_ROBOTS_BYTES, overflow: 'cut', tries: 2 })
  if (outcome.kind !== 'fetched' || outcome.status >= 300) return null
  moveTo(outcome.url)
  const text = decodeRobots(outcome.body)
  const lines = text.matchAll(/^[ \t]*site-?map[ \t]*:[ \t]*(\S[^\r\n#]*)/gim)
  const urls = Array.from(lines.take(MAX_ROBOTS_LINES), ([, named = '']) => canonicalUrlWithTracking(named.trim(), outcome.url))
  return [...new Set(urls.filter((url) => url !== null))]
}

/** Reads the given files and those that they list. `isExpected` false: missing files are not reported as a problem. */
export async function readSitemapFiles(first: string[], needs: FileNeeds, { isExpected = true } = {}): Promise<SitemapFiles> {
  const { isFull, isOfSite, signal, tell } = needs
  const known = new Set<string>()
  const waiting: { url: string; level: number }[] = []
  const files: SitemapFiles = { read: 0, ofSite: 0, isPartial: false }
  const told = new Set<string>()
  const needsWork: (() => void)[] = []
  let reading = 0
  for (const url of first) queue(url, 1)
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, work))
  return files

  function queue(url: string, level: number): boolean {
    if (known.has(url)) return false
    if (level > MAX_LEVEL) return leaveOut(`Sitemap indexes are nested more than ${MAX_LEVEL} deep: the files below are left out`)
    if (known.size >= MAX_FILES) return leaveOut(`More than ${MAX_FILES} sitemap files: the others are left out`)
    known.add(url)
    waiting.push({ url, level })
    wake()
    return true
  }

  function leaveOut(message: string): false {
    files.isPartial = true
    if (!told.has(message)) tell('warning', message)
    told.add(message)
    return false
  }

  // ---- a few at once, until none is waiting or being read

  function wake(): void {
    const waked = needsWork.splice(0)
    for (const each of waked) each()
  }

  async function work(): Promise<void> {
    for (;;) {
      const next = isFull() || signal.aborted ? undefined : waiting.shift()
      if (next !== undefined) {
        reading += 1
        try {
          await readFile(next.url, next.level)
        } finally {
          reading -= 1
          if (reading === 0) wake()
        }
      } else if (reading === 0 || isFull() || signal.aborted) return
      else await new Promise<void>((resolve) => needsWork.push(resolve))
    }
  }

  async function readFile(url: string, level: number): Promise<void> {
    let reader: SitemapReader | null = null
    let ofSite = 0
    let queued = 0
    const open = (head: { url: string; contentType: string | null }) =>
      createSitemapReader({
        contentType: head.contentType,
        fileUrl: head.url,
        onPage: (entry) => {
          if (needs.take(entry.url, entry.lastmod, 'sitemap') !== 'foreign') ofSite += 1
        },
        onSitemap: (entry) => {
          const child = canonicalUrlWithTracking(entry.url)
          if (child === null || !(isOfSite(child) || hostKey(child) === hostKey(url))) return
          if (queue(child, level + 1)) queued += 1
        },
      })
    let hasEnough = false
    let outcome
    try {
      outcome = await needs.fetch({
        url,
        maxBytes: SITEMAP_LIMITS.maxBytes,
        overflow: 'cut',
        timeoutMs: FILE_TIMEOUT_MS,
        tries: 2,
        unpacksGzip: true,
        onChunk: (chunk, head) => {
          reader ??= open(head)
          if (reader.write(chunk) && !isFull()) return
          hasEnough = true
          throw ENOUGH
        },
      })
    } catch (thrown) {
      if (thrown !== ENOUGH) throw thrown
    }
    if (signal.aborted && !hasEnough) return
    // The entries of a file that broke off have been passed on already.
    const isCut = outcome !== undefined && (outcome.kind !== 'fetched' || outcome.truncated)
    const summary = (reader as SitemapReader | null)?.end(isCut || hasEnough) ?? NOTHING
    const fault = outcome === undefined ? null : faultOf(outcome)
    report(url, { fault, ofSite, queued, summary, isCut: isCut && summary.problem === null })
  }

  function report(url: string, { fault, isCut, ofSite, queued, summary }: Report): void {
    files.ofSite += ofSite
    if (summary.kind !== null && summary.problem !== 'not_sitemap') files.read += 1
    const metadata = { url, entries: summary.entries }
    if (fault !== null || isCut || summary.problem !== null) {
      const why = fault ?? (summary.problem === null ? 'it broke off' : PROBLEMS[summary.problem])
      if (summary.entries === 0 && !isExpected) return tell('info', `No sitemap at ${url}: ${why}`, metadata)
      files.isPartial = true
      return tell('warning', `Sitemap ${url}: ${why}${summary.entries > 0 ? `; the first ${summary.entries} entries count` : ''}`, metadata)
    }
    if (summary.kind === 'index')
      return tell('info', `Sitemap index ${url}: ${queued} sitemap ${queued === 1 ? 'file' : 'files'} queued`, metadata)
    tell('info', `Read sitemap ${url}: ${summary.entries} ${summary.entries === 1 ? 'URL' : 'URLs'}`, metadata)
  }
}

type Report = { fault: string | null; isCut: boolean; ofSite: number; queued: number; summary: SitemapSummary }

/** Thrown to stop a fetch whose rest is not needed. */
const ENOUGH = new Error('the rest of this file is not needed')
const NOTHING: SitemapSummary = { kind: null, entries: 0, problem: 'not_sitemap' }

const PROBLEMS: Record<SitemapProblem, string> = {
  doctype: 'it declares a document type, which no sitemap needs, and is not read',
  not_sitemap: 'it is not a sitemap',
  too_large: `it is larger than ${SITEMAP_LIMITS.maxBytes / 1024 / 1024} MiB`,
  too_many: `it has more than ${SITEMAP_LIMITS.maxEntries} entries`,
  broken: 'it is malformed',
}

type Outcome = Awaited<ReturnType<FileNeeds['fetch']>>

/** Why a fetch returned no file; null if it did. */
function faultOf(outcome: Outcome): string | null {
  if (outcome.kind === 'failure') return `it could not be fetched (${words(outcome.reason)})`
  if (outcome.kind === 'redirected') return 'it redirects elsewhere'
  return outcome.status >= 300 ? `answered with status ${outcome.status}` : null
}
