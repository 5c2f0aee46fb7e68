/** Converts a page from its bytes to everything that is stored. Runs in a parser thread, and does not depend on one. */
import { hash } from 'node:crypto'
import { canonicalUrl, urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import { nameOfPage } from '#backend/crawler/url/page-name.ts'
import { decodeBody } from '#backend/crawler/fetch/decode-body.ts'
import { writeDocument } from './page-body.ts'
import { LINK_STRIDE, NOFOLLOW } from './page-rules.ts'
import type { LinkBlock, LinkNote, PageJob, PageRules, ParseReply } from './page-rules.ts'
import { pluginPage } from '#backend/crawler/plugins/plugin-page.ts'
import type { PluginOutcome, PluginRunner } from '#backend/crawler/plugins/run-plugins.ts'
import { READING_RULES } from './reading-rules.ts'
import type { SaidByAnswer } from './answer-links.ts'
import { readPage } from './read-page.ts'
import type { PageReading } from './read-page.ts'
import { followsNone } from './robots-directives.ts'
import { compileScope } from '#backend/crawler/url/scope.ts'
import { trapOf } from '#backend/crawler/url/traps.ts'
import { LinkTarget } from '#backend/crawler/url/resolve-url.ts'
import { urlKey } from '#backend/crawler/url/url-key.ts'

type Judgement = { url: string; hi: number; lo: number; note: LinkNote | null }

export type PageParser = (job: PageJob) => Promise<ParseReply> | ParseReply

/**
 * Prepares what all pages of a run share: its compiled scope. Each link is judged once, since navigation repeats: measured on a site of
 * 4,000 pages, 3 per page instead of 75.
 *
 * @param runPlugins  of the run; null when it has none
 */
export function createPageParser(rules: PageRules, runPlugins: PluginRunner | null = null): PageParser {
  const judge = compileScope(rules.scope)
  return parse

  function parse(job: PageJob): Promise<ParseReply> | ParseReply {
    const decoded = decodeBody(job.body, job.contentEncoding, rules.maxBytes)
    if ('failure' in decoded) return { kind: 'refusal', id: job.id, cpuMs: 0, outcome: decoded.failure, detail: decoded.detail }
    const source = { bytes: decoded.bytes, contentType: job.contentType, status: job.status, url: job.url, said: job.said }
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
    const { block, listed } = linkBlock(reading, job.said ?? {})
    addFacts(reading.metadata, job.metadata ?? {})
    const others = JSON.stringify({
      ...(rules.includeLinks ? { links: rules.allLinks === true ? [...listed] : [...listed].sort() } : {}),
      ...(reading.html === null ? {} : { html: reading.html }),
      ...reading.extras,
      // A shell stays the same while what a browser makes of it changes, and is fetched again once there is one.
      ...(job.validators === undefined || reading.shell !== undefined ? {} : { validators: { ...job.validators, rules: READING_RULES } }),
    })
    const extraction = added?.extraction ?? null
    const body = writeDocument(
      reading.metadata,
      reading.markdown,
      extraction === null ? others : withField(others, 'extraction', extraction),
    )
    const key = urlKey(rules.salt, urlIdentity(job.url))
    const contentHash = hashOf(reading.markdown)
    return {
      kind: 'page',
      id: job.id,
      // Set by the thread.
      cpuMs: 0,
      title: reading.title,
      description: reading.metadata['description'] || reading.metadata['Description'] || reading.metadata['og:description'] || null,
      language: reading.language,
      mediaType: reading.mediaType,
      canonicalUrl: reading.canonicalUrl,
      keyHi: key.hi,
      keyLo: key.lo,
      contentHash,
      copyKey: reading.markdown === '' ? null : copyKey(job.url, reading, contentHash),
      ...body,
      decodedBytes,
      links: block,
      linksDropped: reading.linksDropped,
      ...(reading.shell === undefined ? null : { shell: reading.shell }),
      ...(added !== null && added.faults.length > 0 ? { pluginFaults: added.faults } : null),
    }
  }

  function copyKey(url: string, { canonicalUrl: canonical, markdown }: PageReading, contentHash: string): number {
    const name = nameOfPage(url, canonical)
    const text = withPlainAnchors(markdown, url, withoutQuery(name))
    const { hi, lo } = urlKey(rules.salt, `${name}\n${text === markdown ? contentHash : hashOf(text)}`)
    return hi * 2 ** 21 + (lo >>> 11)
  }

  function linkBlock(reading: PageReading, said: SaidByAnswer): { block: LinkBlock; listed: Set<string> } {
    const listed = new Set<string>()
    const notes: LinkNote[] = []
    const noteNumbers = new Map<LinkNote, number>()
    const numbers = new Int32Array((reading.links.length + 1) * LINK_STRIDE)
    let text = ''
    let at = 0
    const isOfNoneFollowed = followsNone(reading.metadata, said)
    const take = (target: LinkTarget, title: string, nofollow: boolean) => {
      const link = judgementOf(target)
      if (link === null) return
      if (rules.includeLinks && (link.note === null || rules.allLinks === true)) listed.add(link.url)
      text += link.url
      numbers[at] = link.hi
      numbers[at + 1] = link.lo
      numbers[at + 2] = text.length
      text += title
      numbers[at + 3] = text.length
      numbers[at + 4] = link.note !== null ? noteNumber(link.note) : nofollow ? NOFOLLOW : 0
      at += LINK_STRIDE
    }
    const noteNumber = (note: LinkNote) => {
      const known = noteNumbers.get(note)
      if (known !== undefined) return known
      noteNumbers.set(note, notes.push(note))
      return notes.length
    }
    for (const [place, link] of reading.links.entries())
      take(reading.targets?.[place] ?? new LinkTarget(link.url), link.text, isOfNoneFollowed || link.nofollow)
    if (reading.refresh !== null) take(new LinkTarget(reading.refresh), '', false)
    return { block: { numbers: numbers.slice(0, at), text, notes }, listed }
  }

  function judgementOf(target: LinkTarget): Judgement | null {
    if (target.judge !== judge) {
      target.judge = judge
      target.judgement = judgeLink(target.url)
    }
    return target.judgement as Judgement | null
  }

  function judgeLink(raw: string): Judgement | null {
    const spelled = canonicalUrl(raw)
    if (spelled === null) return null
    const url = rules.ignoresQuery === true ? withoutQuery(spelled) : spelled
    const { hi, lo } = urlKey(rules.salt, urlIdentity(url))
    const outside = judge(url)
    if (outside !== null) return { url, hi, lo, note: { outcome: 'out_of_scope', detail: `${outside.rule}: ${outside.detail}` } }
    const trap = trapOf(url)
    return { url, hi, lo, note: trap === null ? null : { outcome: `trap:${trap}`, detail: trap } }
  }
}

/** Names of facts about the rendering of a page. A page that has metadata of these names did not get them from us. */
const RENDERING_FACT = /^(?:rendered|action_\d+)$/

/** Adds the crawler's facts about a page to its metadata, in place of what the page says under their names. */
function addFacts(metadata: Record<string, string | null>, facts: Readonly<Record<string, string>>): void {
  for (const name in metadata) if (RENDERING_FACT.test(name)) delete metadata[name]
  Object.assign(metadata, facts)
}

const hashOf = (text: string) => hash('sha256', text, 'hex').slice(0, 32)

/** Links to anchors of a page contain its URL, or that of a copy, as links to answer a comment do. These differ between copies. */
function withPlainAnchors(markdown: string, url: string, name: string): string {
  const plain = markdown.replaceAll(`${url}#`, '#')
  if (!plain.includes(name)) return plain
  const [first = '', ...others] = plain.split(name)
  return others.reduce((text, behind) => text + (ANCHOR.test(behind) ? behind.replace(ANCHOR, '#') : name + behind), first)
}
/** What may stand between the name of a page and the anchor. */
const ANCHOR = /^\/?(?:\?[^\s#()<>]*)?#/

/** Adds a field, whose value is JSON text, to the JSON text of an object. */
const withField = (object: string, name: string, value: string) => `${object.slice(0, -1)}${object === '{}' ? '' : ','}"${name}":${value}}`

const withoutQuery = (url: string) => (url.includes('?') ? url.slice(0, url.indexOf('?')) : url)
