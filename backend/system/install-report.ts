/** Sends a report, once, about the kind of machine this installation runs on: only with the administrator's agreement. */
import { arch, cpus, release, type, version } from 'node:os'
import type { Database } from '#backend/platform/database/database.ts'

/** Exactly what the install screen lists: no address, no name, no person. */
type SystemInformation = {
  os_name: string
  os_version: string
  architecture: string
  kernel_version: string
  cpu_model: string
}

/** After this time a receiver that is down is tried again. */
const AGAIN_MS = 60 * 60_000
const TIMEOUT_MS = 10_000
const MOST_BYTES = 64 * 1024
const INSTALLATION = 'installation_id'
const REPORTED = 'installation_reported'

/**
 * Tries now and every hour until the report has arrived.
 *
 * @param agreement  name of the setting that is `true` when the administrator agreed
 * @param send       sends the report; resolves to whether the receiver accepted it
 */
export function createInstallReport({ agreement, database, every, newId, send, version: product }: ReportNeeds) {
  let inProgress: Promise<void> | null = null
  let isDone = false
  const stop = every(AGAIN_MS, () => void look())
  void look()
  return { look, close }

  /** Sends the report if it is due. Never rejects: a report is not worth an error. */
  function look(): Promise<void> {
    if (isDone) return Promise.resolve()
    inProgress ??= report()
      .catch(() => undefined)
      .finally(() => (inProgress = null))
    return inProgress
  }

  async function report(): Promise<void> {
    const rows = await database.selectFrom('setting').selectAll().where('name', 'in', [agreement, INSTALLATION, REPORTED]).execute()
    const known = new Map(rows.map(({ name, value }) => [name, value]))
    // Not installed yet: the administrator has not answered.
    if (!known.has(agreement)) return
    isDone = known.get(agreement) !== 'true' || known.has(REPORTED)
    if (isDone) return
    const id = known.get(INSTALLATION) ?? newId()
    await keep(INSTALLATION, id)
    isDone = await send(JSON.stringify({ installation_id: id, version: product, ...systemInformation() }))
    if (isDone) await keep(REPORTED, 'true')
  }

  async function keep(name: string, value: string) {
    await database
      .insertInto('setting')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
  }

  async function close() {
    stop()
    isDone = true
    await inProgress
  }
}

/** Creates the `send` for a receiver: any status 2xx counts as accepted. */
export function sendReportTo(url: string, ask: AskReceiver): (body: string) => Promise<boolean> {
  return async (body) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await ask({ url, method: 'POST', headers, body, timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES })
    return answer.kind === 'answer' && answer.status >= 200 && answer.status < 300
  }
}

function systemInformation(): SystemInformation {
  return { os_name: type(), os_version: version(), architecture: arch(), kernel_version: release(), cpu_model: cpus()[0]?.model ?? '' }
}

type ReportRequest = { url: string; method: 'POST'; headers: Record<string, string>; body: string; timeoutMs: number; maxBytes: number }
type AskReceiver = (request: ReportRequest) => Promise<{ kind: 'answer'; status: number } | { kind: 'failure' }>

type ReportNeeds = {
  agreement: string
  database: Database
  every: (ms: number, call: () => void) => () => void
  newId: () => string
  send: (body: string) => Promise<boolean>
  /** Of the product. */
  version: string
}
