import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RunKind } from '#contract/runs.ts'
import { dayStart, freePeriodStart, left, refusalOf } from '#backend/plans/credit-rules.ts'
import type { Allowance, Wanted } from '#backend/plans/credit-rules.ts'

const rules = suite('what a plan allows a team to start')

const ALLOWANCE: Allowance = { isFree: false, periodLeft: 100, dailyLeft: 50, maxDepth: 3, maxPages: 40, maxConcurrent: 2 }
const UNLIMITED: Allowance = { isFree: false, periodLeft: -1, dailyLeft: -1, maxDepth: -1, maxPages: -1, maxConcurrent: -1 }
const SMALL_CRAWL: Wanted = { kind: 'crawl', credits: 10, maxDepth: 1 }

type Case = [wanted: Partial<Wanted>, allowance: Partial<Allowance> | null, active: number, expected: string | null, why: string]

const CASES: Case[] = [
  [{}, {}, 0, null, 'within all limits'],
  [{}, null, 0, 'This team has no active plan.', 'no plan'],
  [{}, { periodLeft: 0 }, 0, 'All page credits of this billing period are used.', 'no credits left in the period'],
  [{}, { periodLeft: 9 }, 0, 'Only 9 page credits remain in this billing period. Lower page_limit.', 'one credit too many in the period'],
  [{}, { periodLeft: 1 }, 0, 'Only 1 page credit remains in this billing period. Lower page_limit.', 'one credit left in the period'],
  [{}, { periodLeft: 10 }, 0, null, 'exactly the credits left in the period'],
  [{}, { dailyLeft: 0 }, 0, "Today's page credits are used up.", 'no credits left today'],
  [{}, { dailyLeft: 9 }, 0, 'Only 9 page credits remain for today. Lower page_limit.', 'one credit too many today'],
  [{}, { dailyLeft: 1 }, 0, 'Only 1 page credit remains for today. Lower page_limit.', 'one credit left today'],
  [{}, { dailyLeft: 10 }, 0, null, 'exactly the credits left today'],
  [
    {},
    { periodLeft: -1, dailyLeft: 9 },
    0,
    'Only 9 page credits remain for today. Lower page_limit.',
    'an unlimited period with a daily limit',
  ],
  [{}, { periodLeft: 0, dailyLeft: 0 }, 0, 'All page credits of this billing period are used.', 'the period is reported before the day'],
  [{ proxyCategory: 'premium' }, {}, 0, null, 'a premium proxy on a paid plan'],
  [{ proxyCategory: 'premium' }, { isFree: true }, 0, 'Premium proxies need a paid plan.', 'a premium proxy on the free plan'],
  [{ proxyCategory: 'general' }, { isFree: true }, 0, null, 'a general proxy on the free plan'],
  [{ proxyCategory: 'team' }, { isFree: true }, 0, null, 'a team proxy on the free plan'],
  [
    { maxDepth: undefined },
    { periodLeft: 9 },
    0,
    'Only 9 page credits remain in this billing period. Send fewer URLs.',
    'a batch has no page_limit that its caller could lower',
  ],
  [{ maxDepth: undefined }, { dailyLeft: 1 }, 0, 'Only 1 page credit remains for today. Send fewer URLs.', 'a batch today'],
  [{ maxDepth: undefined, credits: 41 }, {}, 0, 'A batch may have at most 40 URLs on this plan.', 'a batch above the limit'],
  [
    { maxDepth: undefined, credits: 2 },
    { maxPages: 1 },
    0,
    'A batch may have at most 1 URL on this plan.',
    'a batch on a plan of one page',
  ],
  [{ maxDepth: 4 }, {}, 0, 'max_depth may be at most 3 on this plan.', 'max_depth above the limit'],
  [{ maxDepth: 3 }, {}, 0, null, 'max_depth at the limit'],
  [{ maxDepth: 1 }, { maxDepth: 0 }, 0, 'max_depth may be at most 0 on this plan.', 'a max_depth limit of 0'],
  [{ credits: 41 }, {}, 0, 'page_limit may be at most 40 on this plan.', 'page_limit above the limit'],
  [{ credits: 40 }, {}, 0, null, 'page_limit at the limit'],
  [{}, {}, 2, 'At most 2 crawls may run at once on this plan. Try again when one has ended.', 'too many concurrent crawls'],
  [
    {},
    { maxConcurrent: 1 },
    1,
    'At most 1 crawl may run at once on this plan. Try again when it has ended.',
    'a second crawl beside the only one',
  ],
  [{}, {}, 1, null, 'the last concurrent crawl'],
  [{ credits: 10_000, maxDepth: 99, proxyCategory: 'premium' }, UNLIMITED, 10_000, null, 'a plan without limits'],
  [
    { credits: 60, maxDepth: 9, proxyCategory: 'premium' },
    { isFree: true },
    5,
    'Only 50 page credits remain for today. Lower page_limit.',
    'the credits are reported first',
  ],
  [
    { credits: 45, maxDepth: 9, proxyCategory: 'premium' },
    { isFree: true },
    5,
    'Premium proxies need a paid plan.',
    'the proxy is reported before the depth',
  ],
  [{ credits: 45, maxDepth: 9 }, {}, 5, 'max_depth may be at most 3 on this plan.', 'the depth is reported before the pages'],
  [{ credits: 45 }, {}, 5, 'page_limit may be at most 40 on this plan.', 'the pages are reported before the concurrent crawls'],
]

rules('each limit has its message, and the first exceeded limit is reported', () => {
  for (const [wanted, allowance, active, expected, why] of CASES)
    assert.is(refusalOf({ ...SMALL_CRAWL, ...wanted }, allowance && { ...ALLOWANCE, ...allowance }, active), expected, why)
})

const OTHERS: [kind: RunKind, allowance: Partial<Allowance>, active: number, expected: string | null][] = [
  ['search', {}, 0, null],
  ['search', { periodLeft: 0 }, 0, 'All page credits of this billing period are used.'],
  ['search', { periodLeft: 3 }, 0, 'This search needs 4 credits, 3 remain in this billing period.'],
  ['search', { dailyLeft: 0 }, 0, "Today's credits are used up."],
  ['search', { dailyLeft: 3 }, 0, 'This search needs 4 credits, 3 remain for today.'],
  ['search', { dailyLeft: 1 }, 0, 'This search needs 4 credits, 1 remains for today.'],
  ['search', {}, 2, 'At most 2 searches may run at once on this plan. Try again when one has ended.'],
  ['search', { maxPages: 1 }, 0, null],
  ['sitemap', { periodLeft: 3 }, 0, 'This sitemap needs 4 credits, 3 remain in this billing period.'],
  ['sitemap', { dailyLeft: 3 }, 0, 'This sitemap needs 4 credits, 3 remain for today.'],
  ['sitemap', {}, 2, 'At most 2 sitemaps may run at once on this plan. Try again when one has ended.'],
  ['sitemap', { maxPages: 1 }, 0, null],
]

rules('searches and sitemaps have messages of their own, and no page limit', () => {
  for (const [kind, allowance, active, expected] of OTHERS)
    assert.is(refusalOf({ kind, credits: 4 }, { ...ALLOWANCE, ...allowance }, active), expected, `${kind} ${JSON.stringify(allowance)}`)
})

rules('a sitemap through a premium proxy needs a paid plan', () => {
  const sitemap = { kind: 'sitemap', credits: 4, proxyCategory: 'premium' } as const
  assert.is(refusalOf(sitemap, { ...ALLOWANCE, isFree: true }, 0), 'Premium proxies need a paid plan.')
  assert.is(refusalOf(sitemap, ALLOWANCE, 0), null)
})

rules('T33 remaining credits are never negative', () => {
  assert.equal([left(10, 4), left(10, 10), left(10, 11), left(-1, 11), left(0, 0)], [6, 0, 0, -1, 0])
})

rules('a day begins at midnight UTC', () => {
  assert.is(dayStart(Date.parse('2026-03-04T00:00:00Z')), Date.parse('2026-03-04T00:00:00Z'))
  assert.is(dayStart(Date.parse('2026-03-04T23:59:59.999Z')), Date.parse('2026-03-04T00:00:00Z'))
})

rules('a plan that is not billed has periods that begin on the day of its start', () => {
  const cases: [start: string, at: string, group: string, expected: string][] = [
    ['2026-01-31T10:00:00Z', '2026-02-28T09:59:59Z', 'monthly', '2026-01-31T10:00:00Z'],
    ['2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z', 'monthly', '2026-02-28T10:00:00Z'],
    ['2026-01-31T10:00:00Z', '2026-03-31T09:00:00Z', 'monthly', '2026-02-28T10:00:00Z'],
    ['2026-01-31T10:00:00Z', '2026-03-31T10:00:00Z', 'monthly', '2026-03-31T10:00:00Z'],
    ['2025-12-15T00:00:00Z', '2026-01-14T23:59:59Z', 'monthly', '2025-12-15T00:00:00Z'],
    ['2025-12-15T00:00:00Z', '2026-12-14T00:00:00Z', 'yearly', '2025-12-15T00:00:00Z'],
    ['2025-12-15T00:00:00Z', '2026-12-15T00:00:00Z', 'yearly', '2026-12-15T00:00:00Z'],
    ['2024-02-29T00:00:00Z', '2025-02-28T00:00:00Z', 'yearly', '2025-02-28T00:00:00Z'],
    ['2026-03-04T00:00:00Z', '2026-03-01T00:00:00Z', 'monthly', '2026-03-04T00:00:00Z'],
  ]
  for (const [start, at, group, expected] of cases)
    assert.is(
      new Date(freePeriodStart(Date.parse(start), Date.parse(at), group)).toISOString(),
      new Date(expected).toISOString(),
      `${start} at ${at}`,
    )
})

rules('a day has 24 hours in every time zone', () => {
  const day = Date.parse('2026-03-05T00:00:00Z')
  for (const at of [day, day + 1, day + 43_200_000, day + 86_399_999]) assert.is(dayStart(at), day)
  assert.is(dayStart(day - 1), day - 86_400_000)
})

rules('periods are calculated correctly over many years', () => {
  const begun = (start: string, at: string, group: string) =>
    new Date(freePeriodStart(Date.parse(start), Date.parse(at), group)).toISOString()
  assert.is(begun('2020-05-31T08:00:00Z', '2026-04-30T07:00:00Z', 'monthly'), '2026-03-31T08:00:00.000Z')
  assert.is(begun('2020-05-31T08:00:00Z', '2026-04-30T08:00:00Z', 'monthly'), '2026-04-30T08:00:00.000Z')
  assert.is(begun('2020-11-30T08:00:00Z', '2026-02-10T08:00:00Z', 'monthly'), '2026-01-30T08:00:00.000Z')
  assert.is(begun('2020-05-31T08:00:00Z', '2026-05-30T08:00:00Z', 'yearly'), '2025-05-31T08:00:00.000Z')
})

rules.run()
