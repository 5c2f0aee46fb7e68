/** The operator's catalogue of plans: a JSON file, validated as a whole, so that one run reports all errors. */
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { FEATURE_ICONS, PLAN_GROUPS, UNLIMITED } from '#contract/plans.ts'
import type { PlanTable } from '#backend/platform/database/database.ts'

/** A plan of the file, ready for its row. */
export type PlanEntry = Omit<PlanTable, 'isDefault' | 'isActive' | 'features' | 'source' | 'createdAt' | 'updatedAt'> & {
  isDefault: boolean
  isActive: boolean
  features: object[]
}

/** The catalogue is invalid. The message has all errors, one per line. */
export class PlansFault extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.name = 'PlansFault'
  }
}

const MOST_CENTS = 100_000_000
const MOST_COUNT = 1_000_000_000
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const words = (max: number, min = 1) => {
  const error = `must be a text of ${min} to ${max} characters`
  return z.string({ error }).check(z.trim(), z.minLength(min, { error }), z.maxLength(max, { error }))
}
const flag = () => z.boolean({ error: 'must be true or false' })
const count = () => {
  const error = 'must be a whole number, or -1 for no limit'
  return z.int({ error }).check(z.minimum(UNLIMITED, { error }), z.maximum(MOST_COUNT, { error }))
}
const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.map((value) => JSON.stringify(value)).join(', ')}` })
/** An object that rejects unknown fields, which are typing errors. */
const exactly = <T extends Record<string, z.ZodMiniType>>(fields: T) =>
  z.strictObject(fields, {
    error: ({ code, ...issue }) =>
      code === 'unrecognized_keys' ? `has unknown fields: ${(issue as { keys?: string[] }).keys?.join(', ')}` : 'must be an object',
  })
/** Converts an amount such as "19", "19.00" or 19.5 euros to cents. */
const cents = () =>
  z.pipe(
    z
      .union([z.string(), z.number()], { error: 'must be an amount such as "19.00"' })
      .check(z.refine((amount) => /^\d{1,7}(?:\.\d{1,2})?$/.test(String(amount)), { error: 'must be an amount such as "19.00"' })),
    z.transform((amount) => Math.round(Number(amount) * 100)),
  )

const entry = exactly({
  uuid: z.pipe(
    z.string({ error: 'must be a UUID' }).check(z.refine((id) => UUID.test(id.toLowerCase()), { error: 'must be a UUID' })),
    z.transform((id) => id.toLowerCase()),
  ),
  name: words(100),
  label: z._default(z.nullable(words(40, 0)), null),
  group: oneOf(PLAN_GROUPS),
  description: z._default(words(1000, 0), ''),
  price: cents(),
  price_before_discount: z._default(z.nullable(cents()), null),
  number_of_users: count(),
  page_credit: count(),
  daily_page_credit: count(),
  crawl_max_depth: count(),
  crawl_max_limit: count(),
  max_concurrent_crawl: count(),
  is_default: z._default(flag(), false),
  is_active: z._default(flag(), true),
  stripe_price_id: z._default(z.nullable(words(255)), null),
  features: z._default(
    z
      .array(
        exactly({
          title: words(200),
          help_text: z._default(z.nullable(words(500, 0)), null),
          icon: z._default(z.nullable(oneOf(FEATURE_ICONS)), null),
        }),
        { error: 'must be a list' },
      )
      .check(z.maxLength(50, { error: 'must have 50 entries at most' })),
    [],
  ),
})
type Written = z.output<typeof entry>

/**
 * Reads the file of `PLANS_FILE`.
 *
 * @throws PlansFault  when it cannot be read, or is no valid catalogue
 */
export function readPlansFile(path: string): PlanEntry[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new PlansFault([`it cannot be read (${(error as NodeJS.ErrnoException).code})`])
  }
  let written: unknown
  try {
    // Editors of Windows write a byte order mark.
    written = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new PlansFault([`it is not JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`])
  }
  return readPlans(written)
}

/** Validates a catalogue, a list or `{ "plans": [...] }`. Throws `PlansFault`. */
export function readPlans(written: unknown): PlanEntry[] {
  const list = Array.isArray(written) ? (written as unknown[]) : (written as { plans?: unknown } | null)?.plans
  if (!Array.isArray(list)) throw new PlansFault(['it must be { "plans": [ … ] }'])
  const faults: string[] = []
  const entries: Written[] = []
  for (const [at, each] of (list as unknown[]).entries()) {
    const result = entry.safeParse(each)
    if (result.success) entries.push(result.data)
    else
      for (const { path, message } of result.error.issues)
        faults.push(`plan ${at + 1}${nameOf(each)}: ${[...path.map(String), message].join(' ')}`)
  }
  if (faults.length === 0) faults.push(...faultsBetween(entries))
  if (faults.length > 0) throw new PlansFault(faults)
  return entries.map(toEntry)
}

const nameOf = (each: unknown) => {
  const name = (each as { name?: unknown } | null)?.name
  return typeof name === 'string' ? ` (${name.slice(0, 60)})` : ''
}

/** Checks rules between plans, and between the fields of a plan. */
function faultsBetween(entries: readonly Written[]): string[] {
  const faults: string[] = []
  for (const { name, price, price_before_discount: before, is_default: isFree, stripe_price_id: priceId } of entries) {
    if (price > MOST_CENTS || (before ?? 0) > MOST_CENTS) faults.push(`plan ${name}: a price is more than a million`)
    if (isFree && price !== 0) faults.push(`plan ${name}: is_default is the free plan, but its price is not 0`)
    if (isFree && priceId !== null) faults.push(`plan ${name}: is_default is the free plan, which has no stripe_price_id`)
    if (!isFree && price === 0) faults.push(`plan ${name}: only the plan with is_default costs nothing`)
  }
  if (entries.filter(({ is_default: isFree }) => isFree).length > 1) faults.push('more than one plan has is_default')
  faults.push(...twice(entries.map(({ uuid }) => uuid)).map((id) => `two plans have the uuid ${id}`))
  const prices = entries.flatMap(({ stripe_price_id: id }) => (id === null ? [] : [id]))
  faults.push(...twice(prices).map((id) => `two plans have the stripe_price_id ${id}`))
  return faults
}

const twice = (values: readonly string[]) => [...new Set(values.filter((value, at) => values.indexOf(value) !== at))]

const toEntry = (written: Written, position: number): PlanEntry => ({
  id: written.uuid,
  name: written.name,
  label: written.label,
  planGroup: written.group,
  description: written.description,
  priceBeforeDiscount: written.price_before_discount,
  price: written.price,
  numberOfUsers: written.number_of_users,
  pageCredit: written.page_credit,
  dailyPageCredit: written.daily_page_credit,
  crawlMaxDepth: written.crawl_max_depth,
  crawlMaxLimit: written.crawl_max_limit,
  maxConcurrentCrawl: written.max_concurrent_crawl,
  isDefault: written.is_default,
  isActive: written.is_active,
  features: written.features,
  priceId: written.stripe_price_id,
  position,
})
