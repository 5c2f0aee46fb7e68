/** The breadcrumbs. On small screens, more than two steps collapse to a home icon, an ellipsis and the last two steps. */
import { Link, useLocation } from 'wouter'
import { trailOf } from '#web/navigation.ts'
import type { Crumb } from '#web/navigation.ts'
import { cx } from '#web/ui/cx.ts'
import { HomeIcon } from '#web/ui/icons.tsx'
import { MAX_SMALL_TRAIL } from '#web/ui/limits.ts'
import * as t from '#texts/layout.ts'

export function Breadcrumbs() {
  const [location] = useLocation()
  const trail = trailOf(location)
  const folds = trail.length > MAX_SMALL_TRAIL
  return (
    <nav aria-label={t.breadcrumbs} className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center text-table text-faint">
        {trail.map((crumb, index) => {
          const isFirst = index === 0
          const isFolded = folds && !isFirst && index < trail.length - MAX_SMALL_TRAIL
          return (
            <li
              key={crumb.href + crumb.label}
              className={cx(
                'flex min-w-0 items-center',
                isFolded && 'max-lg:hidden',
                isFirst ? 'flex-none' : crumb.current ? 'shrink' : 'shrink-[100]',
              )}
            >
              {!isFirst && <Slash />}
              <Step crumb={crumb} short={folds && isFirst} />
              {isFirst && folds && (
                <span className="flex items-center lg:hidden">
                  <Slash />
                  <span aria-label={t.moreAbove}>…</span>
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

function Slash() {
  return (
    <span aria-hidden="true" className="mx-1 text-line-strong lg:mx-2">
      /
    </span>
  )
}

function Step({ crumb, short }: { crumb: Crumb; short: boolean }) {
  if (crumb.current)
    return (
      <span aria-current="page" className="truncate font-medium text-ink">
        {crumb.label}
      </span>
    )
  return (
    <Link href={crumb.href} className="flex min-w-0 items-center rounded-small hover:text-ink">
      {short && <HomeIcon className="lg:hidden" />}
      <span className={cx('truncate', short && 'max-lg:sr-only')}>{crumb.label}</span>
    </Link>
  )
}
