/** Empty, loading and failed states, and notices inside a page. */
import type { ReactNode } from 'react'
import { Button } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/cx.ts'
import {
  AlertIcon,
  ChevronRightIcon,
  CircleCheckIcon,
  CircleXIcon,
  InfoIcon,
  OfflineIcon,
  RefreshIcon,
  SpinnerIcon,
} from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import { Net } from '#web/ui/net.tsx'
import type { NetState } from '#web/ui/net.tsx'
import * as t from '#texts/ui.ts'

/** A spinner and a sentence, centred. */
export function Loading({ children }: { children: ReactNode }) {
  return (
    <div role="status" className="flex min-h-40 items-center justify-center gap-3 p-6 text-soft">
      <SpinnerIcon className="size-5 text-accent" />
      {children}
    </div>
  )
}

/** A grey placeholder while content loads. It appears after 200 ms, so that quick answers do not flicker. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cx('skeleton block rounded-small', className ?? 'h-3')} />
}

export type EmptyStateProps = {
  title: string
  /** One line about what will be shown here. */
  children?: ReactNode
  /** A button to the next step. */
  action?: ReactNode
  net?: NetState
  /** `page` when it is the page's own heading. */
  level?: 'page' | 'section'
}

export function EmptyState({ title, children, action, net = 'knot', level = 'section' }: EmptyStateProps) {
  const Heading = level === 'page' ? 'h1' : 'h2'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-center gap-2 px-4 py-8 text-center sm:px-6 sm:py-10">
      <div className="mb-2">
        <Net state={net} />
      </div>
      <Heading tabIndex={-1} className={cx('font-semibold', level === 'page' ? 'text-title' : 'text-section')}>
        {title}
      </Heading>
      {children && <div className="max-w-[44ch] text-balance text-soft">{children}</div>}
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}

export type ErrorStateProps = {
  title: string
  /** `page`: the error is all that the page shows. */
  level?: 'page' | 'section'
  /** What the error means and what to do. */
  children?: ReactNode
  /** Technical details, collapsed. */
  details?: string | undefined
  onRetry?: () => void
  retrying?: boolean
}

export function ErrorState({ title, level = 'section', children, details, onRetry, retrying = false }: ErrorStateProps) {
  const Heading = level === 'page' ? 'h1' : 'h2'
  return (
    <div role="alert" className="grid grid-cols-[minmax(0,1fr)] justify-items-center gap-2 px-4 py-8 text-center sm:px-6 sm:py-10">
      <OfflineIcon className="size-5 text-danger" />
      <Heading className="text-section font-semibold">{title}</Heading>
      {children && <div className="max-w-[52ch] text-balance text-soft">{children}</div>}
      {onRetry && (
        <Button className="mt-3" icon={RefreshIcon} busy={retrying} busyLabel={t.tryingAgain} onClick={onRetry}>
          {t.tryAgain}
        </Button>
      )}
      {details && (
        <details className="group mt-1 grid justify-items-center text-table text-soft">
          <summary className="inline-flex items-center gap-1.5 font-medium">
            <ChevronRightIcon className="transition-transform group-open:rotate-90" />
            {t.details}
          </summary>
          <p className="mt-2 max-w-[60ch] font-mono text-label break-words">{details}</p>
        </details>
      )}
    </div>
  )
}

export type NoticeTone = 'info' | 'success' | 'warning' | 'danger'

const NOTICES: Record<NoticeTone, { icon: Icon; ground: string; tint: string }> = {
  info: { icon: InfoIcon, ground: 'bg-info-wash', tint: 'text-info' },
  success: { icon: CircleCheckIcon, ground: 'bg-success-wash', tint: 'text-success' },
  warning: { icon: AlertIcon, ground: 'bg-warning-wash', tint: 'text-warning' },
  danger: { icon: CircleXIcon, ground: 'bg-danger-wash', tint: 'text-danger' },
}

export type NoticeProps = { tone?: NoticeTone; title: ReactNode; children?: ReactNode; action?: ReactNode; role?: 'alert' | 'status' }

export function Notice({ tone = 'info', title, children, action, role }: NoticeProps) {
  const { icon: Icon, ground, tint } = NOTICES[tone]
  return (
    <div role={role} className={cx('flex gap-3 rounded-card px-4 py-3', ground)}>
      <Icon className={cx('mt-0.5', tint)} />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{title}</p>
        {children && <div className="text-table break-words text-soft">{children}</div>}
        {action && <div className="mt-2 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  )
}
