/** The schedules of the mock backend: they are stored, but start no crawls by themselves. */
import { Cron } from 'croner'
import { MAX_SCHEDULES } from '#contract/sizes.ts'
import type { Answer } from './mock-backend.ts'
import { AT, MOCK_CRAWL, crawl, page } from './mock-work.ts'

const SCHEDULES = '/api/v1/core/crawl-schedules'
const PREVIEWED = 5

type Times = { cron: string; timezone: string }
type Stored = Times & { uuid: string; is_active: boolean; last_crawl: object | null; [field: string]: unknown }
type Body = { [field: string]: unknown; cron?: string; timezone?: string; is_active?: boolean; crawl?: string }

/** Answers the calls of schedules; undefined for all others. `route` is method and path, without the last slash. */
export function mockSchedules() {
  let stored: Stored[] = []
  return function answer(route: string, query: URLSearchParams, json: () => object): Answer | undefined {
    const body = () => json() as Body
    if (route === `GET ${SCHEDULES}`) return { json: pageOf(stored, query) }
    if (route === `POST ${SCHEDULES}/preview`) return previewed(body())
    if (route === `POST ${SCHEDULES}`) return created(body())
    const [, method = '', id = '', isRun] = /^(\w+) \/api\/v1\/core\/crawl-schedules\/([^/]+)(\/run)?$/.exec(route) ?? []
    const found = stored.find(({ uuid }) => uuid === id)
    if (found === undefined) return undefined
    if (method === 'POST' && isRun) {
      const started = crawl({ status: 'new', number_of_documents: 0, duration: null, reason: null, sitemap: null })
      const { created_at, number_of_documents, status, uuid } = started
      found.last_crawl = { uuid, status, created_at, number_of_documents }
      return { status: 201, json: started }
    }
    if (method === 'GET') return { json: found }
    if (method === 'DELETE') {
      stored = stored.filter((one) => one !== found)
      return { status: 204 }
    }
    return method === 'PATCH' ? changed(found, body()) : undefined
  }

  function created({ crawl: repeated, is_active: isActive = true, ...fields }: Body): Answer {
    if (repeated !== MOCK_CRAWL) return refusal({ crawl: ['Not found.'] })
    if (stored.length >= MAX_SCHEDULES) return refusal({ non_field_errors: [`A team has at most ${MAX_SCHEDULES} schedules.`] })
    const times = timesOf(fields)
    if ('errors' in times) return refusal(times.errors)
    const { crawl_type, url, urls } = crawl()
    const made: Stored = {
      uuid: MOCK_CRAWL.replace(/c1$/, String(10 + stored.length)),
      crawl_type,
      url,
      number_of_urls: urls.length,
      mail_changes: false,
      last_crawl: null,
      last_problem: null,
      created_at: AT,
      updated_at: AT,
      ...fields,
      cron: times.cron,
      timezone: times.timezone,
      is_active: isActive,
      next_crawl_at: isActive ? times.next[0] : null,
    }
    stored.push(made)
    return { status: 201, json: made }
  }

  function changed(schedule: Stored, changes: Body): Answer {
    const times = timesOf({ cron: schedule.cron, timezone: schedule.timezone, ...changes })
    if ('errors' in times) return refusal(times.errors)
    for (const field of ['name', 'cron', 'timezone', 'is_active', 'mail_changes'])
      if (changes[field] !== undefined) schedule[field] = changes[field]
    schedule['next_crawl_at'] = schedule.is_active ? times.next[0] : null
    return { json: schedule }
  }
}

function previewed(body: Body): Answer {
  const times = timesOf(body)
  return 'errors' in times ? refusal(times.errors) : { json: { next: times.next } }
}

/** The next times, or which field is wrong. */
function timesOf({ cron = '', timezone = 'UTC' }: Body): (Times & { next: string[] }) | { errors: object } {
  try {
    Intl.DateTimeFormat('en', { timeZone: timezone })
  } catch {
    return { errors: { timezone: ['Unknown time zone.'] } }
  }
  try {
    const next = new Cron(cron, { timezone, mode: '5-part', paused: true }).nextRuns(PREVIEWED)
    return { cron, timezone, next: next.map((at) => at.toISOString()) }
  } catch {
    return { errors: { cron: ['Enter a valid cron expression with five fields.'] } }
  }
}

function pageOf(stored: readonly Stored[], query: URLSearchParams) {
  const size = Number(query.get('page_size') ?? stored.length)
  const first = (Number(query.get('page') ?? 1) - 1) * size
  return { ...page(stored.slice(first, first + size)), count: stored.length }
}

const refusal = (errors: object): Answer => ({ status: 400, json: { code: 400, errors, message: 'Invalid input data.' } })
