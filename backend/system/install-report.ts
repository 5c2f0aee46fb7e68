/** Tells the operator's receiver, once, on which kind of machine this installation runs: only when the administrator agreed to it. */
import { arch, cpus, release, type, version } from 'node:os'
import type { Database } from '#backend/platform/database/database.ts'

/** What the install screen lists, and nothing else: no address, no name, no person. */
export type SystemInformation = {
  os_name: string
  os_version: string
  architecture: string
  kernel_version: string
  cpu_model: string
}

/** A receiver that is down is asked again after this time. */
const AGAIN_MS = 60 * 60_000
const TIMEOUT_MS = 10_000
const MOST_BYTES = 64 * 1024
const INSTALLATION = 'installation_id'
const REPORTED = 'installation_reported'

/**
 * Looks now and every hour until the report has arrived.
 *
 * @param agreement  name of the setting that says `true` when the administrator agreed
 * @param send       asks the receiver; resolves with whether it took the report
 */
export function createInstallReport({
  agreement,
  database,
  every,
  newId,
  send,
  system = systemInformation,
  version: product,
}: ReportNeeds) {
  let inHand: Promise<void> | null = null
  let isDone = false
  const stop = every(AGAIN_MS, () => void look())
  void look()
  return { look, close }

  /** Sends what there is to send. Never rejects: a report is not worth a fault. */
  function look(): Promise<void> {
    if (isDone) return Promise.resolve()
    inHand ??= report()
      .catch(() => undefined)
      .finally(() => (inHand = null))
    return inHand
  }

  async function report(): Promise<void> {
    const rows = await database.selectFrom('setting').selectAll().where('name', 'in', [agreement, INSTALLATION, REPORTED]).execute()
    const known = new Map(rows.map(({ name, value }) => [name, value]))
    // Not installed yet: the administrator has still to answer.
    if (!known.has(agreement)) return
    isDone = known.get(agreement) !== 'true' || known.has(REPORTED)
    if (isDone) return
    const id = known.get(INSTALLATION) ?? newId()
    await keep(INSTALLATION, id)
    isDone = await send(JSON.stringify({ installation_id: id, version: product, ...system() }))
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
    await inHand
  }
}

/** Makes the call of `send` to a receiver: any answer of the 200s is a yes. */
export function sendReportTo(url: string, ask: AskReceiver): (body: string) => Promise<boolean> {
  return async (body) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await ask({ url, method: 'POST', headers, body, timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES })
    return answer.kind === 'answer' && answer.status >= 200 && answer.status < 300
  }
}

export function systemInformation(): SystemInformation {
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
  system?: () => SystemInformation
  /** Of the product. */
  version: string
}
