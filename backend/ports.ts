/** The ports of the platform, opened once; every feature may use them. */
import type { Log } from './config.ts'
import type { BaseUrl } from './http/base-url.ts'
import type { FileLinks } from './http/file-links.ts'
import type { RateLimits } from './http/rate-limits.ts'
import type { Database } from './platform/database/database.ts'
import type { Readers } from './platform/database/readers.ts'
import type { EventBus } from './platform/events/event-bus.ts'
import type { Outbox } from './platform/outbox.ts'
import type { Purpose } from './platform/secrets.ts'

export type Ports = {
  baseUrl: BaseUrl
  bus: EventBus
  database: Database
  /** Calls again and again, until the returned function is called. */
  every: (ms: number, call: () => void) => () => void
  /** A key of its own for each purpose, from the one secret of the installation. */
  keyFor: (purpose: Purpose) => Buffer
  limits: RateLimits
  links: FileLinks
  log: Log
  newId: () => string
  now: () => number
  outbox: Outbox
  /** Long reads and downloads, beside the event loop. */
  readers: Readers
  /** For what is only measured: the clock of the day may be set. */
  steady: () => number
  /** `log.warn`, for those that take a function. */
  warn: (facts: object, message: string) => void
}
