/** The format `changeTracking`: how a page differs from the team's previous copy of it. */
import { isDeepStrictEqual } from 'node:util'
import type { PageHistory } from '#backend/crawls/page-history.ts'
import type { Run } from '#backend/runs/run.ts'
import { lineDiff } from './line-diff.ts'
import type { LineDiff } from './line-diff.ts'
import { modelFieldsOf, trackedOf } from './model-question.ts'
import type { ModelFields } from './model-question.ts'
import type { PageChanges } from './page-changes.ts'
import type { Asked } from './scrape-spec.ts'

export type ChangeTracking = {
  previousScrapeAt: string | null
  changeStatus: 'new' | 'same' | 'changed' | 'removed'
  visibility: 'visible'
  diff?: LineDiff
  /** Fields whose values differ between the model's extractions from the two copies. */
  json?: Record<string, { previous: unknown; current: unknown }>
}

/** Compares a page with its earlier copy; null for a page without content, such as a server error. */
type Track = (page: { url: string; httpStatus: number }, document: Uint8Array) => Promise<ChangeTracking | null>

/** Null when the job did not ask for it, or sent its own headers: such pages are not compared. */
export async function trackOf(
  { history, changes }: { history: PageHistory; changes: Pick<PageChanges, 'lineDiff'> },
  run: Run,
  { model, tracking }: Asked,
): Promise<Track | null> {
  if (tracking === undefined) return null
  const find = await history.before(run, (options) => tracking.tag === null || tagOf(options) === tracking.tag)
  if (find === null) return null
  return async ({ httpStatus, url }, document) => {
    const isGone = httpStatus === 404 || httpStatus === 410
    if (httpStatus >= 400 && !isGone) return null
    const earlier = await find(url, (status) => status < 400)
    if (earlier === null) return { previousScrapeAt: null, changeStatus: 'new', visibility: 'visible' }
    const previousScrapeAt = new Date(earlier.at).toISOString()
    if (isGone) return { previousScrapeAt, changeStatus: 'removed', visibility: 'visible' }
    const [before, now] = [read(earlier.document), read(document)]
    if (before.markdown === now.markdown) return { previousScrapeAt, changeStatus: 'same', visibility: 'visible' }
    const diff = tracking.diff ? { diff: await changes.lineDiff(run.teamId, before.markdown, now.markdown) } : {}
    const json = changedFields(trackedOf(before.extraction, model), trackedOf(now.extraction, model))
    return { previousScrapeAt, changeStatus: 'changed', visibility: 'visible', ...diff, ...(json !== null && { json }) }
  }
}

/**
 * What a monitor shows of a page: the difference from its earlier copy, and the data that a language model read.
 *
 * @param before  null for a page that has not changed
 * @returns       the JSON text of `diff` and `snapshot`
 */
export function pageChange(before: Uint8Array | null, now: Uint8Array, model: ModelFields | undefined): string {
  const newer = read(now)
  const data = jsonOf(newer.extraction, model)
  const snapshot = data === undefined ? null : { json: data }
  if (before === null) return JSON.stringify({ diff: null, snapshot })
  const older = read(before)
  const lines = lineDiff(older.markdown, newer.markdown)
  const json = changedFields(jsonOf(older.extraction, model), data)
  return JSON.stringify({ diff: json === null ? lines : { text: lines.text, json }, snapshot })
}

/** What a language model read for the mode `json` of `changeTracking`, else for the format `json`. */
function jsonOf(extraction: unknown, model: ModelFields | undefined): unknown {
  return model === undefined ? undefined : (trackedOf(extraction, model) ?? modelFieldsOf(extraction, model)['json'])
}

/** Null unless the model has read both copies. */
function changedFields(before: unknown, now: unknown): ChangeTracking['json'] | null {
  if (!isObject(before) || !isObject(now)) return null
  const [older, newer] = [new Map(Object.entries(before)), new Map(Object.entries(now))]
  const names = [...new Set([...older.keys(), ...newer.keys()])].filter((name) => !isDeepStrictEqual(older.get(name), newer.get(name)))
  return Object.fromEntries(names.map((name) => [name, { previous: older.get(name) ?? null, current: newer.get(name) ?? null }]))
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const read = (document: Uint8Array) => JSON.parse(Buffer.from(document).toString()) as { markdown: string; extraction?: unknown }

const tagOf = ({ asked }: { asked?: unknown }) => (asked as Asked | undefined)?.tracking?.tag ?? null
