/** Translates the options for each page to ours. Pure. */
import { DEFAULT_LOCALE, MAX_LOCALE, pageOptions } from '#contract/crawls.ts'
import type { PageOptions } from '#contract/crawls.ts'
import type { Format, FormatName, ScrapeOptions } from '#contract/firecrawl/shapes.ts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import type { PageAction } from '#backend/crawler/crawl/renderer.ts'
import { isSelector } from '#backend/crawler/page/select-tags.ts'
import { mapInShortTurns } from '#backend/platform/short-turns.ts'
import { actionsOf, shotOf } from './actions.ts'
import { badRequest } from './errors.ts'
import { modelQuestion, tracksData } from './model-question.ts'
import type { ModelFields } from './model-question.ts'
import { parserWarnings, pdfParserOf } from './parsers.ts'

/** Facts about a request that its answers depend on. */
export type Asked = {
  version: 'v1' | 'v2'
  formats: FormatName[]
  /** What this installation could not do, as texts for the caller. */
  warnings: string[]
  /** The questions to a language model about each page. */
  model?: ModelFields
  /** Captures of actions go to `actions` of a document. */
  hasActions?: boolean
  /** Pages are compared with the team's earlier copies; `tag` selects a separate history. */
  tracking?: { diff: boolean; tag: string | null }
  /** The job was made by the endpoint `extract`. */
  extract?: { showsSources: boolean }
}

/** In the format of v2, and the field name that differs in v1. */
export type PageAsk = ScrapeOptions & { jsonName?: 'extract' | undefined; agent?: unknown }

export type PageWish = Asked & {
  spec: Pick<CrawlSpec, 'page' | 'extraction' | 'browser' | 'plugins'>
  /** The same in the form of our own screens. */
  shown: PageOptions
}

const UNAVAILABLE: ReadonlySet<FormatName> = new Set(['rawBase64', 'branding', 'product', 'menu', 'audio', 'video'])
/** Options that would change the result but are not supported; others are ignored silently. */
const WITHOUT_EFFECT = [
  'agent',
  'onlyCleanContent',
  'redactPII',
  'threatProtection',
  'profile',
  'safeMode',
  'auditMetadata',
  'domainTools',
] as const
/** Longest fetch of one page. */
const MAX_FETCH_MS = 120_000
const USUAL_FETCH_MS = 30_000
const LOCALE = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/

/**
 * @param defaults    formats when the request names none
 * @param hasBrowser  whether pages can be rendered
 * @param model       the language model that the team may ask; null without one
 * @throws {Refused} for formats that need a language model when there is none, and for contradictions
 */
export function pageWish(
  options: PageAsk,
  {
    defaults = ['markdown'],
    hasBrowser,
    model,
    version,
  }: { defaults?: FormatName[] | undefined; hasBrowser: boolean; model: string | null; version: Asked['version'] },
): PageWish {
  const formats = (options.formats ?? defaults).map(asObject)
  const names = [...new Set(formats.map(({ type }) => type))]
  const question = modelQuestion(formats, { model, jsonName: options.jsonName })
  if (formats.filter(({ type }) => type === 'screenshot').length > 1) throw badRequest('At most one screenshot format may be asked for.')
  const tracked = formats.find(({ type }) => type === 'changeTracking')
  const attributes = formats.flatMap((format) => (format.type === 'attributes' ? (format.selectors ?? []) : []))
  if (names.includes('attributes') && attributes.length === 0) throw badRequest('The format attributes needs selectors.')
  checkWait(options)

  const { actions, warnings: ofActions } = actionsOf(listed(options.actions))
  const wants = (name: FormatName) => names.includes(name)
  const wait = options.waitFor ?? 0
  // The screenshot of a format comes last: it shows the page as it is read.
  const done = [...actions, ...formats.flatMap((format) => (format.type === 'screenshot' ? [shotOf(format)] : []))]
  const shown = pageOptions.parse({
    exclude_tags: options.excludeTags ?? [],
    include_tags: options.includeTags ?? [],
    ...(wait > 0 && { wait_time: wait }),
    include_html: wants('html'),
    only_main_content: options.onlyMainContent ?? true,
    include_links: wants('links'),
    timeout: Math.min(options.timeout ?? USUAL_FETCH_MS, MAX_FETCH_MS),
    locale: localeOf(options),
    extra_headers: options.headers ?? {},
    mobile: options.mobile,
    actions: done.filter(isShown).map(shownAction),
  })
  return {
    version,
    formats: names,
    warnings: [...ofActions, ...trackingWarnings(tracked, options, model), ...warningsOf(options, formats, hasBrowser)],
    ...(tracked !== undefined && { tracking: { diff: tracked.modes?.includes('git-diff') === true, tag: tracked.tag ?? null } }),
    ...(actions.length > 0 && { hasActions: true }),
    ...(question !== null && { model: question.fields }),
    shown,
    spec: {
      plugins: question === null ? [] : [question.plugin],
      page: { timeoutMs: shown.timeout, locale: shown.locale, ...(options.storeInCache === false && { isReusable: false }) },
      extraction: extractionOf(options, shown, { attributes, wants }),
      browser: browserOf(options, done, { acts: actions.length > 0, hasBrowser }),
    },
  }
}

/** How a page is read. The order of its fields is part of what stored copies are found by. */
function extractionOf(
  options: PageAsk,
  shown: PageOptions,
  { attributes, wants }: { attributes: NonNullable<FormatObject['selectors']>; wants: (name: FormatName) => boolean },
): CrawlSpec['extraction'] {
  const mostPdfPages = pdfParserOf(options)?.maxPages
  return {
    includeHtml: shown.include_html,
    includeLinks: shown.include_links,
    onlyMainContent: shown.only_main_content,
    articleFrame: true,
    includeTags: shown.include_tags,
    excludeTags: shown.exclude_tags,
    ...(shown.include_tags.length > 0 && { excludesInIncluded: true }),
    ...(wants('links') && { allLinks: true }),
    ...(wants('rawHtml') && { includeRawHtml: true }),
    ...(wants('images') && { includeImages: true }),
    ...(attributes.length > 0 && { attributes }),
    ...(wants('html') && { absoluteUrls: true }),
    ...(mostPdfPages !== undefined && { maxPdfPages: mostPdfPages }),
  }
}

/** @param done  all actions, with the screenshot of a format */
function browserOf(
  options: PageAsk,
  done: PageAction[],
  { acts, hasBrowser }: { acts: boolean; hasBrowser: boolean },
): NonNullable<CrawlSpec['browser']> {
  const wait = options.waitFor ?? 0
  const captures = done.flatMap(({ type }) => (type === 'screenshot' || type === 'pdf' ? [{ type }] : []))
  return {
    waitMs: wait > 0 ? wait : null,
    consentSelector: null,
    captures,
    ...((captures.length < done.length || done.some(isSpecialCapture)) && { actions: done }),
    // An empty list differs from an absent one: copies of a page with its advertisements are not mixed with others.
    ...(hasBrowser && { blocks: options.blockAds === false ? [] : ['ads' as const] }),
    ...(options.mobile === true && { viewport: 'mobile' as const }),
    // A caller that waits or acts wants the page after its scripts have run.
    ...(hasBrowser && (wait > 0 || acts || options.mobile === true) && { mode: 'always' as const }),
  }
}

type FormatObject = Exclude<Format, string>

const listed = (actions: ScrapeOptions['actions']) => (Array.isArray(actions) ? actions : [])

const isSpecialCapture = (action: PageAction) => (action.type === 'screenshot' || action.type === 'pdf') && Object.keys(action).length > 1

/** Our own API cannot scroll up, and captures no documents. */
const isShown = (action: PageAction) => (action.type === 'scroll' ? (action.pixels ?? 1) > 0 : action.type !== 'scrape')

/** An action with the fields that our own API has. */
function shownAction(action: PageAction): PageAction {
  if (action.type === 'screenshot' || action.type === 'pdf') return { type: action.type }
  if (action.type === 'click') return { type: 'click', selector: action.selector }
  return action.type === 'scroll' ? { type: 'scroll', pixels: action.pixels } : action
}

const asObject = (format: Format): FormatObject =>
  typeof format !== 'string' ? format : format === 'screenshot@fullPage' ? { type: 'screenshot', fullPage: true } : { type: format }

function checkWait({ timeout, waitFor = 0 }: ScrapeOptions): void {
  if (timeout !== undefined && waitFor * 2 > timeout) throw badRequest('waitFor may be at most half of timeout.')
}

/** Rejects invalid selectors. Takes turns: parsing one of 1,000 characters takes up to 1 ms. @throws {Refused} 400 */
export async function checkSelectors({ excludeTags, formats, includeTags }: PageAsk): Promise<void> {
  const attributes = (formats ?? []).flatMap((format) => (typeof format === 'string' ? [] : (format.selectors ?? [])))
  const lists = { includeTags, excludeTags, attributes: attributes.map(({ selector }) => selector) }
  for (const [name, selectors = []] of Object.entries(lists)) {
    const areValid = await mapInShortTurns(selectors, isSelector)
    const wrong = selectors[areValid.indexOf(false)]
    if (wrong !== undefined) throw badRequest(`${name}: this is not a CSS selector: ${wrong.slice(0, 100)}`)
  }
}

/** The first language that was asked for, else the one of the country. */
function localeOf({ location }: ScrapeOptions): string {
  const language = location?.languages?.[0] ?? localeOfCountry(location?.country ?? '')
  return language.length <= MAX_LOCALE && LOCALE.test(language) ? language : DEFAULT_LOCALE
}

/** `DE` → `de-DE`; empty for a country that is not known. */
function localeOfCountry(country: string): string {
  if (!/^[A-Za-z]{2}$/.test(country)) return ''
  const { language, region } = new Intl.Locale(`und-${country}`).maximize()
  return language === 'und' || region === undefined ? '' : `${language}-${region}`
}

function trackingWarnings(tracked: FormatObject | undefined, { headers }: ScrapeOptions, model: string | null): string[] {
  if (tracked === undefined) return []
  return [
    ...(tracked.modes?.includes('json') !== true
      ? []
      : !tracksData(tracked)
        ? ['The mode json of changeTracking needs a schema or a prompt.']
        : model === null
          ? ['The mode json of changeTracking needs a language model, which this server does not have.']
          : []),
    ...(Object.keys(headers ?? {}).length > 0 ? ['changeTracking does not compare pages that are fetched with headers.'] : []),
  ]
}

function warningsOf(options: PageAsk, formats: readonly FormatObject[], hasBrowser: boolean): string[] {
  const names = [...new Set(formats.map(({ type }) => type))]
  const unavailable = names.filter((name) => UNAVAILABLE.has(name)).map((name) => `The format ${name} is not available on this server.`)
  const ofBrowser = hasBrowser
    ? []
    : [
        ...(names.includes('screenshot') ? ['No browser is available on this server: there is no screenshot.'] : []),
        ...((options.waitFor ?? 0) > 0 ? ['No browser is available on this server: waitFor has no effect.'] : []),
        ...(listed(options.actions).length > 0 ? ['No browser is available on this server: none of the actions was done.'] : []),
        ...(options.mobile === true ? ['No browser is available on this server: mobile has no effect.'] : []),
      ]
  return [
    ...unavailable,
    ...(formats.some((format) => isAsked(format.checkPromptInjection)) ? ['checkPromptInjection has no effect on this server.'] : []),
    ...ofBrowser,
    ...(options.location?.country
      ? ['location.country does not change where pages are fetched from: that is this server, or its proxy.']
      : []),
    ...(options.proxy === 'stealth' || options.proxy === 'enhanced'
      ? [`proxy: ${options.proxy} has no effect: pages are fetched as usual, through the proxy of the team or the server if there is one.`]
      : []),
    ...(options.removeBase64Images === false ? ['removeBase64Images has no effect: images within a page are always left out.'] : []),
    ...parserWarnings(options),
    ...withoutEffect(options, WITHOUT_EFFECT),
  ]
}

/** A warning for each of these fields that the caller has set. */
export const withoutEffect = <Name extends string>(options: { [name in Name]?: unknown }, names: readonly Name[]): string[] =>
  names.filter((name) => isAsked(options[name])).map((name) => `${name} has no effect on this server.`)

const isAsked = (value: unknown) => value !== undefined && value !== null && value !== false
