/** Parses an uploaded file like a page of its type: in a thread, without storing it. */
import { randomBytes } from 'node:crypto'
import type { ScrapeOptions } from '#contract/firecrawl/shapes.ts'
import { documentJson, unpackBodyOutside } from '#backend/crawler/page/page-body.ts'
import { createParsePool } from '#backend/crawler/page/parse-pool.ts'
import type { ParsePool } from '#backend/crawler/page/parse-pool.ts'
import type { Upload } from '#backend/http/uploads.ts'
import { presentDocument, withWarnings } from './document.ts'
import { Refused } from './errors.ts'
import { asksModel } from './model-question.ts'
import { checkSelectors, pageWish } from './scrape-spec.ts'

const TIMEOUT_MS = 60_000
/** Also the limit for the unpacked content of a compressed file. */
const MOST_FILE_BYTES = 50 * 1024 * 1024
/** The base for relative links in the file; removed from the answer. */
const BASE = 'https://upload.invalid/'
const UNUSABLE = ['waitFor', 'actions', 'location', 'mobile', 'headers', 'maxAge', 'minAge', 'storeInCache', 'lockdown'] as const
const UNUSABLE_FORMATS: readonly string[] = ['screenshot', 'screenshot@fullPage', 'changeTracking', 'branding', 'audio', 'video']
/** Types by file extension, for uploads without a type or with the generic one that clients send. */
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  json: 'application/json',
  md: 'text/markdown',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  xml: 'application/xml',
}

export type ParseFile = ReturnType<typeof createParseFile>

/** @param newId  creates the id of a file */
export function createParseFile({ newId }: { newId: () => string }) {
  let pool: ParsePool | null = null
  return { parse, close: async () => pool?.close() }

  /** @throws {Refused} 400 for options that make no sense for a file, and for a file that cannot be read; 408 after `timeout` */
  async function parse(share: string, file: Upload, options: ScrapeOptions): Promise<Record<string, unknown>> {
    refuseUnusable(options)
    await checkSelectors(options)
    const wanted = options.formats?.filter((format) => !asksModel([format]))
    const page = pageWish({ ...options, formats: wanted }, { hasBrowser: false, model: null, version: 'v2' })
    const unread = (options.formats ?? []).filter((format) => asksModel([format]))
    const warnings = [
      ...page.warnings,
      ...unread.map((format) => `The format ${typeof format === 'string' ? format : format.type} is not available for files.`),
    ]
    const id = newId()
    // Relative URLs of a file have no base.
    const extraction = { ...page.spec.extraction, absoluteUrls: false }
    const reader = (pool ??= createParsePool({ threads: 1 }))
    reader.define({
      name: id,
      extraction,
      scope: { allowedDomains: ['*'], includePaths: [], excludePaths: [], seedHosts: [] },
      includeLinks: extraction.includeLinks,
      allLinks: true,
      salt: randomBytes(16),
      maxBytes: MOST_FILE_BYTES,
    })
    const timeoutMs = options.timeout ?? TIMEOUT_MS
    const late = Promise.withResolvers<null>()
    const timer = setTimeout(() => late.resolve(null), timeoutMs)
    try {
      const url = BASE + encodeURIComponent(file.filename)
      const contentType = typeOf(file)
      // A copy to transfer to the thread, without the rest of the request's body.
      const body = new Uint8Array(file.bytes)
      const reading = reader.parse({ share, rules: id, body, contentEncoding: '', contentType, status: 200, url })
      // After a timeout, or when the caller has disconnected, the file still waits for the parser.
      file.inUse = reading
      const reply = await Promise.race([reading, late.promise])
      if (reply === null) throw new Refused(408, `The file was not read within ${timeoutMs / 1000} s.`, { code: 'SCRAPE_TIMEOUT' })
      if (reply.kind === 'refusal')
        throw new Refused(400, `The file cannot be read: ${reply.detail}.`, { code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' })
      const stored = documentJson(await unpackBodyOutside(reply))
      const data = presentDocument(withoutBase(stored), page, {
        sourceURL: file.filename,
        url: file.filename,
        contentType: reply.mediaType,
        scrapeId: id,
      })
      for (const name of ['links', 'images'] as const)
        if (Array.isArray(data[name])) data[name] = data[name].filter((link) => URL.canParse(String(link)))
      data['metadata'] = { ...(data['metadata'] as object), creditsUsed: 0 }
      return withWarnings(data, warnings)
    } finally {
      clearTimeout(timer)
      reader.forget(id)
    }
  }
}

const withoutBase = (stored: Buffer): Buffer => (stored.includes(BASE) ? Buffer.from(stored.toString().replaceAll(BASE, '')) : stored)

function refuseUnusable(options: ScrapeOptions): void {
  const named = (options.formats ?? []).map((format) => (typeof format === 'string' ? format : format.type))
  const wrong = [
    ...UNUSABLE.filter((name) => options[name] !== undefined),
    ...named.filter((name) => UNUSABLE_FORMATS.includes(name)).map((name) => `the format ${name}`),
    ...(options.proxy === 'stealth' || options.proxy === 'enhanced' ? [`the proxy ${options.proxy}`] : []),
  ]
  if (wrong.length > 0)
    throw new Refused(400, `An uploaded file cannot be read with ${wrong.join(', ')}.`, { code: 'PARSE_UNSUPPORTED_OPTIONS' })
}

function typeOf({ contentType, filename }: Upload): string | null {
  const isVague = contentType === '' || /^(?:application\/octet-stream|text\/plain)\s*(?:;|$)/i.test(contentType)
  if (!isVague) return contentType
  return TYPES[/\.(\w{1,5})$/.exec(filename)?.[1]?.toLowerCase() ?? ''] ?? (contentType || null)
}
