/** One plan: its price, its features, and the button to choose it. */
import type { Plan } from '#contract/plans.ts'
import { PATHS } from '#web/navigation.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { AlertIcon, CheckIcon, CircleIcon, CloseIcon, InfoIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import { HelpTip } from '#web/ui/feedback/tooltip.tsx'
import * as t from '#texts/plans.ts'
import { RESTRICTION, badgeOf, markOf, priceTexts } from './plan-card.ts'
import type { FeatureMark, PlanAct } from './plan-card.ts'

export type PlanCardProps = {
  plan: Plan
  act: PlanAct
  /** The free plan outside a default team: dimmed, with the notice instead of button and features. */
  restricted: boolean
  /** Level of its heading. */
  level: 2 | 3
  busy: boolean
  /** Another plan is being activated. */
  disabled: boolean
  onActivate: () => void
}

export function PlanCard({ plan, act, restricted, level, busy, disabled, onActivate }: PlanCardProps) {
  const badge = badgeOf(plan)
  const Heading = level === 2 ? 'h2' : 'h3'
  const { price, before, isBilledYearly } = priceTexts(plan)
  return (
    <article
      aria-label={plan.name}
      className={cx(
        'relative flex min-w-0 flex-col gap-4 rounded-card border bg-surface p-5 text-ink',
        badge === null ? 'border-line' : 'border-accent ring-1 ring-accent',
      )}
    >
      {badge !== null && (
        <span className="absolute -top-3 left-5 inline-flex h-6 max-w-[calc(100%-40px)] items-center rounded-full bg-accent px-2.5 text-label font-medium text-on-accent">
          <span className="truncate">{badge}</span>
        </span>
      )}
      <div
        role="group"
        aria-label={t.priceOf(plan.name)}
        aria-disabled={restricted || undefined}
        className={cx('grid gap-4', restricted && 'opacity-45 grayscale')}
      >
        <div className="grid min-h-17 content-start gap-0.5 max-sm:min-h-0">
          <Heading className="text-section font-semibold break-words">{plan.name}</Heading>
          <p className="text-table break-words text-soft">{plan.description}</p>
        </div>
        <div className="grid min-h-16 content-start gap-0.5 max-sm:min-h-0">
          <p className="flex flex-wrap items-baseline gap-x-1.5">
            <b className="num text-live font-semibold">{price}</b>
            <span className="text-soft">{t.month}</span>
          </p>
          <PriceLine before={before} words={plan.is_default ? t.noCreditCardRequired : isBilledYearly ? t.billedYearly : ''} />
        </div>
      </div>
      {restricted ? (
        <Restriction />
      ) : (
        <>
          <PlanButton act={act} isHighlighted={badge !== null} busy={busy} disabled={disabled} onActivate={onActivate} />
          <Features of={plan} />
        </>
      )}
    </article>
  )
}

/** The line below the price: the price before the discount, and a remark. */
function PriceLine({ before, words }: { before: string | null; words: string }) {
  return (
    <p className="num text-table text-soft">
      {before !== null && (
        <>
          <span className="sr-only">{t.before} </span>
          <s className="text-faint">{before}</s>
        </>
      )}
      {before !== null && words !== '' && <span aria-hidden="true"> · </span>}
      {words && <span>{words}</span>}
    </p>
  )
}

function PlanButton({
  act,
  isHighlighted,
  busy,
  disabled,
  onActivate,
}: {
  act: PlanAct
  isHighlighted: boolean
  busy: boolean
  disabled: boolean
  onActivate: () => void
}) {
  if (act === 'manage')
    return (
      <ButtonLink block icon={CheckIcon} href={`${PATHS.settings}#billing`}>
        {t.manageSubscription}
      </ButtonLink>
    )
  return (
    <Button block look={isHighlighted ? 'primary' : 'plain'} busy={busy} busyLabel={t.activating} disabled={disabled} onClick={onActivate}>
      {WORDS[act]}
    </Button>
  )
}

const WORDS = { 'activate-free': t.activateFreePlan, activate: t.activatePlan }

const MARKS: Record<FeatureMark, { icon: Icon; look: string; words: string }> = {
  check: { icon: CheckIcon, look: 'text-success', words: t.included },
  cross: { icon: CloseIcon, look: 'text-faint', words: t.notIncluded },
  info: { icon: InfoIcon, look: 'text-info', words: t.note },
  neutral: { icon: CircleIcon, look: 'text-faint scale-50', words: '' },
}

function Features({ of: { features, name } }: { of: Pick<Plan, 'features' | 'name'> }) {
  return (
    <ul aria-label={t.featuresOf(name)} className="grid content-start gap-2 text-table">
      {features.map((feature, index) => {
        const mark = markOf(feature)
        const { icon: MarkIcon, look, words } = MARKS[mark]
        return (
          <li key={index} data-mark={mark} className={cx('flex items-start gap-2', mark === 'cross' && 'text-faint')}>
            <MarkIcon className={cx('mt-0.5', look)} />
            <span className="min-w-0 flex-1 break-words">
              <span className="sr-only">{words}</span>
              {feature.title}
            </span>
            {feature.help_text && (
              <span className="flex h-5 flex-none items-center">
                <HelpTip text={feature.help_text} about={feature.title} />
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Restriction() {
  return (
    <div
      role="note"
      className="-m-2 mt-0 grid gap-1.5 rounded-card bg-warning-wash p-4 text-table text-ink ring-1 ring-warning/40 ring-inset sm:mt-auto"
    >
      <p className="flex items-center gap-1.5 font-semibold">
        <AlertIcon className="text-warning" />
        {RESTRICTION.title}
      </p>
      <p>{RESTRICTION.text}</p>
      <p className="text-soft">{RESTRICTION.hint}</p>
    </div>
  )
}
