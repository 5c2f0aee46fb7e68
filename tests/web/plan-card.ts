import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { actOf, badgeOf, isRestricted, markOf, priceTexts } from '#web/team/plans/plan-card.ts'
import { groupLabel, groupsOf, plansOf, shownGroup } from '#web/team/plans/plan-groups.ts'

const card = suite('the card of a plan')

type Priced = Parameters<typeof priceTexts>[0]
const PRICES: [plan: Partial<Priced>, price: string, before: string | null, isBilledYearly: boolean, why: string][] = [
  [{ price: '182.40' }, '€15.20', null, true, 'a yearly price is divided by 12'],
  [{ price: '182.40', price_before_discount: '228.00' }, '€15.20', '€19.00', true, 'a yearly price before the discount is divided by 12'],
  [{ price: '100.00' }, '€8.33', null, true, 'a price is rounded to cents'],
  [{ price: '0.06' }, '€0.01', null, true, 'half a cent is rounded up'],
  [{ price: '100' }, '€8.33', null, true, 'whole euros without cents'],
  [{ price: '19000.00' }, '€1,583.33', null, true, 'thousands have a separator'],
  [{ price: '19.00', group: 'monthly' }, '€19.00', null, false, 'a monthly price stays as it is'],
  [
    { price: '19.00', price_before_discount: '24.00', group: 'monthly' },
    '€19.00',
    '€24.00',
    false,
    'a monthly price before the discount stays as it is',
  ],
  [{ price: '19', group: 'monthly' }, '€19.00', null, false, 'a price has two decimals'],
  [{ price: '0.00', is_default: true }, '€0.00', null, false, 'the free plan is never billed'],
  [
    { price: '19.00', price_before_discount: '', group: 'monthly' },
    '€19.00',
    null,
    false,
    'an empty price before the discount is not shown',
  ],
]
for (const [plan, price, before, isBilledYearly, why] of PRICES)
  card(`S-PLN-02 ${why}: ${plan.price} is ${price}`, () =>
    assert.equal(priceTexts({ price: '0', price_before_discount: null, group: 'yearly', is_default: false, ...plan }), {
      price,
      before,
      isBilledYearly,
    }),
  )

card('S-PLN-02 each feature has a check, a cross, an info sign, or a neutral sign', () => {
  const rows: [icon: string | null | undefined, mark: string][] = [
    ['check', 'check'],
    ['cross', 'cross'],
    ['info', 'info'],
    ['', 'neutral'],
    [null, 'neutral'],
    [undefined, 'neutral'],
    ['star', 'neutral'],
  ]
  for (const [icon, mark] of rows) assert.is(markOf(icon === undefined ? {} : { icon }), mark, String(icon))
})

card('S-PLN-04 a label is the badge, an empty one has the default text, and without a label there is none', () => {
  const rows: [label: string | null | undefined, badge: string | null][] = [
    ['Best value', 'Best value'],
    ['', 'Most popular'],
    ['  ', 'Most popular'],
    [null, null],
    [undefined, null],
  ]
  for (const [label, badge] of rows) assert.is(badgeOf(label === undefined ? {} : { label }), badge, String(label))
})

card('S-PLN-07 the free plan is restricted in a team that is known not to be a default team', () => {
  const rows: [isFree: boolean, team: { is_default: boolean } | undefined, restricted: boolean][] = [
    [true, { is_default: false }, true],
    [true, { is_default: true }, false],
    [true, undefined, false],
    [false, { is_default: false }, false],
  ]
  for (const [isFree, team, restricted] of rows) assert.is(isRestricted({ is_default: isFree }, team), restricted)
})

card('the current plan is found by its id and can be managed, every other plan can be activated', () => {
  assert.is(actOf({ uuid: 'a', is_default: false }, 'a'), 'manage')
  assert.is(actOf({ uuid: 'a', is_default: true }, 'a'), 'manage')
  assert.is(actOf({ uuid: 'a', is_default: false }, 'b'), 'activate')
  assert.is(actOf({ uuid: 'a', is_default: true }, null), 'activate-free')
})

const groups = suite('groups of plans')

const FREE = { name: 'Free', group: 'monthly', is_default: true } as const
const MONTHLY = { name: 'Small', group: 'monthly', is_default: false } as const
const YEARLY = { name: 'Small by the year', group: 'yearly', is_default: false } as const
const LARGE = { name: 'Large by the year', group: 'yearly', is_default: false } as const

groups('S-PLN-03 the yearly group comes first; the free plan has no group of its own', () => {
  assert.equal(groupsOf([FREE, MONTHLY, YEARLY, LARGE]), ['yearly', 'monthly'])
  assert.equal(groupsOf([FREE, YEARLY]), ['yearly'])
  assert.equal(groupsOf([MONTHLY, FREE]), ['monthly'])
  assert.equal(groupsOf([FREE]), ['monthly'])
  assert.equal(groupsOf([]), [])
})

groups('S-PLN-03 the yearly group is shown until another is chosen, or the first group if there is no yearly one', () => {
  assert.is(shownGroup(['yearly', 'monthly'], null), 'yearly')
  assert.is(shownGroup(['yearly', 'monthly'], 'monthly'), 'monthly')
  assert.is(shownGroup(['monthly'], null), 'monthly')
  assert.is(shownGroup(['monthly'], 'yearly'), 'monthly')
  assert.is(shownGroup([], null), undefined)
})

groups('S-PLN-03 the free plan is in every group, at its place in the list', () => {
  const plans = [FREE, MONTHLY, YEARLY, LARGE]
  assert.equal(plansOf(plans, 'yearly'), [FREE, YEARLY, LARGE])
  assert.equal(plansOf(plans, 'monthly'), [FREE, MONTHLY])
  assert.equal(plansOf([YEARLY, FREE], 'yearly'), [YEARLY, FREE])
})

groups('a group has the name of its billing period, or the name of the period itself', () =>
  assert.equal([groupLabel('yearly'), groupLabel('quarterly')], ['Yearly', 'Quarterly']),
)

card.run()
groups.run()
