/** The ports of the platform, opened once, for all features. */
import type { Log } from './config.ts'
import type { BaseUrl } from './http/base-url.ts'
import type { FileLinks } from './http/file-links.ts'
import type { RateLimits } from './http/rate-limits.ts'
import type { Database } from './platform/database/database.ts'
import type { Readers } from './platform/database/readers.ts'
import type { ShareOf } from './platform/database/share-of-team.ts'
import type { EventBus } from './platform/events/event-bus.ts'
import type { Outbox } from './platform/outbox.ts'
import type { Purpose } from './platform/secrets.ts'

export type Ports = {
  baseUrl: BaseUrl
  bus: EventBus
  database: Database
  /** Calls a function repeatedly, until the returned function is called. */
  every: (ms: number, call: () => void) => () => void
  /** Derives a key for each purpose from the installation's secret. */
  keyFor: (purpose: Purpose) => Buffer
  limits: RateLimits
  links: FileLinks
  log: Log
  newId: () => string
  now: () => number
  outbox: Outbox
  /** Long reads and downloads outside of the event loop. */
  readers: Readers
  /** Whose part of scarce resources a team uses. */
  shareOf: ShareOf
  /** A monotonic clock for durations: the wall clock may be set. */
  steady: () => number
  /** `log.warn` as a plain function. */
  warn: (facts: object, message: string) => void
}
