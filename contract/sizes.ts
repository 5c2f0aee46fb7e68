/** Limits of a request: bytes, number of values and nesting of each body, and the lengths of paths, parameters and headers. */

/**
 * `bytes` on the wire · `values` JSON values, each text, number, word, list and object counting as one · `depth` lists and objects inside
 * one another, 1 for a flat object.
 */
export type BodySize = { bytes: number; values: number; depth: number }

const KIB = 1024

/** Characters of one URL. */
export const MAX_URL_LENGTH = 2048
/** URLs of one batch. */
export const MAX_BATCH_URLS = 1000
/** Runs that one call deletes; their ids fit into `MAX_TARGET_LENGTH`. */
export const MAX_DELETED_AT_ONCE = 100
/** All options of a crawl, search or sitemap together, written as compact JSON in UTF-8. */
export const MAX_OPTIONS_BYTES = 64 * KIB
/** Extra headers of a crawl, and characters of each value. */
export const MAX_EXTRA_HEADERS = 64
export const MAX_HEADER_VALUE = 8 * KIB
/** Webhook endpoints of a team, further headers of each, and characters of a header's value. */
export const MAX_WEBHOOKS = 20
export const MAX_WEBHOOK_HEADERS = 16
export const MAX_WEBHOOK_HEADER_VALUE = 1024
/** Teams that a user may own: their list is sent whole. */
export const MAX_OWN_TEAMS = 500
/** Deliveries that one call sends again. */
export const MAX_REPLAYED_AT_ONCE = 1000
/** Characters of a pattern or CSS selector, and patterns of one list. */
export const MAX_PATTERN = 1024
export const MAX_PATTERNS = 1000
/** CSS selectors of one list: each is matched against every page. */
export const MAX_SELECTORS = 200
/** Characters of a preset's name, and presets of a team. */
export const MAX_PRESET_NAME = 100
export const MAX_PRESETS = 100
/** Schedules of a team, characters of a name and of a cron expression, and minutes between two crawls of one schedule. */
export const MAX_SCHEDULES = 100
export const MAX_SCHEDULE_NAME = 100
export const MAX_CRON = 100
export const MIN_SCHEDULE_MINUTES = 15
/** Characters of an `Idempotency-Key`. */
export const MAX_IDEMPOTENCY_KEY = 255
/** Characters of path and query together; a filter by a URL of full length fits, percent-encoded. */
export const MAX_TARGET_LENGTH = 8 * KIB
/** Characters of one parameter of a path: signed links and tokens are long. */
export const MAX_PARAM_LENGTH = 2048

/** Forms: names, passwords, tokens. Every body whose endpoint declares no other size. */
export const FORM_BODY: BodySize = { bytes: 16 * KIB, values: 256, depth: 8 }
/** One URL or query with options. Escapes and indentation may make the body several times larger than the compact options. */
export const OPTIONS_BODY: BodySize = { bytes: 256 * KIB, values: 10_000, depth: 64 }
/** Options and a whole batch of URLs. */
export const BATCH_BODY: BodySize = {
  bytes: MAX_BATCH_URLS * (MAX_URL_LENGTH + 16) + OPTIONS_BODY.bytes,
  values: MAX_BATCH_URLS * 4 + OPTIONS_BODY.values,
  depth: OPTIONS_BODY.depth,
}
/** A file with options beside it. */
export const UPLOAD_BODY: BodySize = { ...OPTIONS_BODY, bytes: 50 * 1024 * KIB }
/** Events of the payment provider. */
export const EVENT_BODY: BodySize = { bytes: 1024 * KIB, values: 50_000, depth: 64 }

/** The limits of this endpoint's body. If it expects none, a body up to the size of a form is read and ignored. */
export const bodySizeOf = ({ size }: { size?: BodySize }): BodySize => size ?? FORM_BODY
