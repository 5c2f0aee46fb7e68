/** One page, from its bytes to everything that is stored of it: runs in a parser thread, knows no thread. */
import { hash } from 'node:crypto'
import { constants, zstdCompressSync } from 'node:zlib'
import { unbroken } from '#backend/platform/threads/unbroken.ts'
import { canonicalUrl, urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import { decodeBody } from '#backend/crawler/fetch/decode-body.ts'
import { LINK_STRIDE } from './page-rules.ts'
import type { LinkBlock, LinkNote, PageJob, PageRules, ParseReply } from './page-rules.ts'
import { pluginPage } from '#backend/crawler/plugins/plugin-page.ts'
import type { PluginOutcome, PluginRunner } from '#backend/crawler/plugins/run-plugins.ts'
import { readPage } from './read-page.ts'
import type { PageReading } from './read-page.ts'
import { compileScope } from '#backend/crawler/url/scope.ts'
import { judgeUrl } from '#backend/crawler/crawl/traps.ts'
import { urlKey } from '#backend/crawler/url/url-key.ts'

/** A short body is not worth packing. */
const LEAST_PACKED_BYTES = 512
/** In two halves, of which the older one goes. Measured on a site of 4,000 pages: 3 links of a page are judged instead of 20, where 4,096 were kept. */
const MOST_REMEMBERED = 16_384

type KnownLink = { url: string; hi: number; lo: number; note: LinkNote | null }

export type PageParser = (job: PageJob) => Promise<ParseReply> | ParseReply

/**
 * Makes ready what all pages of a run share: its compiled scope and the links that were seen a moment ago, since navigation repeats.
 *
 * @param runPlugins  of the run; null when it has none
 */
export function createPageParser(rules: PageRules, runPlugins: PluginRunner | null = null): PageParser {
  const judge = compileScope(rules.scope)
  let recent = new Map<string, KnownLink | null>()
  let older = new Map<string, KnownLink | null>()
  return parse

  function parse(job: PageJob): Promise<ParseReply> | ParseReply {
    const decoded = decodeBody(job.body, job.contentEncoding, rules.maxBytes)
    if ('failure' in decoded) return { kind: 'refusal', id: job.id, cpuMs: 0, outcome: decoded.failure, detail: decoded.detail }
    const source = { bytes: decoded.bytes, contentType: job.contentType, status: job.status, url: job.url }
    const reading = readPage(source, rules.extraction, rules.findsShells)
    const finish = (result: Awaited<typeof reading>): ParseReply | Promise<ParseReply> => {
      if (result.kind === 'refusal') return { kind: 'refusal', id: job.id, cpuMs: 0, outcome: result.reason, detail: result.detail }
      if (runPlugins === null) return present(job, result, decoded.bytes.length, null)
      const outcome = runPlugins(pluginPage(job, decoded.bytes, result), job.exhausted ?? [])
      return outcome.then((added) => present(job, result, decoded.bytes.length, added))
    }
    return reading instanceof Promise ? reading.then(finish) : finish(reading)
  }

  function present(job: PageJob, reading: PageReading, decodedBytes: number, added: PluginOutcome | null): ParseReply {
    const { block, inScope } = linkBlock(reading)
    for (const name in job.metadata) if (!Object.hasOwn(reading.metadata, name)) reading.metadata[name] = job.metadata[name]!
    const document = JSON.stringify({
      metadata: reading.metadata,
      markdown: reading.markdown,
      ...(rules.includeLinks ? { links: [...inScope].sort() } : {}),
      ...(reading.html === null ? {} : { html: reading.html }),
      ...reading.extras,
      ...(job.validators === undefined ? {} : { validators: job.validators }),
    })
    const extraction = added?.extraction ?? null
    const raw = Buffer.from(extraction === null ? document : `${document.slice(0, -1)},"extraction":${extraction}}`)
    const isPacked = raw.length >= LEAST_PACKED_BYTES
    const body = isPacked ? unbroken(() => zstdCompressSync(raw, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })) : raw
    const key = urlKey(rules.salt, urlIdentity(job.url))
    return {
      kind: 'page',
      id: job.id,
      // Measured by the thread.
      cpuMs: 0,
      title: reading.title,
      description: reading.metadata['description'] || reading.metadata['Description'] || reading.metadata['og:description'] || null,
      language: reading.language,
      mediaType: reading.mediaType,
      canonicalUrl: reading.canonicalUrl,
      keyHi: key.hi,
      keyLo: key.lo,
      contentHash: hash('sha256', reading.markdown, 'hex').slice(0, 32),
      encoding: isPacked ? 1 : 0,
      rawBytes: raw.length,
      // A buffer of its own: what zlib hands out may be a slice of something larger.
      body: new Uint8Array(body),
      decodedBytes,
      links: block,
      linksDropped: reading.linksDropped,
      ...(reading.shell === undefined ? null : { shell: reading.shell }),
      ...(added !== null && added.faults.length > 0 ? { pluginFaults: added.faults } : null),
    }
  }

  function linkBlock(reading: PageReading): { block: LinkBlock; inScope: Set<string> } {
    const inScope = new Set<string>()
    const notes: LinkNote[] = []
    const noteNumbers = new Map<LinkNote, number>()
    const numbers = new Int32Array((reading.links.length + 1) * LINK_STRIDE)
    let text = ''
    let at = 0
    const take = (raw: string, title: string) => {
      const link = knownLink(raw)
      if (link === null) return
      if (rules.includeLinks && (link.note === null || rules.allLinks === true)) inScope.add(link.url)
      text += link.url
      numbers[at] = link.hi
      numbers[at + 1] = link.lo
      numbers[at + 2] = text.length
      text += title
      numbers[at + 3] = text.length
      numbers[at + 4] = link.note === null ? 0 : noteNumber(link.note)
      at += LINK_STRIDE
    }
    const noteNumber = (note: LinkNote) => {
      const known = noteNumbers.get(note)
      if (known !== undefined) return known
      noteNumbers.set(note, notes.push(note))
      return notes.length
    }
    for (const link of reading.links) take(link.url, link.text)
    if (reading.refresh !== null) take(reading.refresh, '')
    return { block: { numbers: numbers.slice(0, at), text, notes }, inScope }
  }

  function knownLink(raw: string): KnownLink | null {
    let link = recent.get(raw)
    if (link === undefined) {
      link = older.get(raw)
      if (link === undefined) link = judgeLink(raw)
      if (recent.size >= MOST_REMEMBERED / 2) {
        older = recent
        recent = new Map()
      }
      recent.set(raw, link)
    }
    return link
  }

  function judgeLink(raw: string): KnownLink | null {
    const spelled = canonicalUrl(raw)
    if (spelled === null) return null
    const url = rules.ignoresQuery === true ? withoutQuery(spelled) : spelled
    const { hi, lo } = urlKey(rules.salt, urlIdentity(url))
    const outside = judge(url)
    if (outside !== null) return { url, hi, lo, note: { outcome: 'out_of_scope', detail: `${outside.rule}: ${outside.detail}` } }
    const trap = judgeUrl(url)
    return { url, hi, lo, note: trap === null ? null : { outcome: `trap:${trap}`, detail: trap } }
  }
}

const withoutQuery = (url: string) => (url.includes('?') ? url.slice(0, url.indexOf('?')) : url)
